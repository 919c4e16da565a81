import type { Answer } from '../http/answer.ts'
import type { RequestInfo, Route, RouteRequest } from '../http/route.ts'

/** Responses that are one text, which nothing says of them. */
const texts = new WeakMap<Response, string>()

/** A `Response` of one text. */
export async function text(body: string, init?: ResponseInit): Promise<Response> {
  const response = new Response(body, init)
  texts.set(response, body)
  return response
}

/** A route that returns what it received as JSON. */
export const echo = (method: string, path: string): Route => ({
  method,
  path,
  handle: async (request, info) => {
    const { params, mountPath, query, secure, peer } = info
    const known = { params, path: info.path, mountPath, query, secure, address: peer?.address }
    const url = new URL(request.url)
    return Response.json({ row: `${method} ${path}`, url: url.pathname + url.search, ...known })
  },
})

/** The standard `Request` a route would have been given. */
function standardRequest(request: RouteRequest, { mountPath, path, query }: RequestInfo): Request {
  const { method, headers } = request
  const made = {
    method,
    headers,
    url: `http://localhost${mountPath}${path}${query === '' ? '' : `?${query}`}`,
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
  const body = texts.get(response)
  if (body === undefined) return { status, headers, body: response.body, byteLength: 0 }
  return { status, headers, body, byteLength: Buffer.byteLength(body) }
}

/** The same route with both ways to answer, for an adapter to take the one it prefers. */
export const withAnswer = (route: Route): Route => ({
  ...route,
  answer: async (request, info) =>
    toAnswer(await route.handle(standardRequest(request, info), info)),
})

/** An endless stream of 64 kB chunks. Calls `onCancel` when it is cancelled. */
export function endless(onCancel: () => void): ReadableStream<Uint8Array> {
  return new ReadableStream({
    pull: (controller) => controller.enqueue(new Uint8Array(65_536)),
    cancel: onCancel,
  })
}
