import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { Server as TlsServer } from 'node:tls'
import {
  type NodeUpgradeOptions,
  type NodeWebSocketServer,
  nodeUpgrade,
} from '@gatehouse/adapter-node'
import type { Route } from '@gatehouse/core'
import { WebSocketServer } from 'ws'

/** What opens WebSockets. */
export interface SocketServer {
  readonly server: NodeWebSocketServer
  /** Ends all that are open, at once. */
  terminate(): void
}

/** Nothing that a client sends is of use. */
const maxPayload = 1_024

/** Opens WebSockets, for several servers of this program. */
export function createSocketServer(): SocketServer {
  const server = new WebSocketServer({ noServer: true, maxPayload })
  return {
    server,
    terminate() {
      for (const socket of server.clients) socket.terminate()
    },
  }
}

/** What {@link serveUpgrades} serves. */
export interface UpgradedRoutes extends Pick<NodeUpgradeOptions, 'onError'> {
  readonly routes: readonly Route[]
}

/**
 * Opens WebSockets for routes that take them. Serves all others who offer another protocol, as clients do that would rather
 * speak HTTP/2, as if they did not: Node hands everybody over once somebody listens for one, and they would wait for ever.
 */
export function serveUpgrades(
  server: Server,
  { server: sockets }: SocketServer,
  { routes, onError }: UpgradedRoutes,
): void {
  const answers = new WeakMap<Duplex, ServerResponse>()
  server.on('request', ({ socket }, answer) => answers.set(socket, answer))
  const otherwise = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    const again = (): void => serveWithoutUpgrade(server, request, socket, head)
    const answer = answers.get(socket)
    // Of a client that has not waited for its earlier answer.
    if (answer === undefined || answer.closed) again()
    else answer.once('close', again)
  }
  const options = { server: sockets, otherwise, ...(onError === undefined ? {} : { onError }) }
  server.on('upgrade', nodeUpgrade(routes, options))
}

const ofUpgrades = /^(?:upgrade|http2-settings)$/i

/** The request is read again from its connection, without the offer. */
function serveWithoutUpgrade(
  server: Server,
  { method, url, httpVersion, rawHeaders }: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): void {
  const lines = [`${method} ${url} HTTP/${httpVersion}`]
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2)
    const kept = name.toLowerCase() === 'connection' ? withoutOffer(value) : value
    if (!ofUpgrades.test(name)) lines.push(`${name}: ${kept}`)
  }
  if (socket.destroyed) return
  socket.unshift(head)
  socket.unshift(Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'))
  server.emit(server instanceof TlsServer ? 'secureConnection' : 'connection', socket)
}

const withoutOffer = (value: string): string =>
  value
    .split(',')
    .map((token) => token.trim())
    .filter((token) => !ofUpgrades.test(token))
    .join(', ') || 'keep-alive'
