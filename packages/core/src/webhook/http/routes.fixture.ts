import { toResponse } from '../../http/answer.ts'
import type { Route } from '../../http/route.ts'
import { createRouteTable } from '../../http/route-table.ts'

/** A request to routes without a server. */
export interface SentRequest {
  readonly method?: string
  /** With its query. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** Sent unchanged; an object is sent as JSON. */
  readonly body?: string | Uint8Array | ReadableStream<Uint8Array> | object
  readonly signal?: AbortSignal
  /** The path that the routes are mounted at. */
  readonly mountPath?: string
  readonly address?: string
}

type Content = NonNullable<RequestInit['body']>

/** Bytes, because a text would set a content type. */
function contentOf(body: NonNullable<SentRequest['body']>): Content {
  if (body instanceof ReadableStream) return body
  if (body instanceof Uint8Array) return new Uint8Array(body)
  return new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body))
}

function toRequest(sent: SentRequest): Request {
  const { path, headers = {}, body, signal, mountPath = '' } = sent
  const { method = body === undefined ? 'GET' : 'POST' } = sent
  const init = {
    method,
    headers,
    ...(body === undefined ? {} : { body: contentOf(body), duplex: 'half' as const }),
    ...(signal === undefined ? {} : { signal }),
  }
  return new Request(`http://localhost${mountPath}${path}`, init)
}

/** Passes requests to routes as an adapter does. */
export function createSender(routes: readonly Route[]): (sent: SentRequest) => Promise<Response> {
  const table = createRouteTable(routes)
  return async (sent) => {
    const request = toRequest(sent)
    const [path = '', query = ''] = sent.path.split('?')
    const match = table.match(request.method, path)
    if (match === undefined) return new Response('no route', { status: 599 })
    const { mountPath = '', address = '192.0.2.1' } = sent
    const { params } = match
    const peer = { address }
    const info = { params, path, mountPath, query, peer, secure: false }
    return toResponse(await match.route.answer(request, info))
  }
}
