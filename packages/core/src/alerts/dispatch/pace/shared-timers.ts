import { getOrCreate } from '../../../async/get-or-create.ts'
import type { Clock } from '../../../time/clock.ts'

interface Waiting {
  /** On the scale of `monotonic()`. */
  readonly at: number
  readonly fire: () => void
}

interface Line {
  /** Timers of the same duration, so the first one set is due first. */
  readonly waiting: Set<Waiting>
  isArmed: boolean
}

/**
 * Timers that are mostly canceled before they fire: timers of the same duration share one timer of the clock. Like the clock's
 * own, `setTimer` returns a function that cancels it.
 */
export function createSharedTimers(clock: Clock): Pick<Clock, 'setTimer'> {
  const lines = new Map<number, Line>()

  const arm = (line: Line): void => {
    const [first] = line.waiting
    line.isArmed = first !== undefined
    if (first === undefined) return
    clock.setTimer(Math.max(0, first.at - clock.monotonic()), () => fireDue(line))
  }

  const fireDue = (line: Line): void => {
    const now = clock.monotonic()
    for (const one of line.waiting) {
      if (one.at > now) break
      line.waiting.delete(one)
      one.fire()
    }
    arm(line)
  }

  return {
    setTimer(ms, fire) {
      const line = getOrCreate(lines, ms, (): Line => ({ waiting: new Set(), isArmed: false }))
      const one = { at: clock.monotonic() + ms, fire }
      line.waiting.add(one)
      if (!line.isArmed) arm(line)
      return () => line.waiting.delete(one)
    },
  }
}
