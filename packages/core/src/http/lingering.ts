import type { Answer } from './answer.ts'

/** The part of Node's `IncomingMessage` of HTTP/1 that {@link lingering} uses. */
export interface UnreadRequest {
  readonly complete: boolean
  readonly httpVersion: string
  readonly headers: {
    readonly expect?: string | undefined
    readonly connection?: string | undefined
  }
  removeAllListeners(event: 'data'): unknown
  on(event: 'data', listener: () => void): unknown
  once(event: 'end' | 'close', listener: () => void): unknown
  resume(): unknown
}

/**
 * How long a client may pause, and how long it may send in all, while its body is not read.
 *
 * @see nginx, `lingering_timeout` and `lingering_time`
 */
const pauseMs = 5_000
const drainMs = 30_000

/**
 * Whether a connection closes after an answer whose request is still arriving. A client that waits for `100 Continue` sends no
 * body after a refusal.
 */
function closesEarly({ headers }: Answer, incoming: UnreadRequest): boolean {
  if (incoming.complete !== false || incoming.headers.expect !== undefined) return false
  const isLast = /close/i.test(`${headers.connection} ${incoming.headers.connection}`)
  return isLast || incoming.httpVersion === '1.0'
}

/** A route may give up a body, and an adapter may wait for its end before it closes the connection. */
const draining = new WeakMap<UnreadRequest, Promise<void>>()

/** Drops the rest of a body that is not read. Resolves at its end, or when its client is gone, pauses for 5 s, or sends for 30 s. */
export function drainBody(incoming: UnreadRequest): Promise<void> {
  const known = draining.get(incoming)
  if (known !== undefined) return known
  const drained = untilDrained(incoming)
  draining.set(incoming, drained)
  return drained
}

function untilDrained(incoming: UnreadRequest): Promise<void> {
  return new Promise((resolve) => {
    let pieces = 0
    const pause = setTimeout(() => {
      const before = pieces
      // After this process stood still, timers run before what has arrived meanwhile is read.
      setImmediate(() => {
        if (pieces === before) end()
      })
    }, pauseMs).unref()
    const all = setTimeout(end, drainMs).unref()
    function end(): void {
      clearTimeout(pause)
      clearTimeout(all)
      resolve()
    }
    incoming.once('end', end)
    incoming.once('close', end)
    // A stream that is no longer read may still pause the flow.
    incoming.removeAllListeners('data')
    incoming.on('data', () => {
      pieces++
      pause.refresh()
    })
    incoming.resume()
  })
}

/**
 * Delays the end of an answer until {@link drainBody} has read the rest of its request, if the connection closes after it. Node
 * destroys the connection at that end, and the system resets a connection that still receives data: a client that sends its whole
 * body before it reads would never see the refusal. The client gets the complete content before.
 *
 * @see RFC 9112, section 9.6
 */
export function lingering(answer: Answer, incoming: UnreadRequest): Answer {
  if (answer.body === null || !closesEarly(answer, incoming)) return answer
  const hasLength = !(answer.body instanceof ReadableStream)
  const reader = new Response(answer.body).body?.getReader()
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const piece = await reader?.read()
        if (piece?.value !== undefined) return controller.enqueue(piece.value)
        await drainBody(incoming)
        controller.close()
      },
      cancel: (reason) => reader?.cancel(reason),
    },
    { highWaterMark: 0 },
  )
  const length = hasLength ? { 'content-length': `${answer.byteLength}` } : {}
  return { ...answer, headers: { ...length, ...answer.headers }, body }
}
