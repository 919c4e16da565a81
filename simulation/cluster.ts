import type { Storage } from '@gatehouse/core'
import { createRandom, type Random, seedOf } from '../test-support/random.ts'
import { type TakenEventLoop, takeEventLoop } from './event-loop.ts'
import { type Fault, scheduleFault } from './faults.ts'
import { createMachine, type Life, type Machine } from './machine.ts'
import { type Outcome, type Plan, storyLine } from './run.ts'
import { createSharedStorage, type SharedStorage } from './storage.ts'
import { createTimeline, type Timeline } from './timeline.ts'

/** The number of processes, and how far their clocks may differ. */
export interface ClusterSize {
  readonly kind: 'cluster'
  readonly at: 0
  readonly machines: number
  readonly skewMs: number
}

/** A fault that has happened to a machine. */
export interface Struck {
  readonly machine: string
  readonly what: string
  readonly at: number
  readonly until: number
}

/** A service in several processes over one storage. */
export interface Cluster<S> {
  readonly timeline: Timeline
  readonly machines: readonly Machine[]
  readonly storage: SharedStorage
  readonly faults: readonly Struck[]
  /** The running service of each machine. */
  services(): Iterable<{ readonly life: Life; readonly service: S }>
  /** Random numbers for one part of the run. */
  draw(part: string): Random
  tell(text: string): void
  /** Calls the service that now runs on a machine. The call never settles if its process is killed. */
  ask<T>(machine: Machine, work: (service: S, life: Life) => Promise<T>): Promise<T>
  /** Replaces the process on a machine, which has ended in good order, with a new one. */
  restart(machine: Machine, afterMs: number): void
  /** Applies a fault at its time. */
  schedule(fault: Fault): void
  /** Boots all machines, applies faults until this instant, then heals every fault. */
  runUntilHealed(instant: number): Promise<void>
}

/** Creates a cluster for a plan. */
export function createCluster<S>(
  { seed, events }: Plan<{ readonly kind: string } | ClusterSize>,
  { loop, boot }: { loop: TakenEventLoop; boot: (life: Life, storage: Storage) => S },
): Cluster<S> & { readonly story: readonly string[] } {
  const draw = (part: string): Random => createRandom(seedOf(seed, part))
  const timeline = createTimeline(seedOf(seed, 'order'), loop)
  loop.follow(timeline)
  const story: string[] = []
  const tell = (text: string): void => void story.push(storyLine(timeline.now, text))
  const size = events.find((event): event is ClusterSize => event.kind === 'cluster')
  const random = draw('cluster')
  const machines = Array.from({ length: size?.machines ?? 1 }, (_, index) =>
    createMachine('abc'[index] ?? 'z', { timeline, seed }),
  )
  const skews = machines.map(() => (random.between(-1, 1) * (size?.skewMs ?? 0)) / 2)
  const storage = createSharedStorage({ timeline, random: draw('storage') })
  const running = new Map<Machine, { readonly life: Life; readonly service: S }>()
  const faults: Struck[] = []
  let isHealed = false

  const start = (machine: Machine): void => {
    const life = machine.boot()
    const { offsetMs } = machine
    tell(
      `${machine.name}: starts${offsetMs === 0 ? '' : `, its clock off by ${offsetMs / 1_000} s`}`,
    )
    running.set(machine, { life, service: boot(life, storage.of(life)) })
  }

  const world = {
    timeline,
    machines,
    storage,
    start,
    tell,
    struck(machine: Machine, what: string, until: number) {
      faults.push({ machine: machine.name, what, at: timeline.now, until })
    },
    get isHealed() {
      return isHealed
    },
  }

  return {
    timeline,
    machines,
    storage,
    faults,
    story,
    draw,
    tell,
    services: () => running.values(),

    ask: (machine, work) =>
      new Promise((resolve, reject) => {
        const found = running.get(machine)
        if (found === undefined || found.life.isDead) {
          reject(new Error(`${machine.name} does not run`))
          return
        }
        const { life, service } = found
        life.enter('request', () => void work(service, life).then(resolve, reject))
      }),

    restart(machine, afterMs) {
      machine.kill()
      timeline.schedule(afterMs, `${machine.name} boots`, () => {
        if (machine.life === undefined) start(machine)
      })
    },

    schedule: (fault) => scheduleFault(fault, world),

    async runUntilHealed(instant) {
      for (const [index, machine] of machines.entries()) {
        machine.offsetMs = skews[index] ?? 0
        timeline.schedule(random.between(0, 1_000), `${machine.name} boots`, () => {
          if (machine.life === undefined) start(machine)
        })
      }
      await timeline.runUntil(instant)
      isHealed = true
      tell('every fault is over')
      for (const [index, machine] of machines.entries()) {
        machine.disarm()
        machine.offsetMs = skews[index] ?? 0
        storage.connect(machine, 'there')
        if (machine.life === undefined) start(machine)
        else if (machine.isPaused) machine.resume()
      }
    },
  }
}

/** Runs work that has the event loop to itself. */
export async function withEventLoop(
  seed: number,
  work: (loop: TakenEventLoop) => Promise<Outcome>,
): Promise<Outcome> {
  const loop = takeEventLoop(seedOf(seed, 'globals'))
  try {
    return await work(loop)
  } finally {
    loop.release()
  }
}
