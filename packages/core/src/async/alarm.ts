import type { Clock } from '../time/clock.ts'

/** A timer that many set: it goes off once, at the earliest of the times. */
export interface Alarm {
  /** Goes off after this time, in ms, at the latest. */
  atMost(ms: number): void
  /** Never goes off again. */
  stop(): void
}

/** Creates an {@link Alarm} that calls `onTime`, and may be set again from then on. */
export function createAlarm(
  clock: Pick<Clock, 'monotonic' | 'setTimer'>,
  onTime: () => void,
): Alarm {
  let cancel: (() => void) | undefined
  let dueAt = 0
  let isStopped = false
  return {
    atMost(ms) {
      if (isStopped) return
      const at = clock.monotonic() + ms
      if (cancel !== undefined && dueAt <= at) return
      cancel?.()
      dueAt = at
      cancel = clock.setTimer(ms, () => {
        cancel = undefined
        onTime()
      })
    },
    stop() {
      isStopped = true
      cancel?.()
    },
  }
}
