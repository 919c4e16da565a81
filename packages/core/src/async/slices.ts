import { systemClock } from '../time/clock.ts'
import { atEndOfTurn } from './end-of-turn.ts'

/** How long sliced work may hold the event loop in one turn, that of all requests together. */
const sliceMs = 10

/** When the sliced work of this turn has to pause; `undefined` while there was none. */
let turnEndsAt: number | undefined
/** Who paused, in the order in which they go on. */
const paused: (() => void)[] = []

const endTurn = (): void => {
  turnEndsAt = undefined
}

const resumeNext = (): void => {
  const resume = paused.shift()
  if (paused.length > 0) atEndOfTurn(resumeNext)
  resume?.()
}

/** Whether sliced work has held the event loop for long enough in this turn. Then {@link pause}. */
export function isPauseDue(): boolean {
  const now = systemClock.monotonic()
  if (turnEndsAt === undefined) {
    turnEndsAt = now + sliceMs
    atEndOfTurn(endTurn)
  }
  return now >= turnEndsAt
}

/** Lets timers, sockets and other sliced work run. Those who pause go on one by one, one in each turn of the event loop. */
export function pause(): Promise<void> {
  return new Promise((resolve) => {
    paused.push(resolve)
    if (paused.length === 1) atEndOfTurn(resumeNext)
  })
}

/** Runs work of many steps at once, where it is known to be short. */
export function atOnce<T>(steps: Iterator<void, T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/** So many items of a list are one step. */
const itemsPerStep = 50

/** The same as `map` of an array, for work in slices. */
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
 * Runs work of many steps. It is done at once where it is short; where it takes longer, it pauses between two steps so that
 * the event loop is never held for long.
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
