import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { Server as TlsServer } from 'node:tls'
import type { WebSocketServerLike } from '@hono/node-server'
import { WebSocketServer } from 'ws'

/** What opens WebSockets. */
export interface SocketServer {
  readonly server: WebSocketServerLike
  /** Ends all that are open, at once. */
  terminate(): void
}

/** Nothing that a client sends is of use. */
const maxPayload = 1_024

/** Opens WebSockets, for several servers of this program. */
export function createSocketServer(): SocketServer {
  const server = new WebSocketServer({ noServer: true, maxPayload })
  return {
    // Its type says of no option whether it is there.
    server: server as WebSocketServerLike,
    terminate() {
      for (const socket of server.clients) socket.terminate()
    },
  }
}

/**
 * Serves those who offer another protocol than WebSocket, as clients do that would rather speak HTTP/2, as if they did not. Node
 * hands all of them over once anybody listens for one, and they would wait for ever.
 */
export function serveOtherUpgrades(server: Server): void {
  const answers = new WeakMap<Duplex, ServerResponse>()
  server.on('request', ({ socket }, answer) => answers.set(socket, answer))
  const listeners = server.listeners('upgrade')
  server.removeAllListeners('upgrade')
  // There must be one listener: with two, each leaves it to the other to refuse.
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (request.headers.upgrade?.toLowerCase() !== 'websocket') {
      const again = (): void => serveWithoutUpgrade(server, request, socket, head)
      const answer = answers.get(socket)
      // Of a client that has not waited for its earlier answer.
      if (answer === undefined || answer.closed) again()
      else answer.once('close', again)
      return
    }
    for (const listener of listeners) listener.call(server, request, socket, head)
  })
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
