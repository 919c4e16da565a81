import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ExpressRequest } from './request-target.ts'

/** How long a client may go on sending a body nobody reads, once it has its answer. */
const drainMs = 500

/** Methods that the standard `Request` does not take, though servers receive them. */
const foreignMethods: ReadonlySet<string> = new Set(['CONNECT', 'TRACE', 'TRACK'])

/** The standard `Request` of a request of Node, whoever has read its body before. */
export function createRequest(
  incoming: ExpressRequest,
  outgoing: ServerResponse,
  url: string,
): Request {
  const { method = 'GET' } = incoming
  const headers = headersOf(incoming)
  const isForeign = foreignMethods.has(method)
  const body = method === 'GET' || method === 'HEAD' || isForeign ? null : bodyOf(incoming, headers)
  const init = { method: isForeign ? 'GET' : method, headers, body, duplex: 'half' as const }
  const request = new Request(url, init)
  if (isForeign) Object.defineProperty(request, 'method', { value: method })
  let signal: AbortSignal | undefined
  // A signal costs more than the rest of the request, and few handlers ask for it.
  Object.defineProperty(request, 'signal', {
    get() {
      signal ??= closeSignal(outgoing)
      return signal
    },
  })
  return request
}

/** Aborted when the connection ends before the answer was sent. */
function closeSignal(outgoing: ServerResponse): AbortSignal {
  const controller = new AbortController()
  const abort = (): void => {
    if (!outgoing.writableFinished) controller.abort()
  }
  if (outgoing.destroyed) abort()
  else outgoing.once('close', abort)
  return controller.signal
}

/** The headers of a request, those that come several times too. */
export function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers()
  for (let index = 0; index < rawHeaders.length; index += 2) {
    headers.append(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '')
  }
  return headers
}

function bodyOf(
  incoming: ExpressRequest,
  headers: Headers,
): Uint8Array<ArrayBuffer> | ReadableStream | null {
  const kept = keptBody(incoming)
  if (kept !== undefined) {
    // What a parser kept is decoded, and not always as long as what was sent.
    headers.delete('content-encoding')
    headers.delete('transfer-encoding')
    headers.set('content-length', `${kept.byteLength}`)
    return kept.byteLength === 0 ? null : kept
  }
  if (!incoming.readableDidRead) return streamOf(incoming)
  return new ReadableStream({
    start(controller) {
      controller.error(new Error('the body was read by another middleware, which did not keep it'))
    },
  })
}

/** The bytes of a body that somebody has read before, as exactly as they can be told. */
function keptBody({
  rawBody,
  body,
  readableDidRead,
}: ExpressRequest): Uint8Array<ArrayBuffer> | undefined {
  for (const kept of [rawBody, readableDidRead ? body : undefined]) {
    if (kept instanceof Uint8Array) return new Uint8Array(kept)
    if (typeof kept === 'string') return new Uint8Array(Buffer.from(kept))
  }
  if (!readableDidRead || body === undefined) return undefined
  return new Uint8Array(Buffer.from(JSON.stringify(body) ?? ''))
}

/**
 * The body as a web stream. Unlike one of `Readable.toWeb`, cancelling it leaves the connection open, so that the
 * client can still be told why.
 */
function streamOf(incoming: IncomingMessage): ReadableStream<Uint8Array> {
  let isDone = false
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        incoming.pause()
        incoming.on('data', (chunk: Buffer) => {
          if (isDone) return
          controller.enqueue(new Uint8Array(chunk))
          incoming.pause()
        })
        const end = (error?: Error): void => {
          if (isDone) return
          isDone = true
          if (error === undefined) controller.close()
          else controller.error(error)
        }
        incoming.on('end', () => end())
        incoming.on('error', end)
        incoming.on('close', () => end(new Error('the client went away')))
      },
      pull() {
        incoming.resume()
      },
      cancel() {
        isDone = true
        incoming.resume()
        setTimeout(() => incoming.complete || incoming.destroy(), drainMs).unref()
      },
    },
    { highWaterMark: 0 },
  )
}
