import { splitPlace } from '../call.ts'
import { pause } from '../pause.ts'
import type { CallOptions, Requester } from '../request.ts'
import { serverSentEvents } from '../server-sent-events.ts'
import type { AuthCalls } from '../types.ts'

/** Options of waiting for an approval. */
export interface ApprovalOptions extends CallOptions {
  /** How the service reports it (default: a WebSocket where the platform and the server have it, else server-sent events). */
  readonly via?: 'websocket' | 'events'
}

/** A link that was sent. */
export interface SentLink<Approved> {
  /** Its `websocket_url`. */
  readonly url: string
  /** Reads the flow again; `undefined` while the link is not approved. */
  look(options: CallOptions): Promise<Approved | undefined>
}

/** Pauses between connections, in ms: at first short, then longer. */
const pauses = [0, 1_000, 3_000, 10_000]

/** Waits until a link is approved. Connections that end early are opened again. */
export async function awaitApproval<Approved>(
  requester: Requester,
  link: SentLink<Approved>,
  { via, signal }: ApprovalOptions,
): Promise<Approved> {
  const channel = new URL(link.url).searchParams.get('channel') ?? ''
  const url = requester.urlOf(
    splitPlace<keyof AuthCalls>('GET /api/v1/authentication_flows/ws').path,
    { channel },
  )
  const has = Reflect.has(globalThis, 'WebSocket')
  for (let round = 0; ; round++) {
    // It may have been approved before the listener was connected.
    const approved = await link.look(signal === undefined ? {} : { signal })
    if (approved !== undefined) return approved
    await pause(pauses[Math.min(round, pauses.length - 1)] ?? 0, signal)
    // A server without WebSockets has refused the first one.
    const usesSocket = via === undefined ? has && round === 0 : via === 'websocket'
    await (usesSocket ? socketEvent(url, signal) : streamEvent(requester, url, signal))
  }
}

/** The parts of a `WebSocket` that are used. */
interface Socket {
  addEventListener(type: string, listener: () => void): void
  close(): void
}

/** Ends with a message, or with the connection. */
function socketEvent(url: string, signal: AbortSignal | undefined): Promise<void> {
  const WebSocket = Reflect.get(globalThis, 'WebSocket') as new (url: string) => Socket
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const socket = new WebSocket(url.replace(/^http/, 'ws'))
    const abort = (): void => {
      socket.close()
      reject(signal?.reason)
    }
    const end = (): void => {
      signal?.removeEventListener('abort', abort)
      socket.close()
      resolve()
    }
    signal?.addEventListener('abort', abort)
    for (const type of ['message', 'close', 'error']) socket.addEventListener(type, end)
  })
}

async function streamEvent(
  requester: Requester,
  url: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const headers = { accept: 'text/event-stream' }
  const path = url.slice(requester.urlOf('').length)
  const response = await requester.send(
    path,
    signal === undefined ? { headers } : { headers, signal },
  )
  // A refusal ends at once; the next read of the flow says why, if it is over.
  for await (const _ of serverSentEvents(response)) return
}
