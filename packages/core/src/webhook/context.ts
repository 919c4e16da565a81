import type { KeyTurns } from '../async/key-turns.ts'
import type { Access } from '../authorization/access.ts'
import type { ChangeHub } from '../changes/change-hub.ts'
import type { Ids } from '../crypto/ids.ts'
import type { Exposure } from '../http/loopback.ts'
import type { DescribedService } from '../http/openapi.ts'
import type { Route } from '../http/route.ts'
import type { Logger } from '../logger.ts'
import type { EventLoopDelay } from '../metrics/event-loop-delay.ts'
import type { MetricsRegistry } from '../metrics/metrics.ts'
import type { CommitTogether } from '../storage/commit-together.ts'
import type { StorageHealth } from '../storage/health.ts'
import type { Storage } from '../storage/storage.ts'
import type { Clock, Instant } from '../time/clock.ts'
import type { Tracer } from '../tracing/tracer.ts'
import type { SenderSites } from './access/sender-sites.ts'
import type { OutputLog } from './board/output-log.ts'
import type { Places } from './board/places/places.ts'
import type { Refusals } from './board/refusals.ts'
import type { RunDurations } from './board/retry-after.ts'
import type { RunBoard } from './board/run-board.ts'
import type { BodyBudget } from './body/body-budget.ts'
import type { FoundPrograms } from './command/found-programs.ts'
import type { WebhooksConfigInput } from './config/config.ts'
import type { WebhookEvents } from './events.ts'
import type { WebhookMetrics } from './metrics.ts'
import type { CancelRequests } from './records/cancel-requests.ts'
import type { Heartbeat } from './records/heartbeat.ts'
import type { HistoryKeeper } from './records/history-keeper.ts'
import type { Patience } from './records/patience.ts'
import type { RunJournal } from './records/run-journal.ts'
import type { ServerWatch } from './records/server-watch.ts'
import type { CommandRunners } from './runner/command-runners.ts'
import type { Machine } from './runner/process/machine.ts'
import type { LoadedWebhooksConfig } from './webhook.ts'

/** The state and the workers of one process, besides what is stored. */
export interface WebhookWork {
  /** The runs of this process. */
  readonly board: RunBoard
  readonly commit: CommitTogether
  readonly journal: RunJournal
  readonly heartbeat: Heartbeat
  /** Information about processes on this machine. */
  readonly machine: Machine
  /** Detects processes that are gone. */
  readonly servers: ServerWatch
  readonly places: Places
  readonly cancelRequests: CancelRequests
  readonly history: HistoryKeeper
  readonly runners: CommandRunners
  readonly programs: FoundPrograms
  /** Logs output, with `log.run_output`. */
  readonly outputLog: OutputLog
  /** Asks for certificates of senders, and confirms deliveries. */
  readonly sites: SenderSites
  /** Serializes deliveries with the same key. */
  readonly keyTurns: KeyTurns
  readonly durations: RunDurations
  /** The last deliveries that this process refused. */
  readonly refusals: Refusals
  readonly eventLoopDelay: EventLoopDelay
  /** For callers that wait for runs of other processes. */
  readonly patience: Patience
}

/**
 * The context that every operation of the webhook service takes. {@link createWebhooks} makes it; nothing runs until {@link
 * startWebhooks}.
 *
 * Processes that share a storage see the records of all runs, and share deduplication keys, rate limits and the `concurrency` of
 * webhooks. Queues, and the limits of the whole service, belong to one process.
 */
export interface WebhooksContext {
  readonly storage: Storage
  /** Asks the option `authorize`; `undefined` without one. @internal */
  readonly access: Access | undefined
  readonly clock: Clock
  readonly ids: Ids
  readonly logger: Logger
  /** Cryptographically strong random bytes. */
  readonly random: (size: number) => Uint8Array
  /** Warns of the first request of another machine without TLS. @internal */
  readonly exposure: Exposure
  readonly metrics: MetricsRegistry
  readonly tracer: Tracer | undefined
  /** The storage check of `/readyz`. */
  readonly health: StorageHealth
  /** The running configuration; {@link updateWebhooksConfig} replaces it in one step. */
  readonly config: { current: LoadedWebhooksConfig }
  /** Reports events of runs, requests and the configuration. */
  readonly events: WebhookEvents
  /** The variables of the server, which commands may inherit. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Absolute path of the working directory of the server. */
  readonly workdir: string
  /** Loads the configuration for {@link reloadWebhooksConfig}. */
  readonly reload: (() => Promise<WebhooksConfigInput>) | undefined
  /** Reads a configuration with the options of {@link createWebhooks}. @internal */
  readonly readConfig: (source: WebhooksConfigInput) => LoadedWebhooksConfig
  /** @internal */
  readonly counters: WebhookMetrics
  /** @internal */
  readonly work: WebhookWork
  /** @internal */
  readonly bodies: BodyBudget
  /** The listeners to changes of runs. @internal */
  readonly changes: ChangeHub<'runs'>
  /** Whether {@link closeWebhooks} was called. New runs are refused then. */
  isStopping(): boolean
  readonly startedAt: Instant
  /** The HTTP interface, for an adapter. */
  readonly routes: readonly Route[]
  /** For `openApiRoutes()`. @internal */
  readonly openApi: DescribedService['openApi']
  /** Answers every path that no other route answers. For a server that serves only webhooks; put it last. */
  readonly fallbackRoutes: readonly Route[]
}
