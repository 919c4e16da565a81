import type { Clock } from '../clock.ts'
import { systemClock } from '../clock.ts'
import type { AnsweringRoute } from '../http/route.ts'
import { type Ids, systemIds } from '../ids.ts'
import { type Logger, silentLogger } from '../logger.ts'
import { createMetricsRegistry, type MetricsRegistry } from '../metrics.ts'
import { parseUrl } from '../parse-url.ts'
import type { Storage } from '../storage.ts'
import { createAlertBoard } from './board.ts'
import type { AlertsConfigSource, AlertsContext, AlertsSettings, VersionInfo } from './context.ts'
import { createReceivers, type NotifiersInCode } from './create-receivers.ts'
import { createDispatchHooks } from './dispatch/hooks.ts'
import { registerHistoryMetrics } from './history/history-metrics.ts'
import { createHttpClient } from './http-client.ts'
import { registerAlertMetrics } from './metrics.ts'
import type { NotifierPorts, SendRequest } from './notifier.ts'
import type { Peer } from './peer.ts'
import { createPeerBoard } from './peer-board.ts'
import { configText, readAlertsConfig } from './read-alerts-config.ts'
import { alertsFallbackRoutes, alertsRoutes } from './routes.ts'

/** Options of {@link createAlerts}. The meaning and the defaults of the settings stand at {@link AlertsSettings}. */
export interface AlertsOptions extends Partial<Omit<AlertsSettings, 'versionInfo'>> {
  /** Where alerts and silences are kept. */
  storage: Storage
  /** The text of `alertmanager.yml`. */
  config: string | AlertsConfigSource
  clock?: Clock
  ids?: Ids
  /** Default: silent. */
  logger?: Logger
  /** Where metrics are registered (default: a registry of its own). */
  metrics?: MetricsRegistry
  /**
   * Notifiers made in code, as by {@link createFunctionNotifier}: by the name of their receiver those that are told beside
   * its integrations, or a function that answers those that are told in place of them (default none).
   */
  notifiers?: NotifiersInCode
  /** Reads the files with secrets and certificates that a configuration names (default: none can be read). */
  readFile?: (path: string) => Promise<string>
  /** `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY`, for `proxy_from_environment` (default: none). */
  environment?: Readonly<Record<string, string | undefined>>
  /** What this machine is called, for the `Message-Id` of mails (default `localhost.localdomain`). */
  hostname?: string
  /** Credentials for SNS where the configuration has none (default: there are none). */
  awsCredentials?: NotifierPorts['awsCredentials']
  /** Sends the requests of notifications (default: an HTTP client that does all that `http_config` says). */
  send?: SendRequest
  /** Parts of what `/status` says about this build. */
  versionInfo?: Partial<VersionInfo>
}

const hour = 3_600_000

/**
 * What clients are told. `version` is the Alertmanager release this service is compatible with: Karma and
 * others read it as such and switch features on it.
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
 * The alert service over a storage: what every operation takes first. Starts nothing; see {@link startMaintenance},
 * {@link startHeartbeat}, {@link startDispatcher} and {@link startHistory}.
 *
 * @throws {GatehouseError} `InvalidConfig`, with every problem in `info.problems`.
 * @throws {TypeError} if an option does not fit.
 */
export function createAlerts(options: AlertsOptions): AlertsContext {
  const {
    storage,
    clock = systemClock,
    ids = systemIds,
    logger = silentLogger,
    metrics = createMetricsRegistry(),
  } = options
  const settings = settingsOf(options)
  const config = { current: readAlertsConfig(options.config, settings.matcherMode) }
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
    version: settings.versionInfo,
    clustered: peers !== undefined,
  })
  counters.configLoaded(configText(options.config), startedAt)
  const dispatch = createDispatchHooks(metrics)
  const receiversOf = createReceivers({
    clock,
    ports: portsOf(options, clock, settings.versionInfo.version),
    notifiers: options.notifiers ?? {},
  })
  receiversOf(config.current)
  const routes: AnsweringRoute[] = []
  const fallbackRoutes: AnsweringRoute[] = []
  const alerts: AlertsContext = Object.freeze({
    storage,
    clock,
    ids,
    logger,
    metrics,
    options: settings,
    config,
    board,
    peers,
    counters,
    dispatch,
    historyMetrics: registerHistoryMetrics(metrics),
    receiversOf,
    startedAt,
    routes,
    fallbackRoutes,
  })
  routes.push(...alertsRoutes(alerts))
  fallbackRoutes.push(...alertsFallbackRoutes(alerts))
  return alerts
}

