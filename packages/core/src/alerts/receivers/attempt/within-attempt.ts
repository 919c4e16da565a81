import type { Clock } from '../../../time/clock.ts'

/** The limits of an attempt. */
export interface AttemptLimits {
  readonly clock: Pick<Clock, 'setTimer'>
  /** Ends the notification. */
  readonly signal: AbortSignal
  /** The timeout of the attempt; 0 for none. */
  readonly timeoutMs: number
}

/** Runs one attempt. Its signal is aborted when its notification is aborted, or at its timeout. */
export async function withinAttempt<T>(
  { clock, signal, timeoutMs }: AttemptLimits,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (timeoutMs === 0 || signal.aborted) return work(signal)
  // AbortSignal.any([signal, AbortSignal.timeout()]) would not do: Node.js 20 collects the timeout as garbage before it fires.
  const controller = new AbortController()
  const end = (): void => controller.abort(signal.reason)
  const cancel = clock.setTimer(timeoutMs, () => {
    controller.abort(new DOMException('The attempt took too long', 'TimeoutError'))
  })
  signal.addEventListener('abort', end)
  try {
    return await work(controller.signal)
  } finally {
    cancel()
    signal.removeEventListener('abort', end)
  }
}
