import { commentBytes, eventBytes, eventIdBytes } from '../http/event-stream.ts'
import type { ChangeBatch, ChangeFilter } from './change.ts'

/** Why the server ends a stream. `renew`: the rights of its reader are to be asked again. */
export type EndReason = 'slow' | 'closing' | 'renew'

/** One open stream of changes. */
export interface ChangeListener<Topic extends string> {
  readonly filter: ChangeFilter<Topic>
  readonly stream: ReadableStream<Uint8Array>
  /** Writes the first event: whether the changes since the client's position follow. */
  begin(position: string, isResumed: boolean): void
  /** Sends changes. `joined` returns the bytes of those that the filter wants, with the position; empty for none. */
  push(batch: ChangeBatch<Topic>, joined: () => Uint8Array): void
  /** Shows that the connection lives. Returns why it must end, if it must. */
  beat(position: string, now: number): EndReason | undefined
  end(reason: EndReason): void
}

/** Options of {@link createChangeListener}. */
export interface ChangeListenerOptions<Topic extends string> {
  readonly filter: ChangeFilter<Topic>
  /** How long the stream may stay open, in ms; `undefined`: without an end. */
  readonly maxAgeMs: number | undefined
  /** Monotonic, in ms. */
  now(): number
  /** The client is gone, or the stream has ended. */
  onGone(): void
  /** The listener lagged so far behind that it must read everything again. */
  onReset(): void
}

/** The most bytes that wait in the stream of a listener; more are kept by key. */
const maxHeldBytes = 256 * 1024
/** The most bytes of changes that are kept for a listener that lags behind; beyond that it must read everything again. */
export const maxPendingBytes: number = 2 * 1024 * 1024
/** How long a client may read nothing although changes wait. */
const maxStalledMs = 60_000

/**
 * Creates a listener. One that keeps up gets bytes that it shares with others. For one that lags behind, only the last change of
 * each key is kept, up to a limit.
 */
export function createChangeListener<Topic extends string>(
  options: ChangeListenerOptions<Topic>,
): ChangeListener<Topic> {
  const { filter, maxAgeMs = Number.POSITIVE_INFINITY, now, onGone, onReset } = options
  const openedAt = now()
  const pending = new Map<string, Uint8Array>()
  let pendingBytes = 0
  let needsReset = false
  let position = ''
  let isOpen = true
  let stalledSince: number | undefined
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined

  const hasRoom = (): boolean => (controller?.desiredSize ?? 0) > 0
  const isLagging = (): boolean => pending.size > 0 || needsReset

  const close = (): void => {
    isOpen = false
    pending.clear()
    onGone()
  }

  const keep = (key: string, bytes: Uint8Array): void => {
    pendingBytes += bytes.length - (pending.get(key)?.length ?? 0)
    // Deleted first, so that changes stay in the order in which they happened.
    pending.delete(key)
    pending.set(key, bytes)
    if (pendingBytes <= maxPendingBytes) return
    pending.clear()
    pendingBytes = 0
    needsReset = true
    onReset()
  }

  const flush = (): void => {
    stalledSince = undefined
    if (!isOpen || !isLagging()) return
    const pieces = needsReset ? [resetBytes] : [...pending.values()]
    pending.clear()
    pendingBytes = 0
    needsReset = false
    controller?.enqueue(Buffer.concat([...pieces, eventIdBytes(position)]))
  }

  const stream = new ReadableStream<Uint8Array>(
    {
      start(given) {
        controller = given
      },
      pull: flush,
      cancel: close,
    },
    new ByteLengthQueuingStrategy({ highWaterMark: maxHeldBytes }),
  )

  return {
    filter,
    stream,

    begin(at, isResumed) {
      position = at
      const ready = eventBytes('ready', JSON.stringify({ resumed: isResumed }))
      // The position of a client that resumes changes only with the changes that it missed.
      controller?.enqueue(isResumed ? ready : Buffer.concat([ready, eventIdBytes(at)]))
    },

    push(batch, joined) {
      if (!isOpen) return
      position = batch.position
      // After a reset the client reads everything, so single changes do not matter to it.
      if (needsReset) return
      if (!isLagging() && hasRoom()) {
        const bytes = joined()
        if (bytes.length > 0) controller?.enqueue(bytes)
        return
      }
      for (const change of batch.changes) {
        if (filter.wants(change)) keep(change.key, change.bytes)
        if (needsReset) break
      }
      if (isLagging()) stalledSince ??= now()
    },

    beat(at, moment) {
      position = at
      if (isOpen && !isLagging() && hasRoom()) {
        controller?.enqueue(Buffer.concat([stillHere, eventIdBytes(at)]))
      }
      if (stalledSince !== undefined && moment - stalledSince >= maxStalledMs) return 'slow'
      return moment - openedAt >= maxAgeMs ? 'renew' : undefined
    },

    end(reason) {
      if (!isOpen) return
      controller?.enqueue(eventBytes('end', JSON.stringify({ reason })))
      controller?.close()
      close()
    },
  }
}

/** The client must read everything again. */
export const resetBytes: Uint8Array = eventBytes('reset', '{}')
const stillHere = commentBytes('still here')
