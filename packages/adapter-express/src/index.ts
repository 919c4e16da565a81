import type { IncomingMessage } from 'node:http'
import { type NodeMiddleware, nodeMiddleware } from '@gatehouse/adapter-node'
import {
  type ClientInfo,
  clientCertificateOf,
  plainAddress,
  type Route,
  type Subject,
} from '@gatehouse/core/adapter'
import type { Request } from 'express'
import { type ParsedRequest, parsedBody } from './parsed-body.ts'

export {
  type NodeUpgradeOptions as ExpressUpgradeOptions,
  type NodeWebSocket,
  type NodeWebSocketServer,
  nodeUpgrade as expressUpgrade,
  type UpgradeHandler,
} from '@gatehouse/adapter-node'

export {
  type LocalsHandler,
  optionalSession,
  type RequireAccessTokenOptions,
  type RequireApiKeyOptions,
  type RequireSessionOptions,
  requireSession,
  signOut,
} from './session.ts'
export { type RequireTokenOptions, requireToken } from './token.ts'

/** A middleware for `app.use()` of Express 4 and 5, and of compatible frameworks. */
export type ExpressHandler = NodeMiddleware

/** Options of {@link expressAdapter}. */
export interface ExpressAdapterOptions<Incoming extends IncomingMessage = Request> {
  /** Returns the sender that an earlier middleware found, such as `request.user` (default: unknown). */
  subject?: (request: Incoming) => Subject | undefined
}

/** The fields that Express adds to a Node request, some of them by `trust proxy`. */
interface ExpressRequest extends ParsedRequest {
  /** The URL of the request, with every mount path. */
  originalUrl?: string
  baseUrl?: string
  ip?: string | undefined
  secure?: boolean
}

/**
 * Creates a middleware that serves the given routes, for `app.use(…)` or `app.use('/sub', …)`, before or after body parsers. It
 * passes a path without a route to the next middleware, and the error of a route to the app's error handler. The app's setting
 * `trust proxy` says which proxies to trust.
 *
 * @throws {TypeError} if two routes have the same method and path.
 */
export function expressAdapter<Incoming extends IncomingMessage = Request>(
  routes: readonly Route[],
  { subject }: ExpressAdapterOptions<Incoming> = {},
): ExpressHandler {
  return nodeMiddleware(routes, (incoming: ExpressRequest) => ({
    client: clientOf(incoming),
    // The framework passes its own requests.
    subject: subject?.(incoming as IncomingMessage as Incoming),
    target: incoming.originalUrl,
    mountPath: incoming.baseUrl,
    readBody: parsedBody(incoming),
  }))
}

function clientOf({ socket, secure: known, ip }: ExpressRequest): ClientInfo {
  const secure = known ?? isEncrypted(socket)
  const given = ip ?? socket.remoteAddress
  if (given === undefined) return { secure }
  const address = plainAddress(given)
  if (given !== socket.remoteAddress) return { secure, peer: { address } }
  const { remotePort: port } = socket
  const clientCertificate = clientCertificateOf(socket)
  return {
    secure,
    peer: port === undefined ? { address } : { address, port },
    ...(clientCertificate === undefined ? {} : { clientCertificate }),
  }
}

const isEncrypted = (socket: IncomingMessage['socket']): boolean =>
  'encrypted' in socket && socket.encrypted === true
