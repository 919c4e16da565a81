import { createRandom, type Random, seedOf } from '../test-support/random.ts'

/** An action of a client, and how many ms after the start of its round it happens. */
export type Action = { readonly at: number } & (
  | {
      readonly kind: 'post'
      readonly group: string
      readonly name: string
      readonly fires: boolean
    }
  /** Silences a group of its own, lets an alert of it fire, and expires the silence. */
  | { readonly kind: 'silence'; readonly group: string; readonly forMs: number }
  | { readonly kind: 'run'; readonly webhook: string }
)

/** A fault of a process. */
export interface Fault {
  /** `end` is SIGTERM. A killed or ended process is started again. */
  readonly kind: 'kill' | 'stop' | 'end'
  readonly at: number
  readonly process: number
  /** Whether to wait for a while until the receiver is handling a notification. */
  readonly duringNotification: boolean
  /** How long the process is away, in ms. */
  readonly forMs: number
}

/** About a second of trouble. */
export interface Round {
  readonly actions: readonly Action[]
  readonly faults: readonly Fault[]
}

/** The actions and faults of one storage's processes, drawn from a seed. */
export interface Plan {
  readonly seed: number
  readonly processes: number
  readonly rounds: readonly Round[]
}

/** Webhooks of every kind of {@link webhooks}. */
export const webhookIds = ['queued', 'latest', 'waited-for'] as const

const groups = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j']
/** Longer than the 15 s after which a process that is away loses its claims. */
const longStopMs = 17_000

/** Draws a {@link Plan}: a seed always gives the same plan, but not the same outcome. */
export function planChaos(seed: number, rounds: number): Plan {
  const random = createRandom(seedOf(seed, 'chaos'))
  const processes = random.between(1, 2)
  return {
    seed,
    processes,
    rounds: Array.from({ length: rounds }, (_, round) => ({
      actions: drawActions(random, round).sort((a, b) => a.at - b.at),
      faults: drawFaults(random, processes),
    })),
  }
}

const times = <T>(count: number, draw: () => T): T[] => Array.from({ length: count }, draw)

function drawActions(random: Random, round: number): Action[] {
  const at = (): number => random.between(0, 800)
  const posts = times(random.between(4, 12), (): Action => {
    const [group, name] = [random.pick(groups), random.pick(['one', 'two'])]
    return { kind: 'post', at: at(), group, name, fires: random.chance(0.6) }
  })
  const silences = times(random.chance(0.3) ? 1 : 0, (): Action => {
    return {
      kind: 'silence',
      at: at(),
      group: `silenced-${round}`,
      forMs: random.between(0, 2_000),
    }
  })
  const runs = times(random.between(1, 5), (): Action => {
    return { kind: 'run', at: at(), webhook: random.pick(webhookIds) }
  })
  return [...posts, ...silences, ...runs]
}

function drawFaults(random: Random, processes: number): Fault[] {
  return times(random.pick([1, 1, 1, 2]), () => {
    const kind = random.pick(['kill', 'kill', 'kill', 'stop', 'stop', 'end'] as const)
    const isLong = kind === 'stop' && processes > 1 && random.chance(0.1)
    return {
      kind,
      at: random.between(0, 900),
      process: random.between(0, processes - 1),
      duringNotification: random.chance(0.4),
      forMs: isLong ? longStopMs : random.between(0, kind === 'stop' ? 1_500 : 300),
    }
  })
}
