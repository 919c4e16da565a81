import type { IncomingMessage, ServerResponse } from 'node:http'
import { drainBody, type RouteHeaders, type RouteRequest } from '@gatehouse/core/adapter'
import { RawHeaders } from './raw-headers.ts'

/** Methods without a body that the constructor of `Request` refuses. */
const foreignMethods: ReadonlySet<string> = new Set(['CONNECT', 'TRACE', 'TRACK'])

/** A body that a parser before the routes has read. */
export interface ReadBody {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Whether the bytes are not the original ones: see `RouteRequest.isBodyRebuilt`. */
  readonly isRebuilt: boolean
}

/** Options of {@link IncomingRequest}. */
export interface IncomingRequestOptions {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
  readonly url: () => string
  readonly readBody: ReadBody | undefined
}

/** A Node request in the form that routes read. Parts that are costly to create are created on first use. */
export class IncomingRequest implements RouteRequest {
  readonly method: string
  readonly headers: RouteHeaders
  readonly isBodyRebuilt: boolean
  readonly #incoming: IncomingMessage
  readonly #outgoing: ServerResponse
  readonly #url: () => string
  readonly #kept: Uint8Array<ArrayBuffer> | undefined
  #body: ReadableStream<Uint8Array> | undefined
  #signal: AbortSignal | undefined

  constructor({ incoming, outgoing, url, readBody }: IncomingRequestOptions) {
    this.method = incoming.method ?? 'GET'
    this.#incoming = incoming
    this.#outgoing = outgoing
    this.#url = url
    this.#kept = readBody?.bytes
    this.isBodyRebuilt = readBody?.isRebuilt ?? false
    const headers = new RawHeaders(incoming.rawHeaders)
    this.headers = this.#kept === undefined ? headers : headersFor(this.#kept, headers)
  }

  get url(): string {
    return this.#url()
  }

  get body(): ReadableStream<Uint8Array> | null {
    if (isBodiless(this.method) || this.#kept?.byteLength === 0) return null
    this.#body ??=
      this.#kept === undefined
        ? streamOf(this.#incoming)
        : (new Response(this.#kept).body ?? undefined)
    return this.#body ?? null
  }

  get signal(): AbortSignal {
    this.#signal ??= closeSignal(this.#outgoing)
    return this.#signal
  }

  arrayBuffer(): Promise<ArrayBuffer> {
    if (this.#body !== undefined) return new Response(this.#body).arrayBuffer()
    if (isBodiless(this.method)) return Promise.resolve(new ArrayBuffer(0))
    if (this.#kept !== undefined) return Promise.resolve(this.#kept.buffer)
    return readBody(this.#incoming)
  }
}

/** Whether a standard `Request` with this method has no body. */
const isBodiless = (method: string): boolean =>
  method === 'GET' || method === 'HEAD' || foreignMethods.has(method)

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

/** A parser decodes a body, so its encoding and length are no longer those in the headers. */
function headersFor(kept: Uint8Array, sent: RawHeaders): Headers {
  const headers = new Headers([...sent])
  headers.delete('content-encoding')
  headers.delete('transfer-encoding')
  headers.set('content-length', `${kept.byteLength}`)
  return headers
}

const readBefore = (): Error =>
  new Error('the body was read by another middleware, which did not keep it')

const wentAway = (): Error => new Error('the client disconnected')

/** The whole body. */
function readBody(incoming: IncomingMessage): Promise<ArrayBuffer> {
  if (incoming.readableDidRead) return Promise.reject(readBefore())
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = []
    incoming.on('data', (chunk: Uint8Array) => chunks.push(chunk))
    incoming.on('end', () => resolve(joined(chunks)))
    incoming.on('error', reject)
    incoming.on('close', () => incoming.readableEnded || reject(wentAway()))
  })
}

/** Node gives most bodies in one piece, with memory of its own. */
function joined(chunks: readonly Uint8Array[]): ArrayBuffer {
  const [first = new Uint8Array()] = chunks
  const whole = chunks.length > 1 ? Buffer.concat(chunks) : first
  const { buffer, byteLength } = whole
  const isAlone = buffer instanceof ArrayBuffer && buffer.byteLength === byteLength
  return isAlone ? buffer : new Uint8Array(whole).buffer
}

/**
 * The body as a web stream. Unlike with `Readable.toWeb`, canceling it leaves the connection open, so that the client still gets
 * its answer.
 */
function streamOf(incoming: IncomingMessage): ReadableStream<Uint8Array> {
  if (incoming.readableDidRead) {
    return new ReadableStream({ start: (controller) => controller.error(readBefore()) })
  }
  let isDone = false
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        incoming.pause()
        incoming.on('data', (chunk: Buffer) => {
          if (isDone) return
          // The same memory: Node never writes to it again, and copying a long body would double the garbage.
          controller.enqueue(new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength))
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
        incoming.on('close', () => end(wentAway()))
      },
      pull() {
        incoming.resume()
      },
      cancel() {
        isDone = true
        void drainBody(incoming).then(() => {
          if (!incoming.complete) incoming.destroy()
        })
      },
    },
    { highWaterMark: 0 },
  )
}
