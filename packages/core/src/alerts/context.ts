import type { KeyTurns } from '../async/key-turns.ts'
import type { Access } from '../authorization/access.ts'
import type { ChangeHub } from '../changes/change-hub.ts'
import type { Ids } from '../crypto/ids.ts'
import type { HistoryMetrics } from '../history/history-metrics.ts'
import type { Exposure } from '../http/loopback.ts'
import type { DescribedService } from '../http/openapi.ts'
import type { Route } from '../http/route.ts'
import type { SendRequest } from '../http-client/send-request.ts'
import type { Logger } from '../logger.ts'
import type { MetricsRegistry } from '../metrics/metrics.ts'
import type { CommitTogether } from '../storage/commit-together.ts'
import type { StorageHealth } from '../storage/health.ts'
import type { Storage } from '../storage/storage.ts'
import type { Clock, Instant } from '../time/clock.ts'
import type { Tracer } from '../tracing/tracer.ts'
import type { LabelNames } from './alert/label-set.ts'
import type { AlertBoard } from './board/board.ts'
import type { ChangeTopic } from './changes/topic.ts'
import type { Peer } from './cluster/peer.ts'
import type { PeerBoard } from './cluster/peer-board.ts'
import type { AlertsConfig } from './config/config.ts'
import type { AlertsConfigInput } from './config/config-input.ts'
import type { MetricLabel } from './dispatch/dispatch-metrics.ts'
import type { DispatchHooks } from './dispatch/hooks.ts'
import type { MatcherMode } from './matcher/matcher-syntax.ts'
import type { AlertMetrics } from './metrics.ts'
import type { OtherServers } from './other-servers/other-servers.ts'
import type { ReceiverSet } from './receivers/receiver-set.ts'

/** The build that is running. Clients need all six members. @see Alertmanager API v2, `versionInfo` */
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
  /** How matchers are parsed (default `fallback`: UTF-8 syntax first, then classic syntax). */
  readonly matcherMode: MatcherMode
  /** Which label names are accepted (default `utf8`, `classic` in the classic matcher mode). */
  readonly labelNames: LabelNames
  /** The URL under which people reach the service, without a trailing slash (default `http://localhost:9093`). */
  readonly externalUrl: string
  /** Where the paths of alerts begin: empty, or starting with `/` and not ending with it (default the path of the external URL). */
  readonly basePath: string
  /** How long expired silences are kept, in ms (default 120 h). */
  readonly retentionMs: number
  /**
   * How long {@link startHistory} keeps history, in ms; 0 records none (default 14 days).
   *
   * @see docs/alerts-history.md#history
   */
  readonly historyRetentionMs: number
  /**
   * The most bytes that packed history may take; the oldest is removed first. The last minute, and fewer than 256 records of a
   * kind, are not packed and do not count. 0: no limit (default 128 MiB).
   */
  readonly historyMaxBytes: number
  /** How often resolved alerts are removed, in ms (default 30 min). */
  readonly gcIntervalMs: number
  /** How often expired silences are removed, in ms (default 15 min). */
  readonly maintenanceIntervalMs: number
  /** The most live alerts that may share an `alertname`; 0: no limit (default 0). */
  readonly perAlertnameLimit: number
  /** The most silences that may be stored, expired ones included; 0: no limit (default 0). */
  readonly maxSilences: number
  /** The largest silence, in bytes as Alertmanager stores it; 0: no limit. Above it 400 (default 256 KiB). */
  readonly maxSilenceSizeBytes: number
  /** The most matchers in a silence; 0: no limit. Above it 400 (default 100). */
  readonly maxMatchersPerSilence: number
  /** The most alerts in a request; 0: no limit. Above it 413 (default 20,000). */
  readonly maxAlertsPerRequest: number
  /** The longest alert, in characters of its JSON; 0: no limit. Above it 413 (default 262,144). */
  readonly maxAlertLength: number
  /**
   * The most labels and annotations, added together, of an alert; 0: no limit. An alert with more is refused with 400, and the
   * others of its request are stored (default 1,000).
   */
  readonly maxLabelsPerAlert: number
  /** The most `filter` parameters, and the most `receiver_matchers` parameters, in a request; 0: no limit. Above it 400 (default 100). */
  readonly maxFilters: number
  /**
   * Labels that metrics have in addition (default none): `receiver_name` and `group_key` those of notifications, `alertname` those
   * of dropped alerts. Each metric has at most 1,000 series.
   *
   * @see docs/alerts-notifications.md#metrics
   * @see Alertmanager, features `receiver-name-in-metrics`, `group-key-in-metrics` and `alert-names-in-metrics`
   */
  readonly metricLabels: readonly MetricLabel[]
  /** The label that names the severity of an alert (default `severity`). */
  readonly severityLabel: string
  /**
   * The values of {@link AlertsSettings.severityLabel}, the least severe first (default `info`, `warning`, `critical`). An
   * acknowledgement of an alert covers the same alert at a lower severity, but not at a higher one.
   *
   * @see docs/alerts-on-call.md#acknowledge
   */
  readonly severities: readonly string[]
  /**
   * The most open streams of changes; 0: none. Above it 503 (default 1,000).
   *
   * @see docs/alerts-history.md#changes-as-they-happen
   */
  readonly maxChangeListeners: number
  /** Whether to log every change of a silence (default false). */
  readonly logSilences: boolean
  /** The configuration that `/status` shows: as loaded, or its source (default `loaded`). Both hide secrets. */
  readonly statusConfig: 'loaded' | 'source'
  /** The build information in `/status`. */
  readonly versionInfo: VersionInfo
  /** The largest request body, in bytes. Above it 413 (default 16 MiB). */
  readonly maxBodyBytes: number
  /**
   * The most GET requests in flight, without probes and `/metrics`. Above it 503 (default 8; the command uses the number of
   * processors if that is more).
   */
  readonly getConcurrency: number
  /** How long a request may take before it gets a 503, in ms; 0: no limit (default 0). */
  readonly timeoutMs: number
  /** Methods that browsers may use from other origins (default `GET`, `HEAD`, `POST`). Karma needs `DELETE` as well. */
  readonly corsMethods: readonly string[]
  /**
   * Origins whose pages may use the API, such as `https://karma.example.com`; `*` allows all (default: pages of every origin may
   * read, as in Alertmanager, but a request that could change something gets a 403 if a page of another origin sent it).
   */
  readonly allowedOrigins: readonly string[] | undefined
  /**
   * The name and address of this process in the cluster of processes that share the storage; {@link startHeartbeat} joins it
   * (default: no cluster, which `/status` reports as disabled).
   *
   * @see docs/alerts.md#several-processes
   */
  readonly cluster: Peer | undefined
  /** Loads the configuration for `POST /-/reload` (default: a reload succeeds and changes nothing). */
  readonly reload: (() => Promise<AlertsConfigInput>) | undefined
  /**
   * Finds problems of the server for {@link getServerStatus}, one sentence each, without secrets (default: none).
   *
   * @see docs/alerts-history.md#the-state-of-a-server
   */
  readonly findProblems: (() => Promise<readonly string[]>) | undefined
}

