import {
  type ConnectedClient,
  createClientReader,
  createRouteTable,
  lingering,
  type RequestInfo,
  type Route,
  type Subject,
  splitUrl,
  toResponse,
} from '@gatehouse/core/adapter'
import { type Context, Hono } from 'hono'
import { mountPathOf } from './mount-path.ts'
import { nodeClient, unfinishedRequest } from './peer.ts'
import { isSocketRequest, openSocket, type SocketUpgrade } from './web-socket.ts'

/** Options of {@link honoAdapter}. */
export interface HonoAdapterOptions {
  /**
   * Addresses and prefixes of the proxies in front, such as `['127.0.0.1', '10.0.0.0/8']`, whose `X-Forwarded-For` and
   * `X-Forwarded-Proto` are trusted (default: none).
   */
  trustedProxies?: readonly string[] | undefined
  /**
   * Returns the other end of the connection. The default knows `@hono/node-server`; elsewhere pass the result of the platform's
   * `getConnInfo`.
   */
  client?: (c: Context) => ConnectedClient | undefined
  /** Returns the sender that an earlier middleware found, such as `c.get('user')` (default: unknown). */
  subject?: (c: Context) => Subject | undefined
  /**
   * Opens WebSockets: the platform's `upgradeWebSocket` (default: none are opened, and such a request gets an ordinary answer).
   * With `@hono/node-server`, its `serve()` also needs the option `websocket`.
   */
  upgradeWebSocket?: SocketUpgrade | undefined
}

export {
  optionalSession,
  type RequireAccessTokenOptions,
  type RequireApiKeyOptions,
  type RequireSessionOptions,
  requireSession,
  signOut,
} from './session.ts'
export { type RequireTokenOptions, requireToken } from './token.ts'
export type { SocketUpgrade } from './web-socket.ts'

/**
 * Creates a Hono app that serves the given routes, for `app.route('/', …)`, `app.route('/sub', …)`, `app.mount`, or alone. A path
 * without a route is left to the surrounding app.
 *
 * Below `app.mount` the routes cannot know their mount path: `mountPath` is empty there.
 *
 * @throws {TypeError} if two routes have the same method and path.
 * @throws {TypeError} if one of `trustedProxies` is not an address or a prefix.
 */
export function honoAdapter(routes: readonly Route[], options: HonoAdapterOptions = {}): Hono {
  const { upgradeWebSocket } = options

  const readClient = createClientReader(options.trustedProxies)
  const table = createRouteTable(routes)
  return new Hono().all('*', async (c, next) => {
    const { path: fullPath, query } = splitUrl(c.req.url)
    const mountPath = mountPathOf(c.req.routePath, fullPath)
    const path = fullPath.slice(mountPath.length) || '/'
    const match = table.match(c.req.raw.method, path)
    if (match === undefined) return next()
    const { headers, url } = c.req.raw
    const secure = url.startsWith('https:')
    const clientInfo = readClient({ headers, client: clientOf(c, options), secure })
    const base: RequestInfo = { params: match.params, path, mountPath, query, ...clientInfo }
    const subject = options.subject?.(c)
    const info = subject === undefined ? base : { ...base, subject }
    const request = await unreadRequest(c)
    const connect = match.route.connect?.bind(match.route)
    if (connect === undefined || upgradeWebSocket === undefined || !isSocketRequest(c)) {
      const answer = await match.route.answer(request, info)
      const incoming = unfinishedRequest(c)
      return toResponse(incoming === undefined ? answer : lingering(answer, incoming))
    }
    const outcome = await connect(request, info)
    return typeof outcome === 'function'
      ? openSocket(c, upgradeWebSocket, outcome)
      : toResponse(outcome)
  })
}

/** The other end of the connection; `null` if the app's function does not know it. */
function clientOf(c: Context, { client }: HonoAdapterOptions): ConnectedClient | null | undefined {
  return client === undefined ? nodeClient(c) : (client(c) ?? null)
}

/** The request with its body, even if an earlier handler of the app has read it: Hono keeps the content. */
async function unreadRequest(c: Context): Promise<Request> {
  if (!c.req.raw.bodyUsed) return c.req.raw
  const { method, headers, signal } = c.req.raw
  return new Request(c.req.url, { method, headers, signal, body: await c.req.arrayBuffer() })
}
