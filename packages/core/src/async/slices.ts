import { systemClock } from '../time/clock.ts'
import { atEndOfTurn } from './end-of-turn.ts'

/** The time that all sliced work together may block the event loop in one turn. */
const sliceMs = 10

/** When the sliced work of this turn must pause; `undefined` if there was none yet. */
let turnEndsAt: number | undefined
/** Paused work, in the order in which it continues. */
const paused: (() => void)[] = []

const endTurn = (): void => {
  turnEndsAt = undefined
}

const resumeNext = (): void => {
  const resume = paused.shift()
  if (paused.length > 0) atEndOfTurn(resumeNext)
  resume?.()
}

/** Whether sliced work has used up its time in this turn. If so, call {@link pause}. */
export function isPauseDue(): boolean {
  const now = systemClock.monotonic()
  if (turnEndsAt === undefined) {
    turnEndsAt = now + sliceMs
    atEndOfTurn(endTurn)
  }
  return now >= turnEndsAt
}

/** Lets timers, sockets and other sliced work run. Paused work continues one by one, one in each turn of the event loop. */
export function pause(): Promise<void> {
  return new Promise((resolve) => {
    paused.push(resolve)
    if (paused.length === 1) atEndOfTurn(resumeNext)
  })
}

/** Runs all steps without a pause, for work that is known to be short. */
export function atOnce<T>(steps: Iterator<void, T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/** The number of items in one step. */
const itemsPerStep = 50

/** Like `map` of an array, for work in slices. */
export function* mapInSteps<T, U>(
  items: readonly T[],
  of: (item: T, index: number) => U,
): Generator<void, U[]> {
  const mapped: U[] = []
  for (const [index, item] of items.entries()) {
    mapped.push(of(item, index))
    if ((index + 1) % itemsPerStep === 0) yield
  }
  return mapped
}

/**
 * Runs work of many steps. Short work runs without a pause; longer work pauses between steps, so that it never blocks the
 * event loop for long.
 *
 * @param steps yields wherever a pause does no harm, and returns the result.
 */
export async function inSlices<T>(steps: Iterator<void, T>): Promise<T> {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    if (isPauseDue()) await pause()
  }
}
