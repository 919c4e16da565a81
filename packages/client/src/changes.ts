import { GatehouseClientError, isClientError } from './client-error.ts'
import { pause } from './pause.ts'
import { bodyOf, type Call, type CallOptions, type Requester } from './request.ts'
import {
  eventStream,
  isEventStream,
  type ServerSentEvent,
  type StreamFollower,
  serverSentEvents,
} from './server-sent-events.ts'

/** Options of following changes. */
export interface ChangesOptions extends CallOptions {
  /**
   * How often to return a `reset`, in ms, while the stream does not come through, for example because a proxy holds it back: the
   * lists are read again instead (default: never, it only waits for the stream).
   */
  readonly pollEveryMs?: number
  /** Called with `true` when changes arrive by the stream, and with `false` when it breaks. */
  readonly onLive?: (isLive: boolean) => void
}

/** A stream of changes: its path, query and headers. */
export interface ChangesCall extends Pick<Call, 'query' | 'headers'> {
  readonly path: string
}

/** Pauses between connections, in ms: at first short, then longer. */
const pauses = [500, 1_000, 3_000, 10_000, 30_000]
/** How long a stream may be silent: the server sends a comment every 15 s. */
const maxSilenceMs = 45_000

/**
 * The events of a stream of changes. It connects again by itself and continues where it was; `reset` stands for everything that
 * it missed, also at the start.
 *
 * @throws {GatehouseClientError} if the server refuses the request for good.
 */
export async function* followChanges(
  requester: Requester,
  call: ChangesCall,
  { signal, pollEveryMs, onLive }: ChangesOptions,
): AsyncGenerator<ServerSentEvent> {
  let position: string | undefined
  for (let failures = 0; ; failures++) {
    let isLive = false
    const connection: Connection = {
      position,
      signal,
      silenceMs: () => (isLive ? maxSilenceMs : (pollEveryMs ?? maxSilenceMs)),
      onId(id) {
        position = id
      },
    }
    try {
      for await (const event of eventsOf(requester, call, connection)) {
        if (event.event === 'ready') {
          isLive = true
          failures = 0
          onLive?.(true)
          if (!JSON.parse(event.data).resumed) yield reset
        } else if (event.event !== 'end') {
          yield event
        }
      }
    } catch (error) {
      signal?.throwIfAborted()
      if (isRefusal(error, pollEveryMs !== undefined)) throw error
    }
    signal?.throwIfAborted()
    if (isLive) onLive?.(false)
    const polls = pollEveryMs !== undefined && !isLive
    if (polls) yield reset
    const longest = pauses[Math.min(failures, pauses.length - 1)] ?? 0
    // A random part keeps clients from coming back all at once.
    await pause(polls ? pollEveryMs : longest * (0.5 + Math.random() / 2), signal)
  }
}

const reset: ServerSentEvent = { event: 'reset', data: '{}' }

interface Connection extends Pick<StreamFollower, 'onId'> {
  readonly position: string | undefined
  readonly signal: AbortSignal | undefined
  /** How long it may be silent now. */
  silenceMs(): number
}

/** The events of one connection. Returns when it ends, for whatever reason. @throws if it cannot be opened. */
async function* eventsOf(
  { send }: Requester,
  { path, query, headers }: ChangesCall,
  { position, signal, silenceMs, onId }: Connection,
): AsyncGenerator<ServerSentEvent> {
  const controller = new AbortController()
  const abort = (): void => controller.abort(signal?.reason)
  signal?.throwIfAborted()
  signal?.addEventListener('abort', abort)
  let timer: ReturnType<typeof setTimeout> | undefined
  const onBytes = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => controller.abort(silence()), silenceMs())
  }
  onBytes()
  try {
    const place = position === undefined ? {} : { 'last-event-id': position }
    const response = await send(path, {
      headers: { accept: eventStream, ...place, ...headers },
      ...(query === undefined ? {} : { query }),
      signal: controller.signal,
    })
    if (!isEventStream(response)) {
      const body = await bodyOf(response, controller.signal)
      const message = 'the answer is not a stream of events'
      throw new GatehouseClientError({ reason: 'UnexpectedAnswer', message, body })
    }
    const events = serverSentEvents(response, { onBytes, ...(onId && { onId }) })
    for (;;) {
      // A connection that breaks is opened again.
      const { done, value } = await events.next().catch(() => ended)
      if (done) return
      yield value
    }
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
    controller.abort(silence())
  }
}

const ended: IteratorResult<ServerSentEvent, void> = { done: true, value: undefined }

const silence = (): GatehouseClientError =>
  new GatehouseClientError({ reason: 'Unreachable', message: 'the stream is silent' })

/** Whether another attempt makes no sense. */
function isRefusal(error: unknown, polls: boolean): boolean {
  if (!isClientError(error)) return true
  if (error.reason === 'Unreachable') return false
  const { status } = error
  // A server without this stream, or something in between that does not let it through.
  if (status === 0 || status === 404 || status === 405 || status === 406) return !polls
  return status < 500 && status !== 408 && status !== 429
}
