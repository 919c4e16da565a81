import type { Clock } from '../../../time/clock.ts'
import type { Activity } from './activity.ts'

/** Options of {@link pause}. */
export interface PauseOptions {
  clock: Clock
  activity: Pick<Activity, 'pause'>
  /** Any of them ends the wait. */
  signals: readonly AbortSignal[]
}

/**
 * Waits for a time.
 *
 * @returns whether the whole time passed.
 */
export function pause(ms: number, { clock, activity, signals }: PauseOptions): Promise<boolean> {
  // Nothing below may be called before the timer exists.
  if (signals.some(({ aborted }) => aborted)) return Promise.resolve(false)
  return new Promise((resolve) => {
    const resume = activity.pause()
    const end = (passed: boolean): void => {
      cancel()
      for (const signal of signals) signal.removeEventListener('abort', stop)
      resume()
      resolve(passed)
    }
    const stop = (): void => end(false)
    const cancel = clock.setTimer(ms, () => end(true))
    for (const signal of signals) signal.addEventListener('abort', stop)
  })
}
