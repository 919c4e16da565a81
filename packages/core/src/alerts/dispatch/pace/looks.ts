import type { Running } from '../../../async/running.ts'
import type { Clock } from '../../../time/clock.ts'
import type { Activity } from './activity.ts'

/** Looks for work: one look at a time, and another one right after it if it was woken meanwhile. */
export interface Looks extends Running {
  wake(): void
  readonly isStopped: boolean
}

/** Options of {@link createLooks}. */
export interface LooksOptions {
  clock: Pick<Clock, 'setTimer'>
  activity: Pick<Activity, 'begin'>
  look: () => Promise<void>
  onError: (error: unknown) => void
  /** How long it rests unless it is woken, in ms; `undefined`: until it is woken. */
  restMs: (hasFailed: boolean) => number | undefined
}

/** Creates {@link Looks} that begin when they are woken. */
export function createLooks({ clock, activity, look, onError, restMs }: LooksOptions): Looks {
  let cancelTimer = (): void => {}
  let looking: Promise<void> | undefined
  let isWanted = false
  let isStopped = false

  const lookUntilDone = async (): Promise<void> => {
    const end = activity.begin()
    cancelTimer()
    let hasFailed = false
    while (isWanted && !isStopped) {
      isWanted = false
      try {
        await look()
        hasFailed = false
      } catch (error) {
        onError(error)
        hasFailed = true
      }
    }
    looking = undefined
    const ms = isStopped ? undefined : restMs(hasFailed)
    if (ms !== undefined) cancelTimer = clock.setTimer(ms, wake)
    end()
  }

  const wake = (): void => {
    isWanted = true
    if (!isStopped) looking ??= lookUntilDone()
  }

  return {
    wake,
    get isStopped() {
      return isStopped
    },
    stop() {
      isStopped = true
      cancelTimer()
      return looking ?? Promise.resolve()
    },
  }
}
