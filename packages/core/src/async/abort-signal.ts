/**
 * What of an `AbortSignal` whoever waits for its abort needs. Every one of the platform's has to be made with much around it; where
 * there is one for each of thousands of pieces of work a second, something smaller takes its place.
 */
export interface AbortSignalLike {
  readonly aborted: boolean
  readonly reason: unknown
  throwIfAborted(): void
  /** Calls `listener` when it is aborted, which happens once at most. */
  addEventListener(type: 'abort', listener: () => void): void
  removeEventListener(type: 'abort', listener: () => void): void
}

/** The same as a signal of the platform, for what takes no other, as `fetch`. */
export function toAbortSignal(signal: AbortSignalLike): AbortSignal {
  if (signal instanceof AbortSignal) return signal
  const controller = new AbortController()
  const follow = (): void => controller.abort(signal.reason)
  if (signal.aborted) follow()
  else signal.addEventListener('abort', follow)
  return controller.signal
}
