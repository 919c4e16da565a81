import { createRandom, type Random, seedOf } from '../../test-support/random.ts'
import type { ClusterSize } from '../cluster.ts'
import { drawFaults, type Fault, type FaultMix } from '../faults.ts'
import type { Plan } from '../run.ts'
import { firstWebhooks, retried } from './config.ts'

/** How a command behaves. */
export interface Script {
  readonly takesMs: number
  readonly exitCode: number
  /** It ignores SIGTERM. */
  readonly isStubborn: boolean
}

/** A delivery from a sender. */
export interface DeliverEvent extends Script {
  readonly kind: 'deliver'
  readonly at: number
  readonly webhook: string
  /** Its idempotency key; several deliveries may share one. */
  readonly key: number
}

/** An event in the webhooks world. */
export type WebhooksEvent =
  | Fault
  | ClusterSize
  | DeliverEvent
  /** All processes run on one machine and see each other. */
  | { readonly kind: 'one host'; readonly at: 0 }
  /** Some webhooks run on their own. */
  | { readonly kind: 'own runs'; readonly at: 0 }
  /** Every process loads the other configuration. */
  | { readonly kind: 'reload'; readonly at: number; readonly config: 0 | 1 }
  /** Processes send the same notification, because each believes that the other ones are lost. */
  | { readonly kind: 'alert'; readonly at: number; readonly nth: number }
  /** A process ends in good order, and a new one starts. */
  | { readonly kind: 'restart'; readonly at: number; readonly machine: number }
  /** Cancels the newest known run. */
  | { readonly kind: 'cancel'; readonly at: number }

/** Events happen and faults begin before this time, in ms. */
export const troubleMs = 60_000

/** Draws the events of a run of the webhooks world. */
export function planWebhooks(seed: number): Plan<WebhooksEvent> {
  const random = createRandom(seedOf(seed, 'plan'))
  const machines = random.pick([1, 2, 2, 3])
  const all: FaultMix['kinds'] = ['kill', 'pause', 'storage', 'clock']
  const kinds = random.chance(0.5) ? [random.pick(all)] : all.filter(() => random.chance(0.5))
  const skewMs = random.chance(0.5) ? 0 : 5_000
  const used = Array.from({ length: random.between(1, 3) }, () => random.pick(firstWebhooks).id)
  const events: WebhooksEvent[] = [
    { kind: 'cluster', at: 0, machines, skewMs },
    ...(random.chance(0.4) ? [{ kind: 'one host', at: 0 } as const] : []),
    ...drawDeliveries(random, used),
    ...drawCancels(random),
    ...(random.chance(0.2) ? drawReloads(random) : []),
    ...(random.chance(0.2) ? drawRestarts(random) : []),
    ...drawFaults(random, { kinds, machines, untilMs: troubleMs, most: 5 }),
  ]
  // Draws of its own, so that earlier seeds keep their events.
  const own = createRandom(seedOf(seed, 'own runs'))
  if (own.chance(0.4)) {
    events.push({ kind: 'own runs', at: 0 }, ...drawDeliveries(own, [retried]), ...drawAlerts(own))
  }
  return { seed, events: events.sort((a, b) => a.at - b.at) }
}

function drawDeliveries(random: Random, used: readonly string[]): WebhooksEvent[] {
  const events: WebhooksEvent[] = []
  const bursts = random.between(2, 8)
  for (let burst = 0; burst < bursts; burst++) {
    const from = random.between(1_500, troubleMs)
    const webhook = random.pick(used)
    const key = random.between(1, 3)
    const count = random.between(1, 5)
    for (let nth = 0; nth < count; nth++) {
      const isShort = random.chance(0.6)
      events.push({
        kind: 'deliver',
        at: from + (random.chance(0.5) ? random.between(0, 20) : random.between(0, 3_000)),
        webhook,
        key,
        takesMs: isShort ? random.between(1, 2_000) : random.between(2_000, 20_000),
        exitCode: random.chance(0.8) ? 0 : 1,
        isStubborn: random.chance(0.2),
      })
    }
  }
  return events
}

const drawAlerts = (random: Random): WebhooksEvent[] =>
  Array.from({ length: random.between(1, 4) }, (_, nth) => ({
    kind: 'alert',
    at: random.between(2_000, troubleMs),
    nth,
  }))

const drawCancels = (random: Random): WebhooksEvent[] =>
  Array.from({ length: random.chance(0.3) ? random.between(1, 2) : 0 }, () => ({
    kind: 'cancel',
    at: random.between(2_000, troubleMs),
  }))

const drawReloads = (random: Random): WebhooksEvent[] =>
  Array.from({ length: random.between(1, 2) }, (_, nth) => ({
    kind: 'reload',
    at: random.between(2_000, troubleMs),
    config: nth === 0 ? 1 : 0,
  }))

const drawRestarts = (random: Random): WebhooksEvent[] =>
  Array.from({ length: random.between(1, 2) }, () => ({
    kind: 'restart',
    at: random.between(2_000, troubleMs),
    machine: random.between(0, 2),
  }))
