import { createKeyTurns } from '../async/key-turns.ts'
import { authorizeInput, createAccess } from '../authorization/access.ts'
import type { Authorize } from '../authorization/authorize.ts'
import { createChangeHub } from '../changes/change-hub.ts'
import { randomBytes } from '../crypto/crypto.ts'
import { type Ids, systemIds } from '../crypto/ids.ts'
import { describedBy } from '../http/openapi.ts'
import type { Route } from '../http/route.ts'
import type { Fetch } from '../http-client/wire.ts'
import { configSource } from '../input/config-source.ts'
import {
  type Decode,
  decodeInput,
  environmentInput,
  exactly,
  functionLike,
  having,
  optional,
  rawText,
} from '../input/decode.ts'
import {
  clockPort,
  healthPort,
  idsPort,
  loggerPort,
  metricsPort,
  storagePort,
  tracerPort,
} from '../input/ports.ts'
import { refuseShown } from '../input/refusal.ts'
import { type Logger, loggerOf } from '../logger.ts'
import { registerEventLoopDelay } from '../metrics/event-loop-delay.ts'
import { createMetricsRegistry, type MetricsRegistry } from '../metrics/metrics.ts'
import { commitTogether } from '../storage/commit-together.ts'
import { createStorageHealth, type StorageHealth } from '../storage/health.ts'
import { readableStorage, registerUnreadableRecords } from '../storage/readable-storage.ts'
import type { Storage } from '../storage/storage.ts'
import { type Clock, systemClock } from '../time/clock.ts'
import type { Tracer } from '../tracing/tracer.ts'
import { createSenderSites } from './access/sender-sites.ts'
import { createOutputLog } from './board/output-log.ts'
import { createPlaces, type PlacesOptions } from './board/places/places.ts'
import { createRefusals } from './board/refusals.ts'
import { createRunDurations } from './board/retry-after.ts'
import { createRunBoard } from './board/run-board.ts'
import { createBodyBudget } from './body/body-budget.ts'
import { createFoundPrograms, findAsWritten } from './command/found-programs.ts'
import { readWebhooksConfig, sendersInput, type WebhooksConfigInput } from './config/config.ts'
import type { WebhooksContext, WebhookWork } from './context.ts'
import { createWebhookEvents } from './events.ts'
import { webhooksFallbackRoutes, webhooksRoutes } from './http/routes.ts'
import { createRunChangeSource } from './http/run-change-source.ts'
import { registerWebhookMetrics } from './metrics.ts'
import { createCancelRequests } from './records/cancel-requests.ts'
import { runsAfter } from './records/due-run.ts'
import { createHeartbeat } from './records/heartbeat.ts'
import { createHistoryKeeper } from './records/history-keeper.ts'
import { createPatience } from './records/patience.ts'
import { createRunJournal } from './records/run-journal.ts'
import { createServerWatch } from './records/server-watch.ts'
import type { CommandRunner } from './runner/command.ts'
import { createCommandRunners } from './runner/command-runners.ts'
import { createLaunchRunner } from './runner/launcher/launch-command.ts'
import { type Machine, systemMachine } from './runner/process/machine.ts'
import { createSpawnRunner } from './runner/spawn/spawn-command.ts'
import { loseGoneServers } from './runs/mark-lost-runs.ts'
import { logWarnings, noteRefusedParts } from './update-webhooks-config.ts'
import type { LoadedWebhooksConfig, Sender } from './webhook.ts'

