import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import {
  type Answer,
  createClientReader,
  createRouteTable,
  type RequestInfo,
  type Route,
  type Socket,
  type SocketHandler,
} from '@gatehouse/core/adapter'
import { connectionOf } from './connection.ts'
import { RawHeaders } from './raw-headers.ts'
import { createRequestTarget, urlOf } from './request-target.ts'

/** The part of a socket of the package `ws` that is used here. */
export interface NodeWebSocket {
  send(text: string): void
  ping(): void
  close(code: number, reason: string): void
  terminate(): void
  on(event: 'pong' | 'close' | 'error', listener: () => void): unknown
}

/** Opens sockets: `new WebSocketServer({ noServer: true })` of the package `ws`. */
export interface NodeWebSocketServer {
  handleUpgrade(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    opened: (socket: NodeWebSocket) => void,
  ): void
}

/** A listener for the event `upgrade` of a Node server. */
export type UpgradeHandler = (request: IncomingMessage, socket: Duplex, head: Buffer) => void

/** Options of {@link nodeUpgrade}. */
export interface NodeUpgradeOptions {
  /** Opens sockets: `new WebSocketServer({ noServer: true, maxPayload: 1_024 })` of the package `ws`. */
  server: NodeWebSocketServer
  /** The path that the routes are mounted at, such as `/sub` (default: the root). */
  mountPath?: string
  /**
   * Addresses and prefixes of the proxies in front, such as `['127.0.0.1', '10.0.0.0/8']`, whose `X-Forwarded-For` and
   * `X-Forwarded-Proto` are trusted (default: none).
   */
  trustedProxies?: readonly string[]
  /** Handles upgrades without a route, and to other protocols (default: 404). */
  otherwise?: UpgradeHandler
  /** Called when a route fails; the client gets 500. */
  onError?: (error: unknown) => void
}

/**
 * Creates a listener for `server.on('upgrade', …)` that opens WebSockets for the given routes. The HTTP server emits the event,
 * so no middleware of a framework sees these requests.
 *
 * @throws {TypeError} if two routes have the same method and path.
 * @throws {TypeError} if one of `trustedProxies` is not an address or a prefix.
 */
export function nodeUpgrade(routes: readonly Route[], options: NodeUpgradeOptions): UpgradeHandler {
  const { mountPath = '', trustedProxies, otherwise = answerNotFound, onError } = options
  const readClient = createClientReader(trustedProxies)
  const table = createRouteTable(routes)
  return (incoming, socket, head) => {
    const isForSocket = incoming.headers.upgrade?.toLowerCase() === 'websocket'
    const target = isForSocket ? createRequestTarget(incoming.url ?? '/', mountPath) : undefined
    const match = target && table.match(incoming.method ?? 'GET', target.path)
    const connect = match?.route.connect?.bind(match.route)
    if (target === undefined || match === undefined || connect === undefined) {
      otherwise(incoming, socket, head)
      return
    }
    const headers = new RawHeaders(incoming.rawHeaders)
    const info: RequestInfo = {
      params: match.params,
      path: target.path,
      mountPath,
      query: target.query,
      ...readClient({ headers, ...connectionOf(incoming.socket) }),
    }
    // Until the socket is open, nothing else handles the errors of a disconnect.
    socket.on('error', ignore)
    const url = urlOf(incoming, target, info.secure)
    connect(new Request(url, { headers: [...headers] }), info)
      .then((outcome) => {
        if (typeof outcome !== 'function') return refuse(socket, outcome)
        if (!socket.destroyed) open(options.server, { incoming, socket, head }, outcome)
      })
      .catch((error: unknown) => {
        refuse(socket, emptyAnswer(500)).catch(ignore)
        onError?.(error)
      })
  }
}

const ignore = (): void => {}

const emptyAnswer = (status: number): Answer => ({ status, headers: {}, body: null, byteLength: 0 })

const answerNotFound: UpgradeHandler = (_, socket) => {
  socket.on('error', ignore)
  refuse(socket, emptyAnswer(404)).catch(ignore)
}

/** Sends an answer instead of opening a socket, and ends the connection. */
async function refuse(socket: Duplex, { status, headers, body }: Answer): Promise<void> {
  const text = body === null ? '' : await new Response(body).text()
  const lines = Object.entries(headers)
    .filter(([name]) => !ofConnection.has(name))
    .flatMap(([name, values]) => [values].flat().map((value) => `${name}: ${value}`))
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'connection: close',
    `content-length: ${Buffer.byteLength(text)}`,
    ...lines,
  ]
  // Do not wait for the client to close.
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`, () => socket.destroy())
}

const ofConnection: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'transfer-encoding',
])

interface Upgrade {
  readonly incoming: IncomingMessage
  readonly socket: Duplex
  readonly head: Buffer
}

function open(
  server: NodeWebSocketServer,
  { incoming, socket, head }: Upgrade,
  handler: SocketHandler,
): void {
  server.handleUpgrade(incoming, socket, head, (opened) => {
    socket.off('error', ignore)
    // An error closes the socket, and `close` is handled.
    opened.on('error', ignore)
    const end = handler(socketOf(opened))
    opened.on('close', () => end())
  })
}

function socketOf(opened: NodeWebSocket): Socket {
  let isAnswered = true
  opened.on('pong', () => {
    isAnswered = true
  })
  return {
    send: (text) => opened.send(text),
    ping() {
      if (!isAnswered) return opened.terminate()
      isAnswered = false
      opened.ping()
    },
    close: (code, reason) => opened.close(code, reason),
  }
}
