import { toResponse } from './answer.ts'
import { type ConnectedClient, createClientReader } from './client-reader.ts'
import type { Route } from './route.ts'
import { createRouteTable } from './route-table.ts'
import { splitUrl } from './split-url.ts'

/** Options of {@link fetchHandler}. `Platform` is what the platform passes to the handler after the request. */
export interface FetchHandlerOptions<Platform extends readonly unknown[] = []> {
  /** The path that the routes are mounted at, such as `/api` (default: the root). */
  basePath?: string
  /**
   * Addresses and prefixes of the proxies in front, such as `['127.0.0.1', '10.0.0.0/8']`, whose `X-Forwarded-For` and
   * `X-Forwarded-Proto` are trusted (default: none). Without `client`, every
   * connection counts as one of them.
   */
  trustedProxies?: readonly string[]
  /** Returns the other end of the connection, if the platform reports it (default: unknown). */
  client?: (request: Request, ...platform: Platform) => ConnectedClient | null | undefined
  /** Answers requests without a route (default: 404). */
  otherwise?: (request: Request, ...platform: Platform) => Response | Promise<Response>
}

/**
 * Creates a handler for every platform that uses `fetch`: Next.js, SvelteKit, Remix, Bun, Deno, workers. It rejects if a route
 * fails; the platform answers 500 then. It opens no WebSockets: an upgrade request gets an ordinary answer.
 *
 * @throws {TypeError} if two routes have the same method and path, or `basePath` is not a path like `/api`.
 * @throws {TypeError} if one of `trustedProxies` is not an address or a prefix.
 * @example
 * const handler = fetchHandler([...alerts.routes, ...auth.routes], { basePath: '/api' })
 * export { handler as GET, handler as POST, handler as DELETE } // app/api/[...path]/route.ts of Next.js
 */
export function fetchHandler<Platform extends readonly unknown[] = []>(
  routes: readonly Route[],
  options: FetchHandlerOptions<Platform> = {},
): (request: Request, ...platform: Platform) => Promise<Response> {
  const { basePath: mountPath = '', trustedProxies, client, otherwise = notFound } = options
  if (!/^(?:\/[^/?#]+)*$/.test(mountPath)) {
    throw new TypeError(`basePath: expected a path such as /api, got ${JSON.stringify(mountPath)}`)
  }
  const table = createRouteTable(routes)
  const readClient = createClientReader(trustedProxies)
  return async (request, ...platform) => {
    const { path: fullPath, query } = splitUrl(request.url)
    const isBelow = `${fullPath}/`.startsWith(`${mountPath}/`)
    const path = fullPath.slice(mountPath.length) || '/'
    const match = isBelow ? table.match(request.method, path) : undefined
    if (match === undefined) return otherwise(request, ...platform)
    const clientInfo = readClient({
      headers: request.headers,
      // `null`: the platform's function does not know it.
      client: client && (client(request, ...platform) ?? null),
      secure: request.url.startsWith('https:'),
    })
    const { route, params } = match
    return toResponse(
      await route.answer(request, { params, path, mountPath, query, ...clientInfo }),
    )
  }
}

const notFound = (): Response =>
  new Response('404 Not Found', {
    status: 404,
    headers: { 'content-type': 'text/plain; charset=utf-8' },
  })
