import { type Clock, systemClock } from '../clock.ts'
import { commitTogether } from '../commit-together.ts'
import { createDecisionQueue } from '../decision-queue.ts'
import type { AnsweringRoute } from '../http/route.ts'
import { type Ids, systemIds } from '../ids.ts'
import { type Logger, silentLogger } from '../logger.ts'
import { createMetricsRegistry, type MetricsRegistry } from '../metrics.ts'
import type { Storage } from '../storage.ts'
import { createBodyBudget } from './body-budget.ts'
import { createCancelRequests } from './cancel-requests.ts'
import type { CommandRunner } from './command.ts'
import { createCommandRunners } from './command-runners.ts'
import { readWebhooksConfig } from './config.ts'
import type { WebhooksConfigInput, WebhooksContext, WebhookWork } from './context.ts'
import { registerEventLoopDelay } from './event-loop-delay.ts'
import { createWebhookEvents } from './events.ts'
import { createFoundPrograms } from './found-programs.ts'
import { createHeartbeat } from './heartbeat.ts'
import { createHistoryKeeper } from './history-keeper.ts'
import { createKeyTurns } from './key-turns.ts'
import { createLaunchRunner } from './launch-command.ts'
import { registerWebhookMetrics } from './metrics.ts'
import { createPatience } from './patience.ts'
import { rateCollection } from './rate-limit.ts'
import { createRunDurations } from './retry-after.ts'
import { webhooksFallbackRoutes, webhooksRoutes } from './routes.ts'
import { createRunBoard } from './run-board.ts'
import { createRunJournal } from './run-journal.ts'
import { createSpawnRunner } from './spawn-command.ts'
import { warnOf } from './update-webhooks-config.ts'
import type { WebhooksConfig } from './webhook.ts'

/** Options of {@link createWebhooks}. */
export interface WebhooksOptions {
  /** Where runs are recorded. */
  storage: Storage
  config: WebhooksConfigInput
  /** Runs every command (default: launchers, or this process itself, as `executor` of the configuration says). */
  runner?: CommandRunner
  /** The variables of the server: what commands may inherit, and what `${env:NAME}` reads (default none). */
  environment?: Readonly<Record<string, string | undefined>>
  /** Reads the files that a configuration takes values from (default: none can be read). */
  readFile?: (path: string) => string
  /** Absolute path of the working directory of the server, which relative ones start from (default `/`). */
  workdir?: string
  clock?: Clock
  ids?: Ids
  /** Default: silent. */
  logger?: Logger
  /** Where metrics are registered (default: a registry of its own). */
  metrics?: MetricsRegistry
  /** What {@link reloadWebhooksConfig} loads; without it a reload changes nothing and succeeds. */
  reload?: () => Promise<WebhooksConfigInput>
}

/** Whoever waits longer for its rate than this many others has waited long enough. */
const mostWaiting = 10_000

/** Each takes about a megabyte. */
const mostLaunchers = 32

/**
 * The webhook service over a storage: what every operation takes first. Starts nothing; see {@link startWebhooks} and
 * {@link closeWebhooks}.
 *
 * @throws {GatehouseError} `InvalidConfig`, with every problem in `info.problems`.
 * @throws {TypeError} if `workdir` is not absolute.
 */
export function createWebhooks(options: WebhooksOptions): WebhooksContext {
  const {
    storage,
    clock = systemClock,
    ids = systemIds,
    logger = silentLogger,
    metrics = createMetricsRegistry(),
    environment = {},
    workdir = '/',
  } = options
  if (!workdir.startsWith('/')) {
    throw new TypeError(`workdir: expected an absolute path, got "${workdir}"`)
  }
  const { readFile } = options
  const readConfig = (source: WebhooksConfigInput): WebhooksConfig =>
    isDecoded(source) ? source : readWebhooksConfig(source, { environment, readFile, workdir })
  const config = { current: readConfig(options.config) }
  const parts = { storage, clock, logger, config, ids, metrics }
  const work = createWork(parts, options.runner)
  const counters = registerWebhookMetrics({ metrics, config, admission: work.board.admission })
  counters.configLoaded()
  warnOf({ logger }, config.current)
  const routes: AnsweringRoute[] = []
  const fallbackRoutes: AnsweringRoute[] = []
  const hooks: WebhooksContext = Object.freeze({
    ...parts,
    events: createWebhookEvents(logger),
    // A copy: to read the variables of the process itself takes long, and every run does it.
    environment: Object.freeze({ ...environment }),
    workdir,
    reload: options.reload,
    readConfig,
    counters,
    work,
    bodies: createBodyBudget(() => config.current.limits.body_total_bytes),
    isStopping: () => work.board.isStopping,
    startedAt: clock.now(),
    routes,
    fallbackRoutes,
  })
  routes.push(...webhooksRoutes(hooks))
  fallbackRoutes.push(...webhooksFallbackRoutes(hooks))
  return hooks
}

/** Only what was decoded has sets in it. */
function isDecoded(source: WebhooksConfigInput): source is WebhooksConfig {
  return typeof source === 'object' && 'withheld' in source && source.withheld instanceof Set
}

type Parts = Pick<WebhooksContext, 'storage' | 'clock' | 'logger' | 'config' | 'ids' | 'metrics'>

function createWork(parts: Parts, runner: CommandRunner | undefined): WebhookWork {
  const { storage, clock, logger, config, ids, metrics } = parts
  const board = createRunBoard(() => config.current.limits, clock)
  const commit = commitTogether({ storage })
  const server = ids.random()
  const isNeeded = (): boolean => board.size > 0
  const heartbeat = createHeartbeat({ server, commit, clock, logger, isNeeded })
  const history = (): WebhooksConfig['history'] => config.current.history
  const launchers = (): number => Math.min(config.current.limits.concurrency, mostLaunchers)
  const maxRuns = (): number => history().max_runs
  return {
    board,
    commit,
    heartbeat,
    journal: createRunJournal({ commit, heartbeat, clock, logger, history }),
    cancelRequests: createCancelRequests({
      storage,
      commit,
      clock,
      logger,
      server,
      isNeeded,
      cancel: (runId) => board.find(runId)?.cancel('canceled'),
    }),
    history: createHistoryKeeper({ storage, commit, logger, maxRuns }),
    runners: createCommandRunners({
      direct: () => runner ?? createSpawnRunner(),
      launcher: (spawn) => runner ?? createLaunchRunner({ spawn, size: launchers() }),
    }),
    programs: createFoundPrograms(clock),
    rates: createDecisionQueue({ storage, collection: rateCollection, clock, limit: mostWaiting }),
    keyTurns: createKeyTurns(),
    durations: createRunDurations(),
    eventLoopDelay: registerEventLoopDelay(metrics),
    patience: createPatience(clock),
  }
}
