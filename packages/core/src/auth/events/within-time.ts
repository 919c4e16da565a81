import type { Clock } from '../../time/clock.ts'

/** What to wait for, and how long. */
export interface TimedWork<T> {
  readonly ms: number
  /** Its signal is aborted when the time is over. */
  work(signal: AbortSignal): Promise<T>
  /** What is thrown then. */
  tooLate(): Error
}

/** Waits for something, but not for ever: also if it ignores its signal. */
export async function withinTime<T>(clock: Clock, { ms, work, tooLate }: TimedWork<T>): Promise<T> {
  const controller = new AbortController()
  let cancel = (): void => {}
  const deadline = new Promise<never>((_, reject) => {
    cancel = clock.setTimer(ms, () => {
      reject(tooLate())
      controller.abort()
    })
  })
  // One that throws before it promises anything has failed like any other.
  const done = (async () => work(controller.signal))()
  // What fails when nobody waits for it any more is nobody's failure.
  done.catch(() => undefined)
  try {
    return await Promise.race([done, deadline])
  } finally {
    cancel()
  }
}
