import { createRandom } from './random.ts'
import type { EventLoop, Timeline } from './timeline.ts'

/** The event loop of this process while a run has it. */
export interface TakenEventLoop extends EventLoop {
  /** Lets `setTimeout` wait on this timeline. */
  follow(timeline: Timeline): void
  /** Gives the globals back. */
  release(): void
}

/** Each time that there are none left, Node.js looks for input and for timers of its own, which takes longer than most turns. */
const turnsAtOnce = 64

/**
 * Takes the few globals that services use without a port, so that a run depends on its seed alone: the short waits
 * between attempts of a commit (`setTimeout`, `Math.random`) and the end of a turn of the event loop (`setImmediate`).
 * Every other way to the outside is a port.
 */
export function takeEventLoop(seed: number): TakenEventLoop {
  const {
    setImmediate: realImmediate,
    setTimeout: realTimeout,
    clearTimeout: realClear,
  } = globalThis
  const realRandom = Math.random
  /** What services do at the end of a turn. */
  const immediates: (() => void)[] = []
  /** Turns that are scheduled and have not begun. */
  let turns = 0
  let drained: (() => void) | undefined
  let timeline: Timeline | undefined

  const later = (work: (...args: unknown[]) => void, ...args: unknown[]): void => {
    immediates.push(() => work(...args))
  }
  const waits = new WeakMap<object, () => void>()
  const wait = (work: () => void, ms = 0): object => {
    if (timeline === undefined) throw new Error('nothing can wait before the run begins')
    const handle = { ref: () => handle, unref: () => handle, hasRef: () => false }
    waits.set(handle, timeline.schedule(ms, 'wait', work))
    return handle
  }
  const forget = (handle: unknown): void => {
    const cancel = typeof handle === 'object' && handle !== null ? waits.get(handle) : undefined
    if (cancel === undefined) realClear(handle as NodeJS.Timeout)
    else cancel()
  }

  Object.assign(globalThis, { setImmediate: later, setTimeout: wait, clearTimeout: forget })
  Math.random = createRandom(seed).next
  const scheduleTurns = (): void => {
    for (; turns < turnsAtOnce; turns++) realImmediate(turn)
  }
  /** Before the next one everything has run that waits for no time. */
  const turn = (): void => {
    turns--
    const work = immediates.shift()
    if (work !== undefined) work()
    else {
      drained?.()
      drained = undefined
    }
    if (turns === 0 && drained !== undefined) scheduleTurns()
  }
  return {
    drain: () =>
      new Promise((resolve) => {
        drained = resolve
        if (turns === 0) scheduleTurns()
      }),
    follow(of) {
      timeline = of
    },
    release() {
      Object.assign(globalThis, {
        setImmediate: realImmediate,
        setTimeout: realTimeout,
        clearTimeout: realClear,
      })
      Math.random = realRandom
    },
  }
}
