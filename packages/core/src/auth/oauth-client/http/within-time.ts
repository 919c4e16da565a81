import type { Clock } from '../../../time/clock.ts'

/** The time limit was exceeded. */
export class DeadlineError extends Error {}

/**
 * Waits for the work at most `ms` milliseconds, then aborts its signal.
 *
 * @throws {DeadlineError} on timeout, even if the signal is ignored.
 */
export async function withinTime<T>(
  clock: Clock,
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  let cancel = (): void => undefined
  const deadline = new Promise<never>((_, reject) => {
    cancel = clock.setTimer(ms, () => {
      reject(new DeadlineError())
      controller.abort()
    })
  })
  try {
    return await Promise.race([work(controller.signal), deadline])
  } finally {
    cancel()
  }
}
