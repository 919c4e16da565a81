import {
  type ConnectedClient,
  clientCertificateOf,
  type UnreadRequest,
} from '@gatehouse/core/adapter'
import type { Context } from 'hono'

function has<K extends string>(value: unknown, key: K): value is Record<K, unknown> {
  return typeof value === 'object' && value !== null && key in value
}

/** The Node request, which `@hono/node-server` passes in the environment. */
function nodeRequest(c: Context): unknown {
  const environment: unknown = c.env
  const bindings = has(environment, 'server') ? environment.server : environment
  return has(bindings, 'incoming') ? bindings.incoming : undefined
}

/** The Node request if its body has not ended; `undefined` for HTTP/2, where a request has no connection of its own. */
export function unfinishedRequest(c: Context): UnreadRequest | undefined {
  const incoming = nodeRequest(c)
  const isUnfinished = has(incoming, 'complete') && incoming.complete === false
  return isUnfinished && !has(incoming, 'stream')
    ? (incoming as object as UnreadRequest)
    : undefined
}

/**
 * The other end of the connection, which `@hono/node-server` passes in the environment: `undefined` elsewhere and for socket
 * files, `null` if the connection has closed.
 */
export function nodeClient(c: Context): ConnectedClient | null | undefined {
  const incoming = nodeRequest(c)
  const socket = has(incoming, 'socket') ? incoming.socket : undefined
  if (!has(socket, 'remoteAddress') || typeof socket.remoteAddress !== 'string') {
    return has(socket, 'destroyed') && socket.destroyed === true ? null : undefined
  }
  const port = has(socket, 'remotePort') ? socket.remotePort : undefined
  const certificate = clientCertificateOf(socket)
  return {
    address: socket.remoteAddress,
    ...(typeof port === 'number' ? { port } : {}),
    ...(certificate === undefined ? {} : { certificate }),
  }
}