function portsOf(options: AlertsOptions, clock: Clock, version: string): NotifierPorts {
  const {
    environment = {},
    readFile = (path) => Promise.reject(new Error(`${path} cannot be read: no readFile was given`)),
  } = options
  const userAgent = `Alertmanager/${version}`
  const { send = createHttpClient({ readFile, clock, userAgent, environment }).send } = options
  const { ids = systemIds, hostname, awsCredentials } = options
  return {
    send,
    readFile,
    clock,
    ids,
    ...(hostname === undefined ? {} : { hostname }),
    ...(awsCredentials === undefined ? {} : { awsCredentials }),
  }
}

function settingsOf(options: AlertsOptions): AlertsSettings {
  const { matcherMode = 'fallback', externalUrl = 'http://localhost:9093' } = options
  const external = externalUrlOf(externalUrl)
  return Object.freeze({
    matcherMode,
    labelNames: options.labelNames ?? (matcherMode === 'classic' ? 'classic' : 'utf8'),
    externalUrl: external.href,
    routePrefix: routePrefixOf(options.routePrefix ?? external.path),
    retentionMs: lengthOf('retentionMs', options.retentionMs, 120 * hour),
    historyRetentionMs: lengthOf('historyRetentionMs', options.historyRetentionMs, 14 * 24 * hour),
    gcIntervalMs: lengthOf('gcIntervalMs', options.gcIntervalMs, hour / 2, 1),
    maintenanceIntervalMs: lengthOf(
      'maintenanceIntervalMs',
      options.maintenanceIntervalMs,
      hour / 4,
      1,
    ),
    perAlertnameLimit: lengthOf('perAlertnameLimit', options.perAlertnameLimit, 0),
    maxSilences: lengthOf('maxSilences', options.maxSilences, 0),
    maxSilenceSizeBytes: lengthOf('maxSilenceSizeBytes', options.maxSilenceSizeBytes, 0),
    logSilences: options.logSilences ?? false,
    statusConfig: options.statusConfig ?? 'loaded',
    versionInfo: Object.freeze({ ...defaultVersionInfo, ...options.versionInfo }),
    maxBodyBytes: lengthOf('maxBodyBytes', options.maxBodyBytes, 64 * 1024 * 1024, 1),
    getConcurrency: lengthOf('getConcurrency', options.getConcurrency, 8, 1),
    timeoutMs: lengthOf('timeoutMs', options.timeoutMs, 0),
    corsMethods: options.corsMethods ?? ['GET', 'HEAD', 'POST'],
    cluster: options.cluster && peerOf(options.cluster),
    reload: options.reload,
  })
}

/** A copy: what is stored and shown has these two properties and no other. */
function peerOf({ name, address }: Peer): Peer {
  if (typeof name === 'string' && name !== '' && typeof address === 'string') {
    return Object.freeze({ name, address })
  }
  const given = JSON.stringify({ name, address })
  throw new TypeError(`cluster: expected a name that is not empty and an address, got ${given}`)
}

function lengthOf(name: string, given: number | undefined, otherwise: number, least = 0): number {
  const value = given ?? otherwise
  if (Number.isFinite(value) && value >= least) return value
  throw new RangeError(`${name}: expected a number of at least ${least}, got ${value}`)
}

function externalUrlOf(given: string): { href: string; path: string } {
  const url = parseUrl(given)
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    throw new TypeError(`externalUrl: expected an http or https URL, got "${given}"`)
  }
  const path = url.pathname.replace(/\/+$/, '')
  return { href: given.replace(/\/+$/, ''), path }
}

function routePrefixOf(given: string): string {
  const trimmed = given.replace(/^\/+/, '').replace(/\/+$/, '')
  return trimmed === '' ? '' : `/${trimmed}`
}
