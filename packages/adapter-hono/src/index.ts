import {
  type ConnectedClient,
  createClientReader,
  createRouteTable,
  lingering,
  type RequestInfo,
  type Route,
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
   * How many proxies stand between clients and the app (default 0). So many entries at the end of
   * `X-Forwarded-For` and `X-Forwarded-Proto` are believed, and no more.
   */
  trustProxy?: number
  /**
   * Who is connected. The default knows `@hono/node-server`; elsewhere pass what the platform's
   * `getConnInfo` answers.
   */
  client?: (c: Context) => ConnectedClient | undefined
  /**
   * What opens WebSockets: the platform's `upgradeWebSocket` (default: none are opened, and who asks for one gets an ordinary
   * answer). With `@hono/node-server` its `serve()` needs the option `websocket`, too.
   */
  upgradeWebSocket?: SocketUpgrade
}

export type { SocketUpgrade } from './web-socket.ts'

/**
 * A Hono app that serves the given routes, for `app.route('/', …)`, `app.route('/sub', …)`, `app.mount`, or
 * alone. A path that no route takes is left to the app it stands in.
 *
 * Below `app.mount` the routes cannot know where they stand: `mountPath` is empty there.
 *
 * @throws {TypeError} if two routes have the same method and path.
 * @throws {RangeError} if `trustProxy` is no whole number from 0 on.
 */
export function honoAdapter(routes: readonly Route[], options: HonoAdapterOptions = {}): Hono {
  const { client = nodeClient, upgradeWebSocket } = options
  const readClient = createClientReader(options.trustProxy)
  const table = createRouteTable(routes)
  return new Hono().all('*', async (c, next) => {
    const { path: fullPath, query } = splitUrl(c.req.url)
    const mountPath = mountPathOf(c.req.routePath, fullPath)
    const path = fullPath.slice(mountPath.length) || '/'
    const match = table.match(c.req.raw.method, path)
    if (match === undefined) return next()
    const { headers, url } = c.req.raw
    const secure = url.startsWith('https:')
    const clientInfo = readClient({ headers, client: client(c), secure })
    const info: RequestInfo = { params: match.params, path, mountPath, query, ...clientInfo }
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

/** The request with its body, also where an earlier handler of the app has read it: Hono kept what was read. */
async function unreadRequest(c: Context): Promise<Request> {
  if (!c.req.raw.bodyUsed) return c.req.raw
  const { method, headers, signal } = c.req.raw
  return new Request(c.req.url, { method, headers, signal, body: await c.req.arrayBuffer() })
}
