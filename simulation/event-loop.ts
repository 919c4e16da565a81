import { createRandom } from '../test-support/random.ts'
import type { EventLoop, Timeline } from './timeline.ts'

/** The event loop of this process while a run controls it. */
export interface TakenEventLoop extends EventLoop {
  /** Makes `setTimeout` wait on this timeline. */
  follow(timeline: Timeline): void
  /** Restores the globals. */
  release(): void
}

/** Schedule turns in batches: between batches Node.js polls for I/O and timers, which takes longer than most turns. */
const turnsAtOnce = 64

/**
 * Replaces the few globals that services use without a port, so that a run depends on its seed alone: the short waits between
 * commit retries (`setTimeout`, `Math.random`) and the end of a turn of the event loop (`setImmediate`). Services reach
 * everything else outside through ports.
 */
export function takeEventLoop(seed: number): TakenEventLoop {
  const {
    setImmediate: realImmediate,
    setTimeout: realTimeout,
    clearTimeout: realClear,
  } = globalThis
  const realRandom = Math.random
  /** Work that services scheduled for the end of a turn. */
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
    if (timeline === undefined) throw new Error('setTimeout is not available before the run begins')
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
  /** Between two turns, all microtasks have run. */
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
