import type { Logger } from '../../logger.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Clock } from '../../time/clock.ts'
import type { Tracer } from '../../tracing/tracer.ts'
import type { SeverityOrder } from '../alert/acknowledgement.ts'
import type { AlertBoard } from '../board/board.ts'
import type { AlertsConfig } from '../config/config.ts'

/** The parts of the service that a flush needs. */
export interface FlushContext {
  readonly storage: Storage
  readonly clock: Clock
  readonly logger: Logger
  readonly tracer: Tracer | undefined
  readonly board: AlertBoard
  readonly config: { readonly current: AlertsConfig }
  readonly options: SeverityOrder & {
    readonly externalUrl: string
    readonly retentionMs: number
  }
}
