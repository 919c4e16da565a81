import type { Socket, SocketHandler } from '@gatehouse/core/adapter'
import type { Context } from 'hono'
import type { WSContext } from 'hono/ws'

/** What is done as a socket goes through its life. */
interface SocketEvents {
  onOpen(event: Event, opened: WSContext<unknown>): void
  onClose(): void
}

/** What opens WebSockets on a platform: `upgradeWebSocket` of `@hono/node-server`, `hono/bun`, `hono/deno`, … */
export type SocketUpgrade = (
  createEvents: () => SocketEvents,
) => (c: Context, next: () => Promise<void>) => Promise<unknown>

/** Whether a request asks for a WebSocket. @see RFC 6455, section 4.2.1 */
export function isSocketRequest(c: Context): boolean {
  return c.req.header('upgrade')?.toLowerCase() === 'websocket'
}

/** Opens a socket and hands it over. */
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

/** The socket of the package `ws`, as far as it matters here. */
interface NodeSocket {
  ping(): void
  terminate(): void
  on(event: 'pong', listener: () => void): unknown
}

function isNodeSocket(raw: unknown): raw is NodeSocket {
  return ['ping', 'terminate', 'on'].every((name) => typeof Object(raw)[name] === 'function')
}

/** Pings, and cuts off who has not answered the ping before. Other platforms than Node find that out by themselves. */
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
