import type { Answer } from './answer.ts'
import { accepts } from './media-type.ts'
import type { RouteRequest } from './route.ts'

/** The media type of Server-Sent Events. @see https://html.spec.whatwg.org/multipage/server-sent-events.html */
export const eventStreamType = 'text/event-stream'

const encoder = new TextEncoder()

/** A comment, which clients ignore. It shows that the connection lives, and it makes servers send the headers. */
export const commentBytes = (text: string): Uint8Array => encoder.encode(`: ${text}\n\n`)

/** An event with JSON of one line, with a name if it is not a `message`. */
export const eventBytes = (name: string | undefined, json: string): Uint8Array =>
  encoder.encode(`${name === undefined ? '' : `event: ${name}\n`}data: ${json}\n\n`)

/** Tells the client its position without an event; it sends the last one as `Last-Event-ID` when it connects again. */
export const eventIdBytes = (id: string): Uint8Array => encoder.encode(`id: ${id}\n\n`)

/** Whether a client explicitly accepts Server-Sent Events. */
export function wantsEvents(headers: RouteRequest['headers']): boolean {
  const accept = headers.get('accept')
  return (
    accept?.toLowerCase().includes(eventStreamType) === true && accepts(accept, eventStreamType)
  )
}

/** The answer with a stream; proxies are asked not to buffer it. */
export function streamedAnswer(type: string, body: ReadableStream<Uint8Array>): Answer {
  const headers = { 'content-type': type, 'x-accel-buffering': 'no' }
  return { status: 200, headers, body, byteLength: 0 }
}
