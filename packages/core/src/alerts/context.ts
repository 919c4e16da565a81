import type { Ids } from '../crypto/ids.ts'
import type { Route } from '../http/route.ts'
import type { Logger } from '../logger.ts'
import type { MetricsRegistry } from '../metrics/metrics.ts'
import type { StorageHealth } from '../storage/health.ts'
import type { Storage } from '../storage/storage.ts'
import type { Clock, Instant } from '../time/clock.ts'
import type { LabelNames } from './alert/label-set.ts'
import type { AlertBoard } from './board/board.ts'
import type { Peer } from './cluster/peer.ts'
import type { PeerBoard } from './cluster/peer-board.ts'
import type { AlertsConfig } from './config/config.ts'
import type { AlertsConfigInput } from './config/config-input.ts'
import type { DispatchHooks } from './dispatch/hooks.ts'
import type { HistoryMetrics } from './history/history-metrics.ts'
import type { MatcherMode } from './matcher/matcher-syntax.ts'
import type { AlertMetrics } from './metrics.ts'
import type { ReceiverSet } from './receivers/receiver-set.ts'

/** Who made this build. All six are needed by clients. @see Alertmanager API v2, `versionInfo` */
export interface VersionInfo {
  version: string
  revision: string
  branch: string
  buildUser: string
  buildDate: string
  goVersion: string
}

/** Settings of the alert service with every default filled in. */
export interface AlertsSettings {
  /** How matchers are read (default `fallback`: UTF-8 syntax, then classic syntax). */
  readonly matcherMode: MatcherMode
  /** Which label names are accepted (default `utf8`, `classic` in the classic matcher mode). */
  readonly labelNames: LabelNames
  /** Where people reach the service, without a trailing slash. */
  readonly externalUrl: string
  /** What every path starts with: empty, or starts with `/` and does not end with it (default the path of the external URL). */
  readonly routePrefix: string
  /** How long expired silences are kept, in ms (default 120 h). */
  readonly retentionMs: number
  /** How long {@link startHistory} keeps what happened, in ms; 0: not at all (default 14 days). */
  readonly historyRetentionMs: number
  /**
   * How many bytes packed history may take; the oldest goes first. What happened within the last minute, and less than 256
   * records of each kind, are not packed and do not count. 0: any number (default 128 MiB).
   */
  readonly historyMaxBytes: number
  /** How often resolved alerts are removed, in ms (default 30 min). */
  readonly gcIntervalMs: number
  /** How often expired silences are removed, in ms (default 15 min). */
  readonly maintenanceIntervalMs: number
  /** How many live alerts may share an `alertname`; 0: any number. */
  readonly perAlertnameLimit: number
  /** How many silences may be stored, expired ones too; 0: any number. */
  readonly maxSilences: number
  /** How large a silence may be, in bytes as Alertmanager stores it; 0: any size (default 256 KiB). */
  readonly maxSilenceSizeBytes: number
  /** How many matchers a silence may have; 0: any number (default 100). */
  readonly maxMatchersPerSilence: number
  /** How many alerts one request may post; 0: any number (default 20,000). */
  readonly maxAlertsPerRequest: number
  /** How long an alert may be, in characters of its JSON; 0: any length (default 262,144). */
  readonly maxAlertLength: number
  /** How many labels and annotations an alert may have together; 0: any number (default 1,000). */
  readonly maxLabelsPerAlert: number
  /** How many times `filter`, and how many times `receiver_matchers`, may stand in a request; 0: any number (default 100). */
  readonly maxFilters: number
  /** Whether every change of a silence is logged (default false). */
  readonly logSilences: boolean
  /** What `/status` shows as the configuration: as loaded, or its source (default `loaded`). Secrets are hidden in both. */
  readonly statusConfig: 'loaded' | 'source'
  readonly versionInfo: VersionInfo
  /** How many bytes a request body may have (default 16 MiB). */
  readonly maxBodyBytes: number
  /** How many GET requests may be in flight (default 8; the command takes the number of processors where that is more). */
  readonly getConcurrency: number
  /** After how many ms a request is answered 503; 0: never. */
  readonly timeoutMs: number
  /** Methods that browsers may use from other origins (default GET, HEAD, POST). */
  readonly corsMethods: readonly string[]
  /**
   * Origins whose pages may use the API, as `https://karma.example.com`; `*` is all. By default pages of every origin may read,
   * as in Alertmanager, and change nothing: a request that could is refused with 403 if a page of another origin sends it.
   */
  readonly corsOrigins: readonly string[] | undefined
  /**
   * What this process is called among those that share the storage, which {@link startHeartbeat} makes it one of
   * (default: it is none of them, and reports a disabled cluster).
   */
  readonly cluster: Peer | undefined
  /** What `POST /-/reload` loads; without it a reload changes nothing and succeeds. */
  readonly reload: (() => Promise<AlertsConfigInput>) | undefined
}

/** What the operations of the alert service need. Made by {@link createAlerts}; nothing runs by itself. */
export interface AlertsContext {
  readonly storage: Storage
  readonly clock: Clock
  readonly ids: Ids
  readonly logger: Logger
  readonly metrics: MetricsRegistry
  readonly options: AlertsSettings
  /** The configuration that is running; {@link updateAlertsConfig} replaces it in one step. */
  readonly config: { current: AlertsConfig }
  /** @internal */
  readonly board: AlertBoard
  /** What `/-/ready` asks. */
  readonly health: StorageHealth
  /** @internal */
  readonly peers: PeerBoard | undefined
  /** @internal */
  readonly counters: AlertMetrics
  /** @internal */
  readonly dispatch: DispatchHooks
  /** @internal */
  readonly historyMetrics: HistoryMetrics
  /** What a configuration notifies by. @internal */
  readonly receiversOf: (config: AlertsConfig) => ReceiverSet
  readonly startedAt: Instant
  /** The HTTP interface, for an adapter. */
  readonly routes: readonly Route[]
  /** What answers every path that nothing else took, for a server that is nothing but this. Goes last. */
  readonly fallbackRoutes: readonly Route[]
}
