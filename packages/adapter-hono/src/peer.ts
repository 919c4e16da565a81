import type { NodeRequest } from '@gatehouse/core'
import type { Context } from 'hono'

/** The other end of a connection, which may be a proxy. */
export interface ConnectedClient {
  /** An IP address. */
  address: string
  port?: number
}

/** Who sent a request, as far as proxies are trusted. */
export interface RequestClient {
  readonly address: string | undefined
  readonly port: number | undefined
  readonly secure: boolean
}

interface PeerOptions {
  trustProxy?: number
  client?: (c: Context) => ConnectedClient | undefined
}

/** The entry that the outermost trusted proxy added: proxies append, so it is counted from the right. */
function forwarded(header: string | undefined, proxies: number): string | undefined {
  const entries = header?.split(',').map((entry) => entry.trim())
  return entries?.at(-Math.min(proxies, entries.length)) || undefined
}

function has<K extends string>(value: unknown, key: K): value is Record<K, unknown> {
  return typeof value === 'object' && value !== null && key in value
}

/** Node's request, which `@hono/node-server` passes in the environment. */
function nodeRequest(c: Context): unknown {
  const environment: unknown = c.env
  const bindings = has(environment, 'server') ? environment.server : environment
  return has(bindings, 'incoming') ? bindings.incoming : undefined
}

/** Node's request if its body has not come to its end; one of HTTP/2 has no connection of its own. */
export function unfinishedRequest(c: Context): NodeRequest | undefined {
  const incoming = nodeRequest(c)
  const isUnfinished = has(incoming, 'complete') && incoming.complete === false
  return isUnfinished && !has(incoming, 'stream') ? (incoming as object as NodeRequest) : undefined
}

function nodeClient(c: Context): ConnectedClient | undefined {
  const incoming = nodeRequest(c)
  const socket = has(incoming, 'socket') ? incoming.socket : undefined
  if (!has(socket, 'remoteAddress') || typeof socket.remoteAddress !== 'string') return undefined
  const port = has(socket, 'remotePort') ? socket.remotePort : undefined
  return { address: socket.remoteAddress, ...(typeof port === 'number' ? { port } : {}) }
}

/** Who sent a request: the connection's other end, or whom the trusted proxies name. */
export function clientOf(c: Context, options: PeerOptions): RequestClient {
  const { trustProxy = 0, client = nodeClient } = options
  const connected = client(c)
  const secure = c.req.url.startsWith('https:')
  if (trustProxy === 0) return { address: connected?.address, port: connected?.port, secure }
  const address = forwarded(c.req.header('x-forwarded-for'), trustProxy)
  const protocol = forwarded(c.req.header('x-forwarded-proto'), trustProxy)
  return {
    address: address ?? connected?.address,
    port: address === undefined ? connected?.port : undefined,
    secure: protocol === undefined ? secure : protocol.toLowerCase() === 'https',
  }
}
