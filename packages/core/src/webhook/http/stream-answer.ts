import type { Answer } from '../../http/answer.ts'
import { accepts } from '../../http/media-type.ts'
import type { RouteRequest } from '../../http/route.ts'
import type { RunHandle } from '../runs/run-handle.ts'
import { type StreamRunOptions, streamRun } from './stream-run.ts'

/** Options of {@link streamAnswer}. */
export interface StreamAnswerOptions extends Omit<StreamRunOptions, 'format'> {
  /** Of the request. */
  readonly headers: RouteRequest['headers']
  /** Headers of the answer, which win. */
  readonly own?: Readonly<Record<string, string>>
}

const eventStream = 'text/event-stream'

/** Proxies that would collect an answer before they pass it on are asked not to. */
const unbuffered = { 'x-accel-buffering': 'no' }

/** Whether a client asks for Server-Sent Events by their name. */
function wantsEvents(headers: RouteRequest['headers']): boolean {
  const accept = headers.get('accept')
  return accept?.toLowerCase().includes(eventStream) === true && accepts(accept, eventStream)
}

/** The output of a run as it comes: as events for a client that asks for them, else as plain text. */
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
