import type { Answer } from '../../../http/answer.ts'
import type { Exchange, Row } from '../../../http/frame.ts'
import type { ErrorOptions } from './error-response.ts'
import type { RowKind, ServerAnswer } from './server-answer.ts'

/** A request, and when it arrived. */
export interface TimedExchange extends Exchange {
  readonly startedAt: number
}

/** A row before its answer gets the headers and checks that all share. */
export interface FramedRow extends Row<TimedExchange, Answer | ServerAnswer>, ErrorOptions {
  /** The label `handler` of the HTTP metrics, from a small, fixed set. */
  readonly handler: string
  readonly kind: RowKind
  /** Whether the operation checks the action, because that takes the resource (default false: the frame does). */
  readonly checksResource?: boolean
  /** Whether its GET requests do not count towards `getConcurrency` (default false): those that watch the process. */
  readonly isUnlimited?: boolean
}
