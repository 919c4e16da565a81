import type { Socket, SocketHandler } from '@gatehouse/core/adapter'
import type { Context } from 'hono'
import type { WSContext } from 'hono/ws'

/** Handlers for the events of a socket. */
interface SocketEvents {
  onOpen(event: Event, opened: WSContext<unknown>): void
  onClose(): void
}

/** Opens WebSockets on a platform: `upgradeWebSocket` of `@hono/node-server`, `hono/bun`, `hono/deno`, … */
export type SocketUpgrade = (
  createEvents: () => SocketEvents,
) => (c: Context, next: () => Promise<void>) => Promise<unknown>

/** Whether a request asks for a WebSocket. @see RFC 6455, section 4.2.1 */
export function isSocketRequest(c: Context): boolean {
  return c.req.header('upgrade')?.toLowerCase() === 'websocket'
}

/** Opens a socket and passes it to its handler. */
export async function openSocket(
  c: Context,
  upgrade: SocketUpgrade,
  handler: SocketHandler,
): Promise<Response> {
  const opened = await upgrade(() => eventsOf(handler))(c, async () => {})
  if (opened instanceof Response) return opened
  return new Response(null, { status: 426, headers: { upgrade: 'websocket' } })
}

function eventsOf(handler: SocketHandler): SocketEvents {
  let end = (): void => {}
  return {
    onOpen(_, opened) {
      end = handler(socketOf(opened))
    },
    onClose: () => end(),
  }
}

function socketOf(opened: WSContext<unknown>): Socket {
  return {
    send: (text) => opened.send(text),
    ping: pingOf(opened.raw),
    close: (code, reason) => opened.close(code, reason),
  }
}

/** The part of a socket of the package `ws` that is used here. */
interface NodeSocket {
  ping(): void
  terminate(): void
  on(event: 'pong', listener: () => void): unknown
}

function isNodeSocket(raw: unknown): raw is NodeSocket {
  return ['ping', 'terminate', 'on'].every((name) => typeof Object(raw)[name] === 'function')
}

/** Pings, and disconnects a client that has not answered the previous ping. Other platforms than Node do so themselves. */
function pingOf(raw: unknown): () => void {
  if (!isNodeSocket(raw)) return () => {}
  let isAnswered = true
  raw.on('pong', () => {
    isAnswered = true
  })
  return () => {
    if (!isAnswered) return raw.terminate()
    isAnswered = false
    raw.ping()
  }
}