/** Options of {@link createWebhooks}. */
export interface WebhooksOptions {
  /** Stores the records of runs. */
  storage: Storage
  /**
   * The configuration: its text, an object with its keys, or `{ text, filename }`.
   *
   * @see docs/webhook.md#the-configuration
   */
  config: WebhooksConfigInput
  /**
   * Runs every command (default: launchers or child processes, as the `executor` of the configuration says).
   *
   * @see docs/webhook-records.md#executors
   */
  runner?: CommandRunner | undefined
  /**
   * Decides what senders may do over HTTP without the token of a webhook (default: nothing). A token or signature stays sufficient.
   * See {@link identifyRequests} for the senders.
   *
   * @see docs/authorization.md
   */
  authorize?: Authorize | undefined
  /** The variables of the server: commands may inherit them, and `${env:NAME}` reads them (default none). */
  environment?: Readonly<Record<string, string | undefined>> | undefined
  /** Reads the files that a configuration takes values from (default: no file can be read). */
  readFile?: ((path: string) => string) | undefined
  /** Senders that webhooks may name besides the known ones, made by {@link defineSender} (default none). */
  senders?: readonly Sender[] | undefined
  /**
   * Gets the certificates of senders that sign with one, and confirms subscriptions (default: the platform's `fetch`); one through a
   * proxy, for example. It must not follow redirections.
   */
  fetch?: Fetch | undefined
  /** Absolute path of the working directory of the server; relative paths start from it (default `/`). */
  workdir?: string | undefined
  /** The time and the timers (default: those of the machine); {@link createManualClock} for tests. */
  clock?: Clock | undefined
  /** Makes the ids of runs and records (default: UUIDs). */
  ids?: Ids | undefined
  /** Returns random bytes, for tests (default: cryptographically strong ones). */
  random?: ((size: number) => Uint8Array) | undefined
  /**
   * Finds processes on this machine, where commands may outlive a killed server (default: reads `/proc`). Set it for a `runner`
   * whose commands are not processes of this machine.
   */
  machine?: Machine | undefined
  /** Where the service logs: a {@link Logger} or a console; `false` for nowhere (default: {@link createConsoleLogger}, warnings and errors to stderr). */
  logger?: Logger | false | undefined
  /** The registry for the metrics (default: a new one). */
  metrics?: MetricsRegistry | undefined
  /**
   * Traces runs, such as `trace.getTracer('app')` of OpenTelemetry (default: none).
   *
   * @see docs/observability.md#traces
   */
  tracer?: Tracer | undefined
  /** Checks the storage for `/readyz`; services of one process may share one (default: a new one). */
  health?: StorageHealth | undefined
  /** Loads the configuration for {@link reloadWebhooksConfig} (default: a reload succeeds and changes nothing). */
  reload?: (() => Promise<WebhooksConfigInput>) | undefined
}

const absolutePath: Decode<string> = (value) =>
  rawText(value).startsWith('/') ? rawText(value) : refuseShown('an absolute path', value)

const decodeOptions = exactly<WebhooksOptions>({
  storage: storagePort,
  config: configSource,
  authorize: authorizeInput,
  runner: optional(having<CommandRunner>('a CommandRunner', 'start', 'close')),
  environment: optional(environmentInput),
  readFile: optional(functionLike('a function that reads a file')),
  workdir: optional(absolutePath),
  senders: sendersInput,
  fetch: optional(functionLike('a function like fetch')),
  clock: optional(clockPort),
  ids: optional(idsPort),
  random: optional(functionLike('a function that returns random bytes')),
  machine: optional(having<Machine>('a Machine', 'own', 'stateOf', 'haveRuns', 'endRuns')),
  logger: optional(loggerPort),
  metrics: optional(metricsPort),
  tracer: optional(tracerPort),
  health: optional(healthPort),
  reload: optional(functionLike('a function that returns a configuration')),
})

/** The most open streams of changes. */
const maxListeners = 1_000

/** Each launcher takes about 1 MB. */
const maxLaunchers = 32

/**
 * Creates the webhook service over a storage: the context that every operation takes first. Starts nothing; see {@link
 * startWebhooks} and {@link closeWebhooks}.
 *
 * @throws {GatehouseError} `InvalidInput` if an option is invalid; `InvalidConfig`, with every problem in `info.problems`.
 * @example
 * const webhook = { id: 'deploy', token: 'a-long-token', workdir: '/srv/app', execute_command: './deploy.sh' }
 * const webhooks = createWebhooks({ storage, config: { webhooks: [webhook] } })
 */
