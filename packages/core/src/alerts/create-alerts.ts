import type { Clock } from '../clock.ts'
import { systemClock } from '../clock.ts'
import type { Route } from '../http/route.ts'
import { type Ids, systemIds } from '../ids.ts'
import { type Logger, silentLogger } from '../logger.ts'
import { createMetricsRegistry, type MetricsRegistry } from '../metrics.ts'
import type { Storage } from '../storage.ts'
import { createAlertBoard } from './board.ts'
import type { AlertsConfigSource, AlertsContext, AlertsSettings, VersionInfo } from './context.ts'
import { registerAlertMetrics } from './metrics.ts'
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
 * The alert service over a storage: what every operation takes first. Starts nothing; see {@link startMaintenance}
 * and {@link startHeartbeat}.
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
  const routes: Route[] = []
  const fallbackRoutes: Route[] = []
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
    startedAt,
    routes,
    fallbackRoutes,
  })
  routes.push(...alertsRoutes(alerts))
  fallbackRoutes.push(...alertsFallbackRoutes(alerts))
  return alerts
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
  const url = URL.canParse(given) ? new URL(given) : undefined
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
