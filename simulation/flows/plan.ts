import { createRandom, seedOf } from '../../test-support/random.ts'
import type { ClusterSize } from '../cluster.ts'
import { drawFaults, type Fault, type FaultMix } from '../faults.ts'
import type { Plan } from '../run.ts'

/** An action of people; some happen several times at once. */
export type FlowsEvent =
  | Fault
  | ClusterSize
  | {
      /**
       * `signup`: several people want the same address. `verify`: one code is entered several times. `login`: one state is
       * finished several times. `recover`: one recovery code sets several passwords. `create`: one IP address creates several
       * flows.
       */
      readonly kind: 'signup' | 'verify' | 'login' | 'recover' | 'create'
      readonly at: number
      /** The index of the person's address. */
      readonly person: number
      readonly racers: number
    }

/** Actions happen and faults begin before this time, in ms. */
export const troubleMs = 30_000
/** People who have an account from the start. */
export const members = 2
/** How many flows one address may create a minute. */
export const flowsPerMinute = 5
/** People without an account. */
const strangers = 2

/** Draws the events of a run of the flows world. */
export function planFlows(seed: number): Plan<FlowsEvent> {
  const random = createRandom(seedOf(seed, 'plan'))
  const machines = random.pick([1, 2, 2, 3])
  const all: FaultMix['kinds'] = ['kill', 'pause', 'storage', 'clock']
  const kinds = random.chance(0.5) ? [random.pick(all)] : all.filter(() => random.chance(0.5))
  const actions = Array.from({ length: random.between(3, 8) }, (): FlowsEvent => {
    const kind = random.pick(['signup', 'signup', 'verify', 'login', 'recover', 'create'] as const)
    const isStranger = kind === 'signup' || kind === 'verify'
    const person = isStranger
      ? members + random.between(0, strangers - 1)
      : random.between(0, members - 1)
    const racers = kind === 'create' ? random.between(5, 15) : random.between(1, 4)
    return { kind, at: random.between(1_000, troubleMs), person, racers }
  })
  const skewMs = random.chance(0.5) ? 0 : 5_000
  const events: FlowsEvent[] = [
    { kind: 'cluster', at: 0, machines, skewMs },
    ...actions,
    ...drawFaults(random, { kinds, machines, untilMs: troubleMs, most: 5 }),
  ]
  return { seed, events: events.sort((a, b) => a.at - b.at) }
}
