import type { Answer } from '../../http/answer.ts'
import { eventStreamType, streamedAnswer, wantsEvents } from '../../http/event-stream.ts'
import type { RouteRequest } from '../../http/route.ts'
import type { RunHandle } from '../board/run-handle.ts'
import { type StreamRunOptions, streamRun } from './stream-run.ts'

/** Options of {@link streamAnswer}. */
export interface StreamAnswerOptions extends Omit<StreamRunOptions, 'format'> {
  /** The headers of the request. */
  readonly headers: RouteRequest['headers']
  /** More headers of the answer, which override. */
  readonly own?: Readonly<Record<string, string>>
}

/** Streams the output of a run: as events to a client that accepts them, else as plain text. */
export function streamAnswer(run: RunHandle, options: StreamAnswerOptions): Answer {
  const { headers, own = {}, ...streaming } = options
  const format = wantsEvents(headers) ? 'events' : 'text'
  const type = format === 'events' ? eventStreamType : 'text/plain; charset=utf-8'
  const answer = streamedAnswer(type, streamRun(run, { ...streaming, format }))
  return { ...answer, headers: { ...answer.headers, ...own } }
}
