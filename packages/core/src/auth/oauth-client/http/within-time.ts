import type { Clock } from '../../../time/clock.ts'

/** Something was not done in time. */
export class DeadlineError extends Error {}

/**
 * Waits for something at most `ms` milliseconds; its signal is aborted then.
 *
 * @throws {DeadlineError} also if the signal is ignored.
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
