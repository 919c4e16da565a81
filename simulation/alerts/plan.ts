import { createRandom, type Random, seedOf } from '../../test-support/random.ts'
import type { ClusterSize } from '../cluster.ts'
import { drawFaults, type Fault, type FaultMix } from '../faults.ts'
import type { Plan } from '../run.ts'

/** How a receiver treats requests. `ignores`: it accepts them and never answers. */
export type ReceiverMood = 'fine' | 'slow' | 'refuses' | 'errs' | 'fails' | 'ignores'

/** An event in the alerts world. */
export type AlertsEvent =
  | Fault
  | { readonly kind: 'alert'; readonly at: number; readonly alert: number; readonly fires: boolean }
  | {
      readonly kind: 'silence'
      readonly at: number
      readonly alertname: string
      readonly forMs: number
      /** A user expires the silence after this time. */
      readonly expiresAfterMs?: number
    }
  | {
      readonly kind: 'receiver'
      readonly at: number
      readonly mood: Exclude<ReceiverMood, 'fine'>
      readonly forMs: number
      /** The name of the integrations that it concerns (default all). */
      readonly only?: string
    }
  | { readonly kind: 'reload'; readonly at: number; readonly config: number }
  /** Receivers have a rate limit. */
  | { readonly kind: 'limit'; readonly at: 0 }
  | ClusterSize

/** The labels of the alerts in this world. */
export const alertLabels = [
  { alertname: 'A', instance: '1' },
  { alertname: 'A', instance: '2' },
  { alertname: 'B', instance: '1' },
  { alertname: 'C', instance: '1' },
] as const

/** Events happen and faults begin before this time, in ms. */
export const troubleMs = 90_000

/** Draws the events of a run of the alerts world. */
export function planAlerts(seed: number): Plan<AlertsEvent> {
  const random = createRandom(seedOf(seed, 'plan'))
  const machines = random.pick([1, 2, 2, 3])
  const all: FaultMix['kinds'] = ['kill', 'pause', 'storage', 'clock']
  const kinds = random.chance(0.5) ? [random.pick(all)] : all.filter(() => random.chance(0.5))
  const skewMs = random.chance(0.5) ? 0 : 5_000
  const isLimited = createRandom(seedOf(seed, 'limit')).chance(0.3)
  const isOfOne = createRandom(seedOf(seed, 'only')).chance(0.3)
  const events: AlertsEvent[] = [
    { kind: 'cluster', at: 0, machines, skewMs },
    ...(isLimited ? [{ kind: 'limit', at: 0 } as const] : []),
    ...drawAlerts(random),
    ...(random.chance(0.5)
      ? drawReceiver(random).map((event) => (isOfOne ? { ...event, only: 'y' } : event))
      : []),
    ...(random.chance(0.25) ? drawSilences(random) : []),
    ...(random.chance(0.2) ? drawReloads(random) : []),
    ...(createRandom(seedOf(seed, 'backoff')).chance(0.1)
      ? drawStopInBackoff(createRandom(seedOf(seed, 'stop')), machines)
      : []),
    ...drawFaults(random, { kinds, machines, untilMs: troubleMs, most: 5 }),
  ]
  return { seed, events: events.sort((a, b) => a.at - b.at) }
}

function drawAlerts(random: Random): AlertsEvent[] {
  const events: AlertsEvent[] = []
  const used = random.between(1, alertLabels.length)
  for (let alert = 0; alert < used; alert++) {
    let fires = true
    let at = random.between(0, 20_000)
    while (at < troubleMs) {
      events.push({ kind: 'alert', at, alert, fires })
      fires = !fires
      at += random.chance(0.3) ? random.between(500, 5_000) : random.between(5_000, 50_000)
    }
  }
  return events
}

const drawReceiver = (random: Random): Extract<AlertsEvent, { kind: 'receiver' }>[] =>
  Array.from({ length: random.between(1, 3) }, () => ({
    kind: 'receiver',
    at: random.between(0, troubleMs),
    mood: random.pick(['slow', 'refuses', 'refuses', 'errs', 'fails', 'ignores'] as const),
    forMs: random.between(1_000, 40_000),
  }))

/** A process is stopped while it waits to repeat what was refused; others take over, and the alert changes meanwhile. */
function drawStopInBackoff(random: Random, machines: number): AlertsEvent[] {
  const at = random.between(20_000, 50_000)
  const alert = random.between(0, alertLabels.length - 1)
  const fires = random.chance(0.5)
  const call = { kind: 'send', nth: 1, isAfter: true, laterMs: random.between(20, 400) } as const
  const forMs = random.between(25_000, 40_000)
  return [
    { kind: 'alert', at: at - 15_000, alert, fires: true },
    ...(fires ? [] : [{ kind: 'alert', at, alert, fires: false } as const]),
    { kind: 'receiver', at: at - 10_000, mood: 'refuses', forMs: 25_000 },
    { kind: 'strike', at, machine: random.between(0, machines - 1), call, effect: 'pause', forMs },
    { kind: 'alert', at: at + random.between(5_000, 15_000), alert, fires: !fires },
  ]
}

const drawSilences = (random: Random): AlertsEvent[] =>
  Array.from({ length: random.between(1, 2) }, () => {
    const at = random.between(0, troubleMs)
    const silence = { kind: 'silence', at, alertname: random.pick(['A', 'B', 'C']) } as const
    const forMs = random.between(5_000, 200_000)
    if (random.chance(0.5)) return { ...silence, forMs }
    return { ...silence, forMs, expiresAfterMs: random.between(1_000, forMs) }
  })

const drawReloads = (random: Random): AlertsEvent[] =>
  Array.from({ length: random.between(1, 2) }, () => ({
    kind: 'reload',
    at: random.between(0, troubleMs),
    config: random.between(0, 2),
  }))
