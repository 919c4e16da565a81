import { toResponse } from '../../http/answer.ts'
import type { Route, SocketHandler } from '../../http/route.ts'
import { createRouteTable } from '../../http/route-table.ts'
import type { AuthContext } from '../context.ts'

/** A request without its path. */
export interface SentRequest {
  readonly method?: string
  /** Sent as JSON; strings and bytes unchanged. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Default true. */
  readonly secure?: boolean
  /** The origin that the request goes to (default `https://auth.example.com`). */
  readonly origin?: string
  readonly address?: string
}

/** Sends requests to the routes of a service, as an adapter does. */
export interface RouteClient {
  send(path: string, request?: SentRequest): Promise<Response>
  /** Sends a POST request and parses the JSON answer. */
  post(path: string, body: unknown, request?: SentRequest): Promise<PostAnswer>
  connect(path: string, request?: SentRequest): Promise<Response | SocketHandler>
}

/** A JSON answer with its status. */
export interface PostAnswer {
  readonly status: number
  readonly headers: Headers
  readonly body: {
    readonly result?: {
      readonly state_token: string
      readonly type: string
      readonly name: string
      readonly action: { readonly type: string; readonly data: Readonly<Record<string, unknown>> }
    }
    readonly error?: {
      readonly reason: string
      readonly code: number
      readonly tracking_id: string
      readonly info?: unknown
    }
  }
}

export const flowsPath = '/api/v1/authentication_flows'

/** Creates a client of a service's routes. @throws {Error} for a path without a route. */
export function createRouteClient({ routes }: AuthContext): RouteClient {
  const table = createRouteTable(routes)

  async function dispatch<T>(
    path: string,
    { method = 'GET', body, headers = {}, secure = true, ...place }: SentRequest,
    use: (route: Route, ...args: Parameters<Route['answer']>) => Promise<T>,
  ): Promise<T> {
    const { origin = 'https://auth.example.com', address = '192.0.2.1' } = place
    const url = new URL(path, origin)
    const match = table.match(method, url.pathname)
    if (match === undefined) throw new Error(`no route takes ${method} ${path}`)
    const isText = typeof body === 'string' || body instanceof Uint8Array
    const request = new Request(url, {
      method,
      headers: body === undefined ? headers : { 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: isText ? body : JSON.stringify(body) }),
    } as RequestInit)
    return use(match.route, request, {
      params: match.params,
      path: url.pathname,
      mountPath: '',
      query: url.search.slice(1),
      secure,
      peer: { address },
    })
  }

  const send: RouteClient['send'] = (path, request = {}) =>
    dispatch(path, request, async (route, ...args) => toResponse(await route.answer(...args)))
  return {
    send,
    async post(path, body, request = {}) {
      const answer = await send(path, { ...request, method: 'POST', body })
      return {
        status: answer.status,
        headers: answer.headers,
        body: JSON.parse(await answer.text()),
      }
    },
    connect: (path, request = {}) =>
      dispatch(path, request, async (route, ...args) => {
        if (route.connect === undefined) throw new Error(`${path} opens no WebSocket`)
        const outcome = await route.connect(...args)
        return typeof outcome === 'function' ? outcome : toResponse(outcome)
      }),
  }
}
