import { createKeyTurns } from '../async/key-turns.ts'
import { authorizeInput, createAccess } from '../authorization/access.ts'
import type { Authorize } from '../authorization/authorize.ts'
import { createChangeHub } from '../changes/change-hub.ts'
import { type Ids, systemIds } from '../crypto/ids.ts'
import { registerHistoryMetrics } from '../history/history-metrics.ts'
import { describedBy } from '../http/openapi.ts'
import { parseUrl } from '../http/parse-url.ts'
import type { Route } from '../http/route.ts'
import { createHttpClient } from '../http-client/http-client.ts'
import type { SendRequest } from '../http-client/send-request.ts'
import {
  anyText,
  type Decode,
  decodeInput,
  environmentInput,
  exactly,
  filledText,
  flag,
  functionLike,
  having,
  listOf,
  numberFrom,
  objectOf,
  oneOf,
  optional,
  rawText,
  recordOf,
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
import { createMetricsRegistry, type MetricsRegistry } from '../metrics/metrics.ts'
import { commitTogether } from '../storage/commit-together.ts'
import { createStorageHealth, type StorageHealth } from '../storage/health.ts'
import { readableStorage, registerUnreadableRecords } from '../storage/readable-storage.ts'
import type { Storage } from '../storage/storage.ts'
import type { Clock } from '../time/clock.ts'
import { systemClock } from '../time/clock.ts'
import type { Tracer } from '../tracing/tracer.ts'
import { createAlertBoard } from './board/board.ts'
import { createAlertsChangeSource } from './changes/alerts-change-source.ts'
import type { Peer } from './cluster/peer.ts'
import { createPeerBoard } from './cluster/peer-board.ts'
import { loadAlertsConfig } from './config/config.ts'
import {
  type AlertsConfigInput,
  type AlertsConfigSource,
  configInput,
  wholeText,
} from './config/config-input.ts'
import type { AlertsContext, AlertsSettings, VersionInfo } from './context.ts'
import type { MetricLabel } from './dispatch/dispatch-metrics.ts'
import { createDispatchHooks } from './dispatch/hooks.ts'
import { alertsFallbackRoutes, alertsRoutes } from './http/routes.ts'
import { registerAlertMetrics } from './metrics.ts'
import { type OtherServer, otherServersInput } from './other-servers/other-server.ts'
import { createOtherServers } from './other-servers/other-servers.ts'
import { createReceivers, type NotifiersInCode } from './receivers/create-receivers.ts'
import type { Notifier, NotifierPorts, WebhookRuns } from './receivers/notifier.ts'
import { logConfigWarnings } from './running-config/update-alerts-config.ts'

/** Options of {@link createAlerts}. {@link AlertsSettings} documents the settings and their defaults. */
export interface AlertsOptions extends Partial<Omit<AlertsSettings, 'versionInfo'>> {
  /** The storage for alerts, silences, timers and history. */
  storage: Storage
  /**
   * The text of `alertmanager.yml`, or an object with its keys; or `{ text, templateFiles, directory }`, or `{ config, templateFiles, directory }`.
   *
   * @see docs/alerts.md#configuration-as-an-object
   */
  config: AlertsConfigInput
  /**
   * Decides who may do what over HTTP (default: any sender may do everything). See {@link identifyRequests} for the senders.
   *
   * @see docs/authorization.md
   */
  authorize?: Authorize | undefined
  /** The time and the timers (default: those of the machine); {@link createManualClock} for tests. */
  clock?: Clock | undefined
  /** Makes the ids of silences and records (default: UUIDs). */
  ids?: Ids | undefined
  /** Where the service logs: a {@link Logger} or a console; `false` for nowhere (default: {@link createConsoleLogger}, warnings and errors to stderr). */
  logger?: Logger | false | undefined
  /** The registry for metrics (default: a new one). */
  metrics?: MetricsRegistry | undefined
  /**
   * Traces posts of alerts, flushes and notifications, such as `trace.getTracer('app')` of OpenTelemetry (default: none).
   *
   * @see docs/observability.md#traces
   */
  tracer?: Tracer | undefined
  /** Checks the storage for `/-/ready`; services of one process may share one (default: a new one). */
  health?: StorageHealth | undefined
  /**
   * Notifiers made in code, such as by {@link createFunctionNotifier}. A record by receiver name adds notifiers to the
   * integrations of that receiver; a function returns the notifiers that replace its integrations (default none).
   *
   * @see docs/alerts-notifications.md#a-receiver-is-one-async-function
   */
  notifiers?: NotifiersInCode | undefined
  /** Reads the files with secrets and certificates that the configuration names (default: none can be read). */
  readFile?: ((path: string) => Promise<string>) | undefined
  /** `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY`, for `proxy_from_environment` (default none). */
  environment?: Readonly<Record<string, string | undefined>> | undefined
  /** The name of this machine, for the `Message-Id` of emails (default `localhost.localdomain`). */
  hostname?: string | undefined
  /** Returns credentials for SNS where the configuration has none (default: none). */
  awsCredentials?: NotifierPorts['awsCredentials'] | undefined
  /**
   * Runs the webhooks of `webhook_run_configs`, as {@link createWebhookRuns} returns it (default: a configuration with them is refused).
   *
   * @see docs/webhook-runs.md#on-an-alert
   */
  webhookRuns?: WebhookRuns | undefined
  /**
   * Other servers whose alerts the console shows beside those of this one, for reading only (default: none).
   *
   * @see docs/alerts.md#several-servers
   */
  otherServers?: readonly OtherServer[] | undefined
  /**
   * Sends the requests of notifications (default: an HTTP client that supports all of `http_config`).
   *
   * @see docs/alerts-notifications.md#how-requests-are-sent
   */
  send?: SendRequest | undefined
  /** Parts of the build information in `/status` (default: Alertmanager 0.34.0). */
  versionInfo?: Partial<VersionInfo> | undefined
}

const peer: Decode<Peer> = (value) =>
  Object.freeze(objectOf<Peer>({ name: filledText, address: anyText })(value))

const httpUrl: Decode<string> = (value) => {
  const url = parseUrl(rawText(value))
  const isHttp = url !== undefined && ['http:', 'https:'].includes(url.protocol)
  return isHttp ? rawText(value) : refuseShown('an http or https URL', value)
}

/** An origin as browsers write it. */
const webOrigin: Decode<string> = (value) => {
  const origin = rawText(value)
  const url = origin === '*' ? undefined : parseUrl(origin)
  if (origin === '*' || (url !== undefined && url.origin !== 'null')) return url?.origin ?? origin
  return refuseShown('an origin such as https://karma.example.com, or *', origin)
}

const notifier = having<Notifier>('a Notifier', 'notify')

/** Notifiers by receiver, or a function that returns the notifiers of a receiver. */
const notifiersInCode: Decode<NotifiersInCode> = (value) =>
  typeof value === 'function'
    ? functionLike<Extract<NotifiersInCode, () => unknown>>('a function')(value)
    : recordOf(listOf(notifier))(value)

const length = optional(numberFrom(0))
const filledLength = optional(numberFrom(1))

interface DecodedOptions extends Omit<AlertsOptions, 'config'> {
  config: AlertsConfigSource
}

const decodeOptions = exactly<DecodedOptions>({
  storage: storagePort,
  config: configInput,
  authorize: authorizeInput,
  clock: optional(clockPort),
  ids: optional(idsPort),
  logger: optional(loggerPort),
  metrics: optional(metricsPort),
  tracer: optional(tracerPort),
  health: optional(healthPort),
  notifiers: optional(notifiersInCode),
  readFile: optional(functionLike('a function that reads a file')),
  environment: optional(environmentInput),
  hostname: optional(anyText),
  awsCredentials: optional(functionLike('a function that finds credentials')),
  webhookRuns: optional(having<WebhookRuns>('a WebhookRuns', 'problemOf', 'run')),
  otherServers: optional(otherServersInput),
  send: optional(functionLike('a function that sends a request')),
  versionInfo: optional(
    exactly<Partial<VersionInfo>>({
      version: optional(anyText),
      revision: optional(anyText),
      branch: optional(anyText),
      buildUser: optional(anyText),
      buildDate: optional(anyText),
      goVersion: optional(anyText),
    }),
  ),
  matcherMode: optional(oneOf(['classic', 'utf8', 'fallback'])),
  labelNames: optional(oneOf(['utf8', 'classic'])),
  externalUrl: optional(httpUrl),
  basePath: optional(anyText),
  retentionMs: length,
  historyRetentionMs: length,
  historyMaxBytes: length,
  gcIntervalMs: filledLength,
  maintenanceIntervalMs: filledLength,
  perAlertnameLimit: length,
  maxSilences: length,
  maxSilenceSizeBytes: length,
  maxMatchersPerSilence: length,
  maxAlertsPerRequest: length,
  maxAlertLength: length,
  maxLabelsPerAlert: length,
  maxFilters: length,
  severityLabel: optional(filledText),
  severities: optional(listOf(anyText)),
  metricLabels: optional(listOf(oneOf<MetricLabel>(['receiver_name', 'alertname', 'group_key']))),
  maxChangeListeners: length,
  logSilences: optional(flag),
  statusConfig: optional(oneOf(['loaded', 'source'])),
  maxBodyBytes: filledLength,
  getConcurrency: filledLength,
  timeoutMs: length,
  corsMethods: optional(listOf(anyText)),
  allowedOrigins: optional(listOf(webOrigin)),
  cluster: optional(peer),
  reload: optional(functionLike('a function that returns a configuration')),
  findProblems: optional(functionLike('a function that finds problems')),
})

const hour = 3_600_000

/**
 * The build information that clients get. `version` is the Alertmanager release that this service is compatible with: clients
 * such as Karma switch features by it.
 */
const defaultVersionInfo: VersionInfo = {
  version: '0.34.0',
  revision: 'gatehouse',
  branch: 'HEAD',
  buildUser: 'gatehouse',
  buildDate: '',
  goVersion: '',
}

/**
 * Creates the alert service over a storage: the first argument of every operation. Starts nothing; see {@link startMaintenance},
 * {@link startHeartbeat}, {@link startDispatcher} and {@link startHistory}.
 *
 * @throws {GatehouseError} `InvalidInput` if an option is not valid; `InvalidConfig`, with every problem in `info.problems`.
 * @example
 * const alerts = createAlerts({ storage, config: 'route: { receiver: team }\nreceivers: [{ name: team }]' })
 * const dispatcher = startDispatcher(alerts)
 */
export function createAlerts(given: AlertsOptions): AlertsContext {
  const options = decodeInput('options', decodeOptions, given)
  const { clock = systemClock, ids = systemIds, metrics = createMetricsRegistry() } = options
  const logger = loggerOf(options.logger)
  const unreadable = registerUnreadableRecords(metrics, 'alerts')
  const storage = readableStorage(options.storage, { logger, unreadable })
  const settings = settingsOf(options)
  const { text, ...place } = options.config
  const { matcherMode } = settings
  const webhookProblem = webhookProblemOf(options)
  const config: AlertsContext['config'] = {
    current: loadAlertsConfig(text, { webhookProblem, ...place, matcherMode }),
    refusal: undefined,
  }
  const board = createAlertBoard({ storage, clock, config: config.current })
  const self = settings.cluster
  const peers = self && createPeerBoard({ storage, clock, ids, metrics, self })
  const startedAt = clock.now()
  const counters = registerAlertMetrics({
    metrics,
    clock,
    board,
    config,
    startedAt,
    perAlertnameLimit: settings.perAlertnameLimit,
    metricLabels: settings.metricLabels,
    version: settings.versionInfo,
    clustered: peers !== undefined,
  })
  counters.configLoaded(wholeText(options.config), startedAt)
  const { health = createStorageHealth({ storage, clock, ids, logger, metrics }) } = options
  health.watch(() => board.catchUp())
  const dispatch = createDispatchHooks(metrics, settings.metricLabels)
  dispatch.onWake(board.prepare)
  const changes = createChangeHub({
    source: createAlertsChangeSource({ storage, board, config }),
    clock,
    logger,
    metrics,
    name: 'gatehouse_alerts_changes',
    limit: settings.maxChangeListeners,
  })
  dispatch.onWake(changes.wake)
  dispatch.onSilenceChanged(changes.wake)
  const ports = portsOf(options, clock, settings.versionInfo.version)
  const receiversOf = createReceivers({
    clock,
    ports,
    notifiers: options.notifiers ?? {},
  })
  receiversOf(config.current)
  const routes: Route[] = []
  const fallbackRoutes: Route[] = []
  const alerts: AlertsContext = Object.freeze({
    storage,
    commitTogether: commitTogether({ storage }),
    silenceTurns: createKeyTurns(),
    postTurns: createKeyTurns(),
    access: createAccess({ service: 'alerts', authorize: options.authorize, metrics, logger }),
    clock,
    ids,
    logger,
    metrics,
    tracer: options.tracer,
    options: settings,
    config,
    board,
    changes,
    health,
    peers,
    counters,
    dispatch,
    historyMetrics: registerHistoryMetrics(metrics, 'alerts_history'),
    receiversOf,
    webhookProblem,
    send: ports.send,
    others: createOtherServers({
      servers: options.otherServers ?? [],
      send: ports.send,
      clock,
      logger,
    }),
    startedAt,
    exposure: { warn: undefined },
    routes,
    fallbackRoutes,
    openApi: {
      basePath: () => settings.basePath,
      load: describedBy(async () => (await import('./api/operations.ts')).alertsApi),
    },
  })
  routes.push(...alertsRoutes(alerts))
  fallbackRoutes.push(...alertsFallbackRoutes(alerts))
  logConfigWarnings(alerts, options.config)
  return alerts
}

/** A test that replaces every integration needs no webhooks. */
function webhookProblemOf({
  webhookRuns,
  notifiers,
}: DecodedOptions): (webhook: string) => string | undefined {
  if (webhookRuns !== undefined) return (webhook) => webhookRuns.problemOf(webhook)
  return () => (typeof notifiers === 'function' ? undefined : 'this server has no webhooks')
}

function portsOf(options: DecodedOptions, clock: Clock, version: string): NotifierPorts {
  const {
    environment = {},
    readFile = (path) =>
      Promise.reject(new Error(`${path} cannot be read: the option readFile is not set`)),
  } = options
  const userAgent = `Alertmanager/${version}`
  const { send = createHttpClient({ readFile, clock, userAgent, environment }).send } = options
  const { ids = systemIds, hostname, awsCredentials, webhookRuns } = options
  return {
    send,
    readFile,
    clock,
    ids,
    ...(hostname === undefined ? {} : { hostname }),
    ...(awsCredentials === undefined ? {} : { awsCredentials }),
    ...(webhookRuns === undefined ? {} : { webhookRuns }),
  }
}

function settingsOf(options: DecodedOptions): AlertsSettings {
  const { matcherMode = 'fallback', externalUrl = 'http://localhost:9093' } = options
  const external = externalUrlOf(externalUrl)
  return Object.freeze({
    matcherMode,
    labelNames: options.labelNames ?? (matcherMode === 'classic' ? 'classic' : 'utf8'),
    externalUrl: external.href,
    basePath: basePathOf(options.basePath ?? external.path),
    retentionMs: options.retentionMs ?? 120 * hour,
    historyRetentionMs: options.historyRetentionMs ?? 14 * 24 * hour,
    historyMaxBytes: options.historyMaxBytes ?? 128 * 1024 * 1024,
    gcIntervalMs: options.gcIntervalMs ?? hour / 2,
    maintenanceIntervalMs: options.maintenanceIntervalMs ?? hour / 4,
    perAlertnameLimit: options.perAlertnameLimit ?? 0,
    maxSilences: options.maxSilences ?? 0,
    maxSilenceSizeBytes: options.maxSilenceSizeBytes ?? 256 * 1024,
    maxMatchersPerSilence: options.maxMatchersPerSilence ?? 100,
    maxAlertsPerRequest: options.maxAlertsPerRequest ?? 20_000,
    maxAlertLength: options.maxAlertLength ?? 256 * 1024,
    maxLabelsPerAlert: options.maxLabelsPerAlert ?? 1_000,
    maxFilters: options.maxFilters ?? 100,
    severityLabel: options.severityLabel ?? 'severity',
    metricLabels: options.metricLabels ?? [],
    severities: options.severities ?? ['info', 'warning', 'critical'],
    maxChangeListeners: options.maxChangeListeners ?? 1_000,
    logSilences: options.logSilences ?? false,
    statusConfig: options.statusConfig ?? 'loaded',
    versionInfo: Object.freeze({ ...defaultVersionInfo, ...options.versionInfo }),
    maxBodyBytes: options.maxBodyBytes ?? 16 * 1024 * 1024,
    getConcurrency: options.getConcurrency ?? 8,
    timeoutMs: options.timeoutMs ?? 0,
    corsMethods: options.corsMethods ?? ['GET', 'HEAD', 'POST'],
    allowedOrigins: options.allowedOrigins,
    cluster: options.cluster,
    reload: options.reload,
    findProblems: options.findProblems,
  })
}

function externalUrlOf(given: string): { href: string; path: string } {
  const path = parseUrl(given)?.pathname.replace(/\/+$/, '') ?? ''
  return { href: given.replace(/\/+$/, ''), path }
}

function basePathOf(given: string): string {
  const trimmed = given.replace(/^\/+/, '').replace(/\/+$/, '')
  return trimmed === '' ? '' : `/${trimmed}`
}
