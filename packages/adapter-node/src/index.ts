import type { IncomingMessage, ServerResponse } from 'node:http'
import { type ClientInfo, createClientReader, type Route } from '@gatehouse/core/adapter'
import { connectionOf } from './connection.ts'
import { type NodeMiddlewareOptions, nodeMiddleware } from './middleware.ts'
import { RawHeaders } from './raw-headers.ts'

export {
  type NodeMiddleware,
  type NodeMiddlewareOptions,
  nodeMiddleware,
  type RequestView,
} from './middleware.ts'
export type { ReadBody } from './request.ts'
export {
  type NodeUpgradeOptions,
  type NodeWebSocket,
  type NodeWebSocketServer,
  nodeUpgrade,
  type UpgradeHandler,
} from './web-socket.ts'

/** Options of {@link nodeAdapter}. */
export interface NodeAdapterOptions extends NodeMiddlewareOptions {
  /** The path that the routes are mounted at, such as `/sub` (default: the root). */
  mountPath?: string
  /**
   * Addresses and prefixes of the proxies in front, such as `['127.0.0.1', '10.0.0.0/8']`, whose `X-Forwarded-For` and
   * `X-Forwarded-Proto` are trusted (default: none).
   */
  trustedProxies?: readonly string[]
  /** Answers requests without a route (default: 404). */
  otherwise?: (incoming: IncomingMessage, outgoing: ServerResponse) => void
  /** Called when a route fails. The client gets 500, or is disconnected if its answer has begun. */
  onError?: (error: unknown) => void
}

/**
 * Creates a listener for `createServer()` of `node:http` or `node:https` that serves the given routes.
 *
 * @throws {TypeError} if two routes have the same method and path.
 * @throws {TypeError} if one of `trustedProxies` is not an address or a prefix.
 * @example
 * createServer(nodeAdapter(alerts.routes)).listen(9093)
 */
export function nodeAdapter(
  routes: readonly Route[],
  options: NodeAdapterOptions = {},
): (incoming: IncomingMessage, outgoing: ServerResponse) => void {
  const { mountPath, otherwise, onError, compress } = options
  const readClient = createClientReader(options.trustedProxies)
  const serve = nodeMiddleware(
    routes,
    (incoming) => ({ client: clientOf(incoming, readClient), mountPath }),
    { compress },
  )
  return (incoming, outgoing) =>
    serve(incoming, outgoing, (error) => {
      if (error !== undefined) onError?.(error)
      if (error === undefined && otherwise !== undefined) otherwise(incoming, outgoing)
      else if (outgoing.headersSent) outgoing.destroy()
      else outgoing.writeHead(error === undefined ? 404 : 500, { 'content-length': 0 }).end()
    })
}

const clientOf = (
  { socket, rawHeaders }: IncomingMessage,
  readClient: ReturnType<typeof createClientReader>,
): ClientInfo => readClient({ headers: new RawHeaders(rawHeaders), ...connectionOf(socket) })
