import { createHash } from 'node:crypto'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { AuthContext, Session } from '@gatehouse/core'
import { resolveSession } from '@gatehouse/core'
import { type Answer, type RequestInfo, type RouteRequest, readBody } from '@gatehouse/core/adapter'
import type { FramedAnswer, SetCookie } from '@gatehouse/core/auth'
import type Provider from 'oidc-provider'

/** Longer bodies are refused; those of the library's own limit are shorter. */
export const maxBodyBytes = 65_536

/** A request that the library answers, with its session and cookies here. */
export interface Exchange {
  readonly request: RouteRequest
  readonly info: RequestInfo
  /** The Gatehouse session of the browser, read at most once. */
  session(): Promise<Session | undefined>
  /** The code of a device in the link that was opened. */
  readonly userCode?: string | undefined
  /** The id under which the log has a fault of this request. */
  readonly faultId: string
  /** Cookies of the service that the answer sets. */
  readonly cookies: SetCookie[]
}

const exchanges = new WeakMap<IncomingMessage, Exchange>()

/** The exchange of a request that {@link dispatch} has passed to the library. */
export function exchangeOf(request: IncomingMessage): Exchange {
  const exchange = exchanges.get(request)
  if (exchange === undefined) throw new TypeError('the request did not come through dispatch()')
  return exchange
}

/** Makes the exchange of a request. The session is read when a flow or a page first needs it. */
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
    faultId: auth.ids.random(),
    cookies: [],
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
  message.method = request.method === 'HEAD' ? 'GET' : request.method
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
class CollectedResponse extends ServerResponse {
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
      value === undefined || name === 'content-length'
        ? []
        : [[name, Array.isArray(value) ? value : String(value)] as const],
    )
    const body = bytes.length === 0 ? null : bytes
    const length = body === null && this.statusCode !== 204 ? { 'content-length': '0' } : {}
    return {
      status: this.statusCode,
      headers: { ...length, ...Object.fromEntries(headers) },
      body,
      byteLength: bytes.length,
    }
  }
}

/** The library, ready to answer. */
export interface LoadedProvider {
  readonly provider: Provider
  readonly handle: ReturnType<Provider['callback']>
}

/** The request as the library sees it. */
export interface Inner {
  /** The path without the mount path. */
  readonly path: string
  readonly query?: string
  /** In place of the body of the request. */
  readonly body?: Uint8Array
}

/** Lets the library answer a request. */
export async function dispatch(
  { provider, handle }: LoadedProvider,
  exchange: Exchange,
  { path, query = exchange.info.query, ...given }: Inner,
): Promise<FramedAnswer> {
  const { request } = exchange
  const url = query === '' ? path : `${path}?${query}`
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  const body = given.body ?? (isRead ? undefined : await readBody(request, maxBodyBytes))
  const pair = nodePair(exchange, { issuer: provider.issuer, url, body })
  // It answers its own faults, and rejects for none.
  await handle(pair.request, pair.response)
  return { ...withPolicy(await pair.response.answer()), cookies: exchange.cookies }
}

/** The library's own pages send a form by themselves: their script is allowed, and nothing else. */
function withPolicy(answer: Answer): Answer {
  const { body, headers } = answer
  const isOwnPage = String(headers['content-type']).startsWith('text/html')
  if (!isOwnPage || headers['content-security-policy'] !== undefined) return answer
  const html = body instanceof Uint8Array ? Buffer.from(body).toString() : ''
  const [, script] = /<script>([^<]*)<\/script>/.exec(html) ?? []
  const hash = createHash('sha256')
    .update(script ?? '')
    .digest('base64')
  const policy = `default-src 'none'; script-src 'sha256-${hash}'; base-uri 'none'; frame-ancestors 'none'`
  return {
    ...answer,
    headers: {
      ...headers,
      'content-security-policy': policy,
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    },
  }
}
