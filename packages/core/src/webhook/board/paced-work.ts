import { atEndOfTurn } from '../../async/end-of-turn.ts'
import type { Clock } from '../../time/clock.ts'

/** How long the log may block the event loop at a time. */
const sliceMs = 1
/** The share of time that the log may take, for all runs together. */
const share = 0.2
/** Logging costs at least a millisecond per this many bytes, because a fast log may write them later. */
const bytesPerMs = 16 * 1_024

/** Work that can pause after each line, and yields the bytes logged since the last pause. */
export type Steps = Generator<number, void>

/** Does work in the order in which it was added: at once as long as that is fast, otherwise with rests. */
export interface PacedWork {
  add(steps: () => Steps): void
  /** Does all work without resting. Settles when done. */
  finish(): Promise<void>
}

/** Creates {@link PacedWork} without work. */
export function createPacedWork(clock: Pick<Clock, 'monotonic' | 'setTimer'>): PacedWork {
  const waiting: (() => Steps)[] = []
  let current: Steps | undefined
  /** How long the log took, minus the credit for its rest since. */
  let debtMs = 0
  let measuredAt = clock.monotonic()
  let isResting = false
  let isTurnNoted = false

  const measure = (): number => {
    const before = measuredAt
    measuredAt = clock.monotonic()
    return measuredAt - before
  }

  /** A log may write the lines of a turn together at its end, which counts too. */
  const noteTurn = (): void => {
    if (isTurnNoted) return
    isTurnNoted = true
    atEndOfTurn(() => {
      isTurnNoted = false
      debtMs += measure()
    })
  }

  const work = (): void => {
    debtMs = Math.max(0, debtMs - measure() * share)
    current ??= waiting.shift()?.()
    while (current !== undefined && debtMs < sliceMs) {
      const { value: bytes = 0, done } = current.next()
      // After the first line, so that the log's own work at the end of this turn runs first.
      noteTurn()
      if (done) current = waiting.shift()?.()
      debtMs += Math.max(measure(), bytes / bytesPerMs)
    }
    if (current === undefined || isResting) return
    isResting = true
    clock.setTimer(debtMs / share, () => {
      isResting = false
      work()
    })
  }

  return {
    add(steps) {
      waiting.push(steps)
      work()
    },

    async finish() {
      for (debtMs = 0, work(); current !== undefined; debtMs = 0, work()) {
        await new Promise<void>(atEndOfTurn)
      }
    },
  }
}