/** The context that the operations of the alert service take, created by {@link createAlerts}. Nothing runs by itself. */
export interface AlertsContext {
  readonly storage: Storage
  /** Commits to the storage at the end of the turn, together with other requests. @internal */
  readonly commitTogether: CommitTogether
  /** Lets silences be created one after the other. @internal */
  readonly silenceTurns: KeyTurns
  /** Lets posts of alerts that met a conflict be stored one after the other. @internal */
  readonly postTurns: KeyTurns
  /** Asks the option `authorize`; `undefined` without one. @internal */
  readonly access: Access | undefined
  readonly clock: Clock
  readonly ids: Ids
  readonly logger: Logger
  readonly metrics: MetricsRegistry
  readonly tracer: Tracer | undefined
  readonly options: AlertsSettings
  /** The running configuration; {@link updateAlertsConfig} replaces it in one step. */
  readonly config: {
    current: AlertsConfig
    /** Why the last configuration that was loaded is not the running one. @internal */
    refusal: string | undefined
  }
  /** @internal */
  readonly board: AlertBoard
  /** The listeners to changes. @internal */
  readonly changes: ChangeHub<ChangeTopic>
  /** The health of the storage, for `/-/ready`. */
  readonly health: StorageHealth
  /** @internal */
  readonly peers: PeerBoard | undefined
  /** @internal */
  readonly counters: AlertMetrics
  /** @internal */
  readonly dispatch: DispatchHooks
  /** @internal */
  readonly historyMetrics: HistoryMetrics
  /** Creates the receivers of a configuration. @internal */
  readonly receiversOf: (config: AlertsConfig) => ReceiverSet
  /** Why no receiver may run a webhook; `undefined` if receivers may. @internal */
  readonly webhookProblem: (webhook: string) => string | undefined
  /** Sends the requests of notifications and of the event recorder. @internal */
  readonly send: SendRequest
  /** Reads the servers of the option `otherServers`. @internal */
  readonly others: OtherServers
  readonly startedAt: Instant
  /** Warns of the first request of another machine, if the service is open to all. @internal */
  readonly exposure: Exposure
  /** The HTTP API, for an adapter. */
  readonly routes: readonly Route[]
  /** For `openApiRoutes()`. @internal */
  readonly openApi: DescribedService['openApi']
  /** Routes that answer every path that no other route took, for a server that serves only this. Mount them last. */
  readonly fallbackRoutes: readonly Route[]
}
