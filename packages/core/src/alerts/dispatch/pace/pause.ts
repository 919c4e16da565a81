import type { Clock } from '../../../time/clock.ts'
import type { Activity } from './activity.ts'
import type { Cutoff } from './cutoff.ts'

/** Options of {@link pause}. */
export interface PauseOptions {
  clock: Clock
  activity: Pick<Activity, 'pause'>
  /** Any of them ends the wait. */
  cutoffs: readonly Cutoff[]
}

/**
 * Waits for a time.
 *
 * @returns whether the whole time passed.
 */
export function pause(ms: number, { clock, activity, cutoffs }: PauseOptions): Promise<boolean> {
  // Nothing below may be called before the timer exists.
  if (cutoffs.some(({ isCut }) => isCut)) return Promise.resolve(false)
  return new Promise((resolve) => {
    const resume = activity.pause()
    const end = (passed: boolean): void => {
      cancel()
      for (const forget of forgets) forget()
      resume()
      resolve(passed)
    }
    const cancel = clock.setTimer(ms, () => end(true))
    const forgets = cutoffs.map((cutoff) => cutoff.onCut(() => end(false)))
  })
}
