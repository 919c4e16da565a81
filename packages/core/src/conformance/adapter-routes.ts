import type { Answer } from '../http/answer.ts'
import { fetchRoute } from '../http/fetch-route.ts'
import type { RequestInfo, Route, RouteRequest } from '../http/route.ts'

/** A row of these tests, from which a `Route` is made in more than one way. */
export interface TestRow {
  readonly method: string
  readonly path: string
  readonly handle: (request: Request, info: RequestInfo) => Promise<Response>
}

/** The bodies of the responses that {@link answerOf} made. */
const bodies = new WeakMap<Response, string | Uint8Array<ArrayBuffer>>()

/** A `Response` of one text, or of bytes. */
export async function answerOf(
  body: string | Uint8Array<ArrayBuffer>,
  init?: ResponseInit,
): Promise<Response> {
  const response = new Response(body, init)
  bodies.set(response, body)
  return response
}

/** A row that returns what it received as JSON. */
export const echo = (method: string, path: string): TestRow => ({
  method,
  path,
  handle: async (request, info) => {
    const { params, mountPath, query, secure, peer } = info
    const known = { params, path: info.path, mountPath, query, secure, address: peer?.address }
    const url = new URL(request.url)
    return Response.json({ row: `${method} ${path}`, url: url.pathname + url.search, ...known })
  },
})

/** A `Request` of the parts that these tests read. */
function requestLike(request: RouteRequest): Request {
  const { method, headers, url } = request
  const made = {
    method,
    headers,
    url,
    get body() {
      return request.body
    },
    get signal() {
      return request.signal
    },
    arrayBuffer: () => request.arrayBuffer(),
    text: async () => new TextDecoder().decode(await request.arrayBuffer()),
  }
  return made as object as Request
}

function toAnswer(response: Response): Answer {
  const headers: Record<string, string | readonly string[]> = Object.fromEntries(response.headers)
  const cookies = response.headers.getSetCookie()
  if (cookies.length > 0) headers['set-cookie'] = cookies
  const { status } = response
  const body = bodies.get(response)
  if (body === undefined) return { status, headers, body: response.body, byteLength: 0 }
  return { status, headers, body, byteLength: Buffer.byteLength(body) }
}

/** The row as a route that works with standard objects. */
export const standardRoute = ({ method, path, handle }: TestRow): Route =>
  fetchRoute(method, path, handle)

/** The row as a route that answers with texts, bytes and streams, and reads the adapter's own request. */
export const plainRoute = ({ method, path, handle }: TestRow): Route => ({
  method,
  path,
  answer: async (request, info) => toAnswer(await handle(requestLike(request), info)),
})

/** An endless stream of 64 kB chunks. Calls `onCancel` when it is canceled. */
export function endless(onCancel: () => void): ReadableStream<Uint8Array> {
  return new ReadableStream({
    pull: (controller) => controller.enqueue(new Uint8Array(65_536)),
    cancel: onCancel,
  })
}
