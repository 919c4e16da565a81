import { createRandom, hashText } from '../test-support/random.ts'

/** The steps of a run, one after another, in virtual time. */
export interface Timeline {
  /** Milliseconds since the start of the run. */
  readonly now: number
  readonly steps: number
  /** A hash of all steps so far: equal in two runs only if they took the same steps. */
  readonly hash: string
  /**
   * Runs a step after this many ms, and returns a function that cancels it. The seed decides the order of steps at the same
   * instant.
   */
  schedule(afterMs: number, label: string, run: () => void): () => void
  /** Adds a label to the hash that two equal runs share. */
  note(label: string): void
  /** Runs every step up to an instant. After each step, waits for the work it causes without virtual time. */
  runUntil(instant: number): Promise<void>
}

interface Step {
  readonly at: number
  readonly turn: number
  readonly label: string
  run: (() => void) | undefined
}

const isBefore = (a: Step, b: Step): boolean => a.at < b.at || (a.at === b.at && a.turn < b.turn)

/** The part of the event loop that {@link createTimeline} needs. */
export interface EventLoop {
  /** Resolves when nothing is left to run until time passes. */
  drain(): Promise<void>
}

/** An empty timeline. The seed decides the order of simultaneous steps. */
export function createTimeline(seed: number, loop: EventLoop): Timeline {
  const random = createRandom(seed)
  const heap: Step[] = []
  let now = 0
  let steps = 0
  let hash = hashText('')

  const push = (step: Step): void => {
    let at = heap.length
    heap.push(step)
    while (at > 0) {
      const above = (at - 1) >> 1
      const parent = heap[above]
      if (parent === undefined || !isBefore(step, parent)) break
      heap[at] = parent
      at = above
    }
    heap[at] = step
  }

  const pop = (): Step | undefined => {
    const first = heap[0]
    const last = heap.pop()
    if (first === undefined || last === undefined || heap.length === 0) return first
    let at = 0
    for (;;) {
      let below = 2 * at + 1
      let child = heap[below]
      if (child === undefined) break
      const right = heap[below + 1]
      if (right !== undefined && isBefore(right, child)) {
        below++
        child = right
      }
      if (!isBefore(child, last)) break
      heap[at] = child
      at = below
    }
    heap[at] = last
    return first
  }

  const note = (label: string): void => {
    hash = hashText(`${now} ${label};`, hash)
  }

  return {
    get now() {
      return now
    },
    get steps() {
      return steps
    },
    get hash() {
      return hash.toString(16).padStart(8, '0')
    },
    note,

    schedule(afterMs, label, run) {
      const step: Step = { at: now + Math.max(0, afterMs), turn: random.next(), label, run }
      push(step)
      return () => {
        step.run = undefined
      }
    },

    async runUntil(instant) {
      await loop.drain()
      for (let next = heap[0]; next !== undefined && next.at <= instant; next = heap[0]) {
        pop()
        const { run } = next
        if (run === undefined) continue
        now = next.at
        steps++
        note(next.label)
        run()
        await loop.drain()
      }
      now = instant
    },
  }
}
