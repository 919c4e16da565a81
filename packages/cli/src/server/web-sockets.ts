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

/** Opens WebSockets. */
export interface SocketServer {
  readonly server: NodeWebSocketServer
  /** Terminates all open sockets at once. */
  terminate(): void
}

/** Messages of clients are not used. */
const maxPayload = 1_024

/** Creates a {@link SocketServer} for several servers of this program. */
export function createSocketServer(): SocketServer {
  const server = new WebSocketServer({ noServer: true, maxPayload })
  return {
    server,
    terminate() {
      for (const socket of server.clients) socket.terminate()
    },
  }
}

/** The routes and options of {@link serveUpgrades}. */
export interface UpgradedRoutes extends Pick<NodeUpgradeOptions, 'onError' | 'trustedProxies'> {
  readonly routes: readonly Route[]
}

/**
 * Opens WebSockets for routes that accept them. Serves other upgrade offers, as of clients that prefer HTTP/2, as plain requests:
 * once a server listens for upgrades, Node hands all of them over, and they would wait forever.
 */
export function serveUpgrades(
  server: Server,
  { server: sockets }: SocketServer,
  { routes, trustedProxies = [], onError }: UpgradedRoutes,
): void {
  const answers = new WeakMap<Duplex, ServerResponse>()
  server.on('request', ({ socket }, answer) => answers.set(socket, answer))
  const otherwise = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    const again = (): void => serveWithoutUpgrade(server, request, socket, head)
    const answer = answers.get(socket)
    // A pipelined request: its predecessor is still being answered.
    if (answer === undefined || answer.closed) again()
    else answer.once('close', again)
  }
  const options = {
    server: sockets,
    trustedProxies,
    otherwise,
    ...(onError === undefined ? {} : { onError }),
  }
  server.on('upgrade', nodeUpgrade(routes, options))
}

const ofUpgrades = /^(?:upgrade|http2-settings)$/i

/** Feeds the request to the connection again, without the offer. */
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
