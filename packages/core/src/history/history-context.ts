import type { Logger } from '../logger.ts'
import type { Storage } from '../storage/storage.ts'
import type { Clock } from '../time/clock.ts'
import type { HistoryMetrics } from './history-metrics.ts'

/** The parts of the service that the history needs. */
export interface HistoryContext {
  readonly storage: Storage
  readonly clock: Clock
  readonly logger: Logger
  readonly historyMetrics: HistoryMetrics
  readonly options: {
    readonly historyRetentionMs: number
    readonly historyMaxBytes: number
  }
}
