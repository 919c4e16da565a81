import type { KeyTurns } from '../async/key-turns.ts'
import type { Ids } from '../crypto/ids.ts'
import type { Route } from '../http/route.ts'
import type { Logger } from '../logger.ts'
import type { EventLoopDelay } from '../metrics/event-loop-delay.ts'
import type { MetricsRegistry } from '../metrics/metrics.ts'
import type { CommitTogether } from '../storage/commit-together.ts'
import type { DecisionQueue } from '../storage/decision-queue.ts'
import type { StorageHealth } from '../storage/health.ts'
import type { Storage } from '../storage/storage.ts'
import type { Clock, Instant } from '../time/clock.ts'
import type { BodyBudget } from './body/body-budget.ts'
import type { FoundPrograms } from './command/found-programs.ts'
import type { WebhooksConfigInput } from './config/config.ts'
import type { SpentRate } from './delivery/rate-limit.ts'
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
import type { OutputLog } from './runs/output-log.ts'
import type { Places } from './runs/places.ts'
import type { RunDurations } from './runs/retry-after.ts'
import type { RunBoard } from './runs/run-board.ts'
import type { LoadedWebhooksConfig } from './webhook.ts'

/** What one process knows and does beside what is stored. */
export interface WebhookWork {
  /** Its runs. */
  readonly board: RunBoard
  readonly commit: CommitTogether
  readonly journal: RunJournal
  readonly heartbeat: Heartbeat
  /** Knows the processes on this machine. */
  readonly machine: Machine
  /** Which processes are gone. */
  readonly servers: ServerWatch
  readonly places: Places
  readonly cancelRequests: CancelRequests
  readonly history: HistoryKeeper
  readonly runners: CommandRunners
  readonly programs: FoundPrograms
  /** With `log.run_output`. */
  readonly outputLog: OutputLog
  readonly rates: DecisionQueue<SpentRate>
  /** Deliveries of one key are let in one after the other. */
  readonly keyTurns: KeyTurns
  readonly durations: RunDurations
  readonly eventLoopDelay: EventLoopDelay
  /** Of those who wait for runs of other processes. */
  readonly patience: Patience
}

/**
 * What the operations of the webhook service need. Made by {@link createWebhooks}; nothing runs by itself.
 *
 * Of several processes over one storage each one sees the records of all runs, and keys of repeats, rate limits and the `concurrency` of
 * webhooks hold for all of them together. Lines, and the limits of the whole service, are those of one process.
 */
export interface WebhooksContext {
  readonly storage: Storage
  readonly clock: Clock
  readonly ids: Ids
  readonly logger: Logger
  /** Cryptographically strong random bytes. */
  readonly random: (size: number) => Uint8Array
  readonly metrics: MetricsRegistry
  /** What `/readyz` asks. */
  readonly health: StorageHealth
  /** The configuration that is running; {@link updateWebhooksConfig} replaces it in one step. */
  readonly config: { current: LoadedWebhooksConfig }
  /** Tells what happens to runs, requests and the configuration. */
  readonly events: WebhookEvents
  /** What commands may inherit of the variables of the server. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Absolute path of the working directory of the server. */
  readonly workdir: string
  /** What {@link reloadWebhooksConfig} loads. */
  readonly reload: (() => Promise<WebhooksConfigInput>) | undefined
  /** Reads a configuration as {@link createWebhooks} read the first one. @internal */
  readonly readConfig: (source: WebhooksConfigInput) => LoadedWebhooksConfig
  /** @internal */
  readonly counters: WebhookMetrics
  /** @internal */
  readonly work: WebhookWork
  /** @internal */
  readonly bodies: BodyBudget
  /** Whether {@link closeWebhooks} was called: nothing more is let in. */
  isStopping(): boolean
  readonly startedAt: Instant
  /** The HTTP interface, for an adapter. */
  readonly routes: readonly Route[]
  /** What answers every path that nothing else took, for a server that is nothing but this. Goes last. */
  readonly fallbackRoutes: readonly Route[]
}
