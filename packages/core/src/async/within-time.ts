import type { Clock } from '../time/clock.ts'

/** Work with a time limit. */
export interface TimedWork<T> {
  readonly ms: number
  /** Aborts its signal when the time is over. */
  work(signal: AbortSignal): Promise<T>
  /** The error for a timeout. */
  tooLate(): Error
}

/** Waits for the work until its time is over, even if it ignores its signal. */
export async function withinTime<T>(
  clock: Pick<Clock, 'setTimer'>,
  { ms, work, tooLate }: TimedWork<T>,
): Promise<T> {
  const controller = new AbortController()
  let cancel = (): void => {}
  const deadline = new Promise<never>((_, reject) => {
    cancel = clock.setTimer(ms, () => {
      reject(tooLate())
      controller.abort()
    })
  })
  // An async function, so that a synchronous throw is a rejection.
  const done = (async () => work(controller.signal))()
  // Ignore failures after the timeout.
  done.catch(() => undefined)
  try {
    return await Promise.race([done, deadline])
  } finally {
    cancel()
  }
}
