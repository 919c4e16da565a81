import type { Clock, Ids } from '@gatehouse/core'
import { createRandom, type Random, randomUuid, seedOf } from '../test-support/random.ts'
import type { Timeline } from './timeline.ts'

/** Calls of a process to the outside. */
export type CallKind = 'read' | 'commit' | 'send'

/** The effect of a fault on its process. */
export type Strike =
  | { readonly effect: 'kill'; readonly backAfterMs: number }
  | { readonly effect: 'pause'; readonly forMs: number }

/** A strike that waits for a call: the `nth` of its kind from now on, before or after the call takes effect. */
export interface ArmedStrike {
  readonly call: CallKind
  nth: number
  readonly isAfter: boolean
  strike(): void
}

/** A process from its start until it is killed. After that none of its calls settles. */
export interface Life {
  readonly machine: Machine
  readonly isDead: boolean
  readonly clock: Clock
  readonly ids: Ids
  readonly random: () => number
  /**
   * Makes a call that leaves the process.
   *
   * @param effect the work at the other end, which happens even if the process is stopped meanwhile.
   * @param takesMs until it takes effect, and then until the answer arrives.
   */
  call<T>(
    kind: CallKind,
    effect: () => Promise<T>,
    takesMs: { readonly there: number; readonly back: number },
  ): Promise<T>
  /** Runs work in this process as soon as the process runs. */
  enter(label: string, work: () => void): void
}

/** A place where a process is started, paused, killed and restarted. */
export interface Machine {
  readonly name: string
  /** How far its wall clock is ahead of the true time, in ms. */
  offsetMs: number
  readonly life: Life | undefined
  readonly isPaused: boolean
  readonly timers: number
  boot(): Life
  kill(): void
  pause(): void
  resume(): void
  arm(strike: ArmedStrike): void
  disarm(): void
}

/** The true time at the start of a run. */
export const epoch = Date.UTC(2026, 0, 1)

/** A machine without a process. */
export function createMachine(
  name: string,
  { timeline, seed }: { timeline: Timeline; seed: number },
): Machine {
  let life: LifeState | undefined
  let isPaused = false
  let armed: ArmedStrike[] = []
  let boots = 0

  const strikeAt = (call: CallKind, isAfter: boolean): void => {
    for (const one of armed) {
      if (one.call !== call || one.isAfter !== isAfter || --one.nth > 0) continue
      armed = armed.filter((other) => other !== one)
      one.strike()
    }
  }

  const machine: Machine = {
    name,
    offsetMs: 0,
    get life() {
      return life
    },
    get isPaused() {
      return isPaused
    },
    get timers() {
      return life?.timers ?? 0
    },
    boot() {
      boots++
      isPaused = false
      life = createLife(machine, {
        timeline,
        random: createRandom(seedOf(seed, `${name}#${boots}`)),
        strikeAt,
      })
      return life
    },
    kill() {
      if (life !== undefined) life.isDead = true
      life = undefined
      isPaused = false
      armed = []
    },
    pause() {
      isPaused = life !== undefined
    },
    resume() {
      isPaused = false
      const backlog = life?.backlog.splice(0) ?? []
      for (const { label, work } of backlog) life?.enterIn(0, label, work)
    },
    arm(strike) {
      armed.push(strike)
    },
    disarm() {
      armed = []
    },
  }
  return machine
}

interface LifeState extends Life {
  isDead: boolean
  timers: number
  readonly backlog: { label: string; work: () => void }[]
  enterIn(ms: number, label: string, work: () => void): () => void
}

const never: Promise<never> = new Promise(() => {})

function createLife(
  machine: Machine,
  {
    timeline,
    random,
    strikeAt,
  }: { timeline: Timeline; random: Random; strikeAt: (call: CallKind, isAfter: boolean) => void },
): LifeState {
  const run = (label: string, work: () => void): void => {
    if (life.isDead) return
    if (machine.isPaused) life.backlog.push({ label, work })
    else work()
  }

  // A monotonic clock starts again with each process.
  const bootedAt = random.between(0, 1_000_000) - timeline.now
  const life: LifeState = {
    machine,
    isDead: false,
    timers: 0,
    backlog: [],
    random: random.next,
    ids: { random: () => randomUuid(random), ordered: () => randomUuid(random) },

    clock: {
      now: () => epoch + timeline.now + machine.offsetMs,
      monotonic: () => bootedAt + timeline.now,
      setTimer(ms, fire) {
        let isWaiting = true
        const end = (): void => {
          if (isWaiting) life.timers--
          isWaiting = false
        }
        life.timers++
        const cancel = life.enterIn(ms, 'timer', () => {
          if (!isWaiting) return
          end()
          fire()
        })
        return () => {
          end()
          cancel()
        }
      },
    },

    enterIn: (ms, label, work) =>
      timeline.schedule(ms, `${machine.name} ${label}`, () => run(label, work)),

    enter(label, work) {
      life.enterIn(0, label, work)
    },

    call(kind, effect, { there, back }) {
      if (life.isDead) return never
      strikeAt(kind, false)
      if (life.isDead) return never
      return new Promise((resolve, reject) => {
        const answer = (settle: () => void): void => {
          if (back === 0) run(kind, settle)
          else life.enterIn(back, `${kind} answered`, settle)
        }
        const leave = (): void => {
          timeline.schedule(there, `${machine.name} ${kind}`, () => {
            const answered = effect()
            if (!life.isDead) strikeAt(kind, true)
            answered.then(
              (value) => answer(() => resolve(value)),
              (error: unknown) => answer(() => reject(error)),
            )
          })
        }
        // A process that is stopped just before a call makes the call when it continues.
        run(kind, leave)
      })
    },
  }
  return life
}
