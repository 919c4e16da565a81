import type { IncomingMessage } from 'node:http'
import { type NodeMiddleware, nodeMiddleware } from '@gatehouse/adapter-node'
import type { ClientInfo, Route } from '@gatehouse/core/adapter'
import { type ParsedRequest, parsedBody } from './parsed-body.ts'

export {
  type NodeUpgradeOptions as ExpressUpgradeOptions,
  type NodeWebSocket,
  type NodeWebSocketServer,
  nodeUpgrade as expressUpgrade,
  type UpgradeHandler,
} from '@gatehouse/adapter-node'

/** A middleware for `app.use()` of Express 4 and 5, and of everything that speaks like them. */
export type ExpressHandler = NodeMiddleware

/** The fields that Express and its `trust proxy` setting add to a request of Node. */
interface ExpressRequest extends ParsedRequest {
  /** The request's URL before any mount path was taken off. */
  originalUrl?: string
  baseUrl?: string
  ip?: string | undefined
  secure?: boolean
}

/**
 * A middleware that serves the given routes, for `app.use(…)` or `app.use('/sub', …)`, before or behind body
 * parsers. A path that no route takes goes on to the next middleware, and so does the error of a route
 * that fails. Which proxies to trust is the app's setting `trust proxy`.
 *
 * @throws {TypeError} if two routes have the same method and path.
 */
export function expressAdapter(routes: readonly Route[]): ExpressHandler {
  return nodeMiddleware(routes, (incoming: ExpressRequest) => ({
    client: clientOf(incoming),
    target: incoming.originalUrl,
    mountPath: incoming.baseUrl,
    readBody: parsedBody(incoming),
  }))
}

function clientOf({ socket, secure: known, ip }: ExpressRequest): ClientInfo {
  const secure = known ?? isEncrypted(socket)
  const address = ip ?? socket.remoteAddress
  if (address === undefined) return { secure }
  const port = address === socket.remoteAddress ? socket.remotePort : undefined
  return { secure, peer: port === undefined ? { address } : { address, port } }
}

const isEncrypted = (socket: IncomingMessage['socket']): boolean =>
  'encrypted' in socket && socket.encrypted === true