export function createWebhooks(given: WebhooksOptions): WebhooksContext {
  const options = decodeInput('options', decodeOptions, given)
  const {
    clock = systemClock,
    ids = systemIds,
    random = randomBytes,
    machine = systemMachine,
    metrics = createMetricsRegistry(),
    environment = {},
    workdir = '/',
  } = options
  const logger = loggerOf(options.logger)
  const unreadable = registerUnreadableRecords(metrics, 'webhook')
  const storage = readableStorage(options.storage, { logger, unreadable })
  const { readFile, senders } = options
  const readConfig = (source: WebhooksConfigInput): LoadedWebhooksConfig =>
    readWebhooksConfig(source, { environment, readFile, workdir, senders })
  const config = { current: readConfig(options.config) }
  const parts = { storage, clock, logger, config, ids, metrics }
  const late: Late = { recover: async () => false }
  const { runner, fetch } = options
  const work = createWork(parts, { runner, machine, fetch }, late)
  const counters = registerWebhookMetrics({ metrics, config, admission: work.board.admission })
  counters.configLoaded()
  logWarnings({ logger }, config.current)
  const routes: Route[] = []
  const fallbackRoutes: Route[] = []
  const webhooks: WebhooksContext = Object.freeze({
    ...parts,
    tracer: options.tracer,
    access: createAccess({ service: 'webhook', authorize: options.authorize, metrics, logger }),
    random,
    exposure: { warn: undefined },
    health: options.health ?? createStorageHealth(parts),
    events: createWebhookEvents(logger),
    // A copy, because reading `process.env` is slow and every run reads it.
    environment: Object.freeze({ ...environment }),
    workdir,
    reload: options.reload,
    readConfig,
    counters,
    work,
    changes: createChangeHub({
      source: createRunChangeSource({ storage, clock, work }),
      clock,
      logger,
      metrics,
      name: 'gatehouse_webhook_changes',
      limit: maxListeners,
    }),
    bodies: createBodyBudget(() => config.current.limits.body_total_bytes),
    isStopping: () => work.board.isStopping,
    startedAt: clock.now(),
    routes,
    fallbackRoutes,
    openApi: {
      basePath: () => config.current.base_path,
      load: describedBy(async () => (await import('./api/operations.ts')).webhookApi),
    },
  })
  noteRefusedParts(webhooks, config.current)
  late.recover = async (servers) => (await loseGoneServers(webhooks, servers)).servers > 0
  routes.push(...webhooksRoutes(webhooks))
  fallbackRoutes.push(...webhooksFallbackRoutes(webhooks))
  return webhooks
}

type Parts = Pick<WebhooksContext, 'storage' | 'clock' | 'logger' | 'config' | 'ids' | 'metrics'>

/** What reaches outside. */
interface Outer {
  readonly runner: CommandRunner | undefined
  readonly machine: Machine
  readonly fetch: Fetch | undefined
}

/** The parts that need the whole context. */
interface Late {
  recover: PlacesOptions['recover']
}

function createWork(
  parts: Parts,
  { runner, machine, fetch = (url, init) => globalThis.fetch(url, init) }: Outer,
  late: Late,
): WebhookWork {
  const { storage, clock, logger, config, ids, metrics } = parts
  const board = createRunBoard(
    () => config.current.limits,
    () => places,
  )
  const commit = commitTogether({ storage })
  const isNeeded = (): boolean => board.size > 0
  const heartbeat = createHeartbeat({
    storage,
    commit,
    clock,
    logger,
    machine,
    createId: ids.random,
    isNeeded,
    onFenced() {
      places.forget()
      for (const run of board.all()) run.end('lost')
    },
    onSure() {
      for (const id of board.admission.busy()) board.admission.changed(id)
      board.fill()
    },
  })
  const places = createPlaces({
    storage,
    commit,
    clock,
    logger,
    heartbeat,
    admission: () => board.admission,
    onPlaces: board.fill,
    onSuperseded: (runId) => board.find(runId)?.end('superseded'),
    recover: (servers) => late.recover(servers),
  })
  const history = (): LoadedWebhooksConfig['history'] => config.current.history
  const launchers = (): number => Math.min(config.current.limits.concurrency, maxLaunchers)
  const maxRuns = (): number => history().max_runs
  return {
    board,
    commit,
    heartbeat,
    machine,
    servers: createServerWatch(clock, machine),
    places,
    journal: createRunJournal({
      storage,
      commit,
      heartbeat,
      clock,
      logger,
      history,
      followers: (ended) => runsAfter(ended, config.current, clock.now()),
    }),
    cancelRequests: createCancelRequests({
      storage,
      commit,
      clock,
      logger,
      server: () => heartbeat.server,
      isNeeded,
      cancel: (runId) => board.find(runId)?.cancel('canceled'),
    }),
    history: createHistoryKeeper({ storage, commit, logger, maxRuns }),
    runners: createCommandRunners({
      direct: () => runner ?? createSpawnRunner(),
      launcher: (spawn) => runner ?? createLaunchRunner({ spawn, size: launchers() }),
    }),
    programs: createFoundPrograms(clock, runner && (runner.find?.bind(runner) ?? findAsWritten)),
    outputLog: createOutputLog({ clock, logger }),
    sites: createSenderSites({ clock, fetch }),
    keyTurns: createKeyTurns(),
    durations: createRunDurations(),
    refusals: createRefusals(),
    eventLoopDelay: registerEventLoopDelay(metrics),
    patience: createPatience(clock),
  }
}
