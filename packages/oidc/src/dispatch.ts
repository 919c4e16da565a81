import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { AuthContext, Session } from '@gatehouse/core'
import { resolveSession } from '@gatehouse/core'
import { type Answer, type RequestInfo, type RouteRequest, readBody } from '@gatehouse/core/adapter'
import type Provider from 'oidc-provider'

/** Longer bodies are refused; those of the library's own limit are shorter. */
export const maxBodyBytes = 65_536

/** A request that the library answers, with what is known of it here. */
export interface Exchange {
  readonly request: RouteRequest
  readonly info: RequestInfo
  /** The Gatehouse session of the browser, read at most once. */
  session(): Promise<Session | undefined>
}

const exchanges = new WeakMap<IncomingMessage, Exchange>()

/** The exchange of a request that {@link dispatch} has passed to the library. */
export function exchangeOf(request: IncomingMessage): Exchange {
  const exchange = exchanges.get(request)
  if (exchange === undefined) throw new TypeError('the request did not come through dispatch()')
  return exchange
}

/** A request with what flows and pages need to know of it. */
export function createExchange(
  auth: AuthContext,
  request: RouteRequest,
  info: RequestInfo,
): Exchange {
  let session: Promise<Session | undefined> | undefined
  // Only the cookie counts: a bearer token of a program signs nobody in at a browser.
  const headers = { get: (name: string) => (name === 'cookie' ? request.headers.get(name) : null) }
  return {
    request,
    info,
    session() {
      session ??= resolveSession(auth, { headers })
      return session
    },
  }
}

/** A request to the library, and where it answers. */
export interface NodePair {
  readonly request: IncomingMessage
  readonly response: CollectedResponse
}

/** Headers that say where a request came from. They are set from what the adapter knows. */
const forwarding = /^(?:host|forwarded|x-forwarded-.*|connection|transfer-encoding|content-length)$/

/** Makes the objects of Node.js for a request, which the library reads and answers. */
export function nodePair(
  exchange: Exchange,
  { issuer, url, body }: { issuer: string; url: string; body?: Uint8Array | undefined },
): NodePair {
  const { request, info } = exchange
  const { host, protocol } = new URL(issuer)
  const socket = new Socket()
  const message = new IncomingMessage(socket)
  message.method = request.method
  message.url = url
  const kept = [...request.headers].filter(([name]) => !forwarding.test(name))
  message.headers = {
    ...Object.fromEntries(kept),
    host,
    'x-forwarded-host': host,
    'x-forwarded-proto': protocol.slice(0, -1),
    'x-forwarded-for': info.peer?.address ?? '0.0.0.0',
    ...(body === undefined ? {} : { 'content-length': String(body.length) }),
  }
  if (body !== undefined) message.push(Buffer.from(body))
  message.push(null)
  message.complete = true
  exchanges.set(message, exchange)
  return { request: message, response: new CollectedResponse(message) }
}

/** Collects an answer in memory instead of sending it. */
export class CollectedResponse extends ServerResponse {
  readonly #chunks: Buffer[] = []
  readonly #ended: Promise<void>
  #end: () => void = () => undefined

  constructor(request: IncomingMessage) {
    super(request)
    this.#ended = new Promise((resolve) => {
      this.#end = resolve
    })
  }

  override write(chunk: unknown): boolean {
    this.#add(chunk)
    return true
  }

  override end(chunk?: unknown): this {
    if (this.finished) return this
    if (typeof chunk !== 'function') this.#add(chunk)
    this.finished = true
    this.#end()
    this.emit('finish')
    return this
  }

  #add(chunk: unknown): void {
    if (typeof chunk === 'string') this.#chunks.push(Buffer.from(chunk))
    else if (chunk instanceof Uint8Array) this.#chunks.push(Buffer.from(chunk))
  }

  /** The answer, once it has ended. */
  async answer(): Promise<Answer> {
    await this.#ended
    const bytes = new Uint8Array(Buffer.concat(this.#chunks))
    const headers = Object.entries(this.getHeaders()).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value : String(value)] as const],
    )
    const body = bytes.length === 0 ? null : bytes
    return {
      status: this.statusCode,
      headers: Object.fromEntries(headers),
      body,
      byteLength: bytes.length,
    }
  }
}

/** Lets the library answer a request. `path` is the one that the library knows it by. */
export async function dispatch(
  provider: Provider,
  exchange: Exchange,
  path: string = exchange.info.path,
): Promise<Answer> {
  const { request, info } = exchange
  const url = info.query === '' ? path : `${path}?${info.query}`
  const body = request.method === 'GET' ? undefined : await readBody(request, maxBodyBytes)
  const pair = nodePair(exchange, { issuer: provider.issuer, url, body })
  // It answers its own faults, and rejects for none.
  await provider.callback()(pair.request, pair.response)
  return pair.response.answer()
}
