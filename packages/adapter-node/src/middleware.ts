import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  type ClientInfo,
  createRouteTable,
  lingering,
  type RequestInfo,
  type Route,
  type RouteRequest,
  type Subject,
} from '@gatehouse/core/adapter'
import { compressAnswer } from './compress-answer.ts'
import { IncomingRequest, type ReadBody } from './request.ts'
import { createRequestTarget, urlOf } from './request-target.ts'
import { sendAnswer } from './response.ts'

/** A request handler that passes on errors, and requests without a route. */
export type NodeMiddleware = (
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  next: (error?: unknown) => void,
) => void

/** The properties a framework adds to a Node request. */
export interface RequestView {
  readonly client: ClientInfo
  /** The sender, if a middleware before the routes has found it. */
  readonly subject?: Subject | undefined
  /** Path and query with the mount path (default: those of the request). */
  readonly target?: string | undefined
  /** The path that the routes are mounted at, such as `/sub` (default: the root). */
  readonly mountPath?: string | undefined
  /** The body, if a parser before the routes has read it. */
  readonly readBody?: ReadBody | undefined
}

/** Options of {@link nodeMiddleware}. */
export interface NodeMiddlewareOptions {
  /**
   * Whether to compress answers of 1 kB or more for clients that accept gzip or Brotli, of routes that allow it (default: no, because
   * many apps have a middleware or a proxy that does).
   */
  readonly compress?: boolean | undefined
}

/**
 * Creates a middleware that serves the given routes, for adapters of frameworks that are based on Node requests. It calls
 * `next()` for a path without a route, and `next(error)` if a route or the stream of its body fails.
 *
 * @throws {TypeError} if two routes have the same method and path.
 */
export function nodeMiddleware(
  routes: readonly Route[],
  view: (incoming: IncomingMessage) => RequestView,
  { compress = false }: NodeMiddlewareOptions = {},
): NodeMiddleware {
  const table = createRouteTable(routes)
  return (incoming, outgoing, next) => {
    const {
      client,
      subject,
      target: sent = incoming.url ?? '/',
      mountPath,
      readBody,
    } = view(incoming)
    const target = createRequestTarget(sent, mountPath)
    const match = target && table.match(incoming.method ?? 'GET', target.path)
    if (target === undefined || match === undefined) {
      next()
      return
    }
    const url = (): string => urlOf(incoming, target, client.secure)
    const request = new IncomingRequest({ incoming, outgoing, url, readBody })
    const { path, mountPath: mounted, query } = target
    const base = { params: match.params, path, mountPath: mounted, query, ...client }
    const info = subject === undefined ? base : { ...base, subject }
    const compresses = compress && match.route.isCompressible === true
    serve(match.route, request, info, { incoming, outgoing, compresses }).catch(next)
  }
}

interface Exchange {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
  readonly compresses: boolean
}

async function serve(
  route: Route,
  request: RouteRequest,
  info: RequestInfo,
  { incoming, outgoing, compresses }: Exchange,
): Promise<void> {
  const given = await route.answer(request, info)
  const answer = compresses ? await compressAnswer(given, request) : given
  await sendAnswer(lingering(answer, incoming), outgoing)
}
