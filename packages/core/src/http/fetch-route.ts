import type { Answer } from './answer.ts'
import type { RequestInfo, Route, RouteRequest } from './route.ts'

/** Methods that servers receive, but that the constructor of `Request` refuses. */
const foreignMethods: ReadonlySet<string> = new Set(['CONNECT', 'TRACE', 'TRACK'])

/**
 * Creates a route from a handler with the standard `Request` and `Response`.
 *
 * @param path see {@link Route}.
 * @example
 * const hello = fetchRoute('GET', '/hello/:name', (_, { params }) => new Response(`Hello ${params.name}`))
 * const app = honoAdapter([hello, ...alerts.routes])
 */
export function fetchRoute(
  method: string,
  path: string,
  respond: (request: Request, info: RequestInfo) => Response | Promise<Response>,
): Route {
  return {
    method,
    path,
    answer: async (request, info) => toAnswer(await respond(toRequest(request), info)),
  }
}

/** Converts a request into a standard `Request`, unless it is one. */
function toRequest(request: RouteRequest): Request {
  if (request instanceof Request) return request
  const { method, url, body } = request
  const isForeign = foreignMethods.has(method)
  const headers = [...request.headers]
  const init = { method: isForeign ? 'GET' : method, headers, body, duplex: 'half' as const }
  const made = new Request(url, init)
  if (isForeign) Object.defineProperty(made, 'method', { value: method })
  // Creating a signal costs more than the rest of the request, and few handlers read it.
  Object.defineProperty(made, 'signal', { get: () => request.signal })
  return made
}

function toAnswer({ status, headers: given, body }: Response): Answer {
  const headers: Record<string, string | readonly string[]> = Object.fromEntries(given)
  const cookies = given.getSetCookie()
  if (cookies.length > 0) headers['set-cookie'] = cookies
  return { status, headers, body, byteLength: 0 }
}
