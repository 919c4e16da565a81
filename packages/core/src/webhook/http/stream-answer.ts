import type { Answer } from '../../http/answer.ts'
import { accepts } from '../../http/media-type.ts'
import type { RouteRequest } from '../../http/route.ts'
import type { RunHandle } from '../runs/run-handle.ts'
import { type StreamRunOptions, streamRun } from './stream-run.ts'

/** Options of {@link streamAnswer}. */
export interface StreamAnswerOptions extends Omit<StreamRunOptions, 'format'> {
  /** The headers of the request. */
  readonly headers: RouteRequest['headers']
  /** More headers of the answer, which override. */
  readonly own?: Readonly<Record<string, string>>
}

const eventStream = 'text/event-stream'

/** Asks proxies not to buffer the answer. */
const unbuffered = { 'x-accel-buffering': 'no' }

/** Whether a client explicitly accepts Server-Sent Events. */
function wantsEvents(headers: RouteRequest['headers']): boolean {
  const accept = headers.get('accept')
  return accept?.toLowerCase().includes(eventStream) === true && accepts(accept, eventStream)
}

/** Streams the output of a run: as events to a client that accepts them, else as plain text. */
export function streamAnswer(run: RunHandle, options: StreamAnswerOptions): Answer {
  const { headers, own = {}, ...streaming } = options
  const format = wantsEvents(headers) ? 'events' : 'text'
  const type = format === 'events' ? eventStream : 'text/plain; charset=utf-8'
  return {
    status: 200,
    headers: { 'content-type': type, ...unbuffered, ...own },
    body: streamRun(run, { ...streaming, format }),
    byteLength: 0,
  }
}
