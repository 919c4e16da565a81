import type { Random } from '../test-support/random.ts'
import type { CallKind, Machine, Strike } from './machine.ts'
import type { Connection, SharedStorage } from './storage.ts'
import type { Timeline } from './timeline.ts'

/** A fault of the environment that services must survive. */
export type Fault =
  | ({
      readonly kind: 'strike'
      readonly at: number
      readonly machine: number
      /** Without it, the fault strikes at `at`. Otherwise it strikes `laterMs` after the nth such call from `at` on. */
      readonly call?: {
        readonly kind: CallKind
        readonly nth: number
        readonly isAfter: boolean
        readonly laterMs: number
      }
    } & Strike)
  | {
      readonly kind: 'storage'
      readonly at: number
      readonly machine: number
      readonly connection: Exclude<Connection, 'there'>
      readonly forMs: number
    }
  | {
      readonly kind: 'clock'
      readonly at: number
      readonly machine: number
      readonly byMs: number
      /** After this time the clock is corrected. */
      readonly forMs: number
    }

/** The kinds of faults in a run. A run with few kinds shows which of them causes a failure. */
export interface FaultMix {
  readonly kinds: readonly ('kill' | 'pause' | 'storage' | 'clock')[]
  readonly machines: number
  /** Faults begin before this instant. */
  readonly untilMs: number
  readonly most: number
}

const seconds = (random: Random, least: number, most: number): number =>
  random.between(least * 10, most * 10) * 100

/** Draws the faults of one run, ordered by their start. */
export function drawFaults(random: Random, mix: FaultMix): Fault[] {
  if (mix.kinds.length === 0) return []
  const draw = (): Fault => {
    const at = random.between(0, mix.untilMs)
    const machine = random.between(0, mix.machines - 1)
    const kind = random.pick(mix.kinds)
    if (kind === 'storage') {
      const connection = random.pick(['away', 'unanswered', 'read-only', 'slow'] as const)
      return { kind, at, machine, connection, forMs: seconds(random, 0, 30) }
    }
    if (kind === 'clock') {
      const byMs = random.pick([-3_600_000, -60_000, -5_000, 5_000, 60_000, 3_600_000])
      // Half of the wrong clocks are wrong from the start, as after boot.
      const from = random.chance(0.5) ? 0 : at
      return { kind, at: from, machine, byMs, forMs: seconds(random, 1, 60) }
    }
    const strike: Strike =
      kind === 'kill'
        ? { effect: 'kill', backAfterMs: seconds(random, 0, 30) }
        : { effect: 'pause', forMs: seconds(random, 0, 40) }
    if (random.chance(0.3)) return { kind: 'strike', at, machine, ...strike }
    const call = {
      kind: random.pick(['send', 'send', 'commit', 'read'] as const),
      nth: random.between(1, 4),
      isAfter: random.chance(0.7),
      laterMs: random.chance(0.3) ? random.between(1, 400) : 0,
    }
    return { kind: 'strike', at, machine, call, ...strike }
  }
  const count = random.between(1, mix.most)
  return Array.from({ length: count }, draw).sort((a, b) => a.at - b.at)
}

/** The parts of a run that {@link scheduleFault} acts on. */
export interface FaultyWorld {
  readonly timeline: Timeline
  readonly machines: readonly Machine[]
  readonly storage: SharedStorage
  /** Starts the service on a machine again. */
  start(machine: Machine): void
  /** Whether faults are over: then none begins or has an effect. */
  readonly isHealed: boolean
  /** Called when a fault begins. */
  struck(machine: Machine, what: string, until: number): void
  tell(text: string): void
}

/** Applies a fault at its time. */
export function scheduleFault(fault: Fault, world: FaultyWorld): void {
  const { timeline, machines, storage } = world
  const machine = machines[fault.machine % machines.length]
  if (machine === undefined) return
  const after = (ms: number, run: () => void): void => {
    timeline.schedule(ms, `fault ${fault.kind}`, () => world.isHealed || run())
  }
  after(fault.at, () => {
    if (fault.kind === 'storage') {
      world.struck(machine, fault.connection, timeline.now + fault.forMs)
      world.tell(`${machine.name}: the storage is ${fault.connection} for ${fault.forMs / 1_000} s`)
      storage.connect(machine, fault.connection)
      after(fault.forMs, () => {
        world.tell(`${machine.name}: the storage is there again`)
        storage.connect(machine, 'there')
      })
    } else if (fault.kind === 'clock') {
      world.struck(machine, 'clock', timeline.now + fault.forMs)
      world.tell(`${machine.name}: its clock jumps by ${fault.byMs / 1_000} s`)
      machine.offsetMs += fault.byMs
      after(fault.forMs, () => {
        world.struck(machine, 'clock', timeline.now)
        world.tell(`${machine.name}: its clock is corrected by ${-fault.byMs / 1_000} s`)
        machine.offsetMs -= fault.byMs
      })
    } else if (fault.call === undefined) {
      strike(fault, machine, world, '')
    } else {
      const { kind, nth, isAfter, laterMs } = fault.call
      const where = ` ${isAfter ? 'after' : 'before'} a ${kind}`
      const now = (): void => strike(fault, machine, world, where)
      const soon = laterMs === 0 ? now : () => after(laterMs, now)
      machine.arm({ call: kind, nth, isAfter, strike: soon })
    }
  })
}

function strike(fault: Strike, machine: Machine, world: FaultyWorld, where: string): void {
  if (machine.life === undefined || machine.isPaused) return
  const { timeline } = world
  if (fault.effect === 'kill') {
    world.struck(machine, 'killed', timeline.now)
    world.tell(`${machine.name}: killed${where}, back after ${fault.backAfterMs / 1_000} s`)
    machine.kill()
    timeline.schedule(fault.backAfterMs, `${machine.name} boots`, () => {
      if (machine.life === undefined) world.start(machine)
    })
  } else {
    world.struck(machine, 'paused', timeline.now + fault.forMs)
    world.tell(`${machine.name}: stopped${where}, for ${fault.forMs / 1_000} s`)
    machine.pause()
    const paused = machine.life
    timeline.schedule(fault.forMs, `${machine.name} goes on`, () => {
      if (machine.life !== paused || !machine.isPaused) return
      world.tell(`${machine.name}: continues`)
      machine.resume()
    })
  }
}
