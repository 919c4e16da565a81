import type { Webhook, WebhookLimits } from '../webhook.ts'
import { createWaitingLine, type Waiter, type WaitingLine } from './waiting-line.ts'

/** A run that wants a place, with the definition it was accepted with. */
export interface Entrant extends Waiter {
  readonly run_id: string
  readonly webhook: Pick<Webhook, 'id' | 'concurrency' | 'queue' | 'on_busy'>
  /** Whether it has a place. Only the admission sets it. */
  hasPlace: boolean
}

/** Creates a run without a place in the service or in a queue. */
export function createEntrant(run_id: string, webhook: Entrant['webhook']): Entrant {
  return { run_id, webhook, isWaiting: false, hasPlace: false }
}

/** The number of runs of a webhook. */
export interface RunCounts {
  readonly running: number
  readonly waiting: number
}

/**
 * Decides which runs of this process have a place, and which wait in a queue: first come, first served within a webhook. Free
 * places of the server go to the webhooks in turn, so that a busy one does not block others.
 */
export interface Admission {
  /** Gives a run a place, or queues it; `full` if neither is possible. */
  enter(entrant: Entrant): 'placed' | 'waiting' | 'full'
  /** Runs before this one in the same queue; empty if it does not wait. */
  before(entrant: Entrant): readonly string[]
  /** A run has ended or no longer waits. Has no effect on a run that has left already, or never entered. */
  leave(entrant: Entrant): void
  /** Takes the place of a run back, because other processes have all places of its webhook, and queues it. */
  demote(entrant: Entrant): 'waiting' | 'full'
  /** The number of this process's places for a webhook has changed. */
  changed(webhookId: string): void
  /** The first in the queue of a webhook, if it could use a place: the server has room for another run. */
  next(webhookId: string): Entrant | undefined
  /** All waiting runs of a webhook, in order. */
  waiting(webhookId: string): readonly string[]
  /** Gives free places to waiting runs; returns the ids of those runs, in order. */
  fill(): readonly string[]
  counts(webhookId: string): RunCounts
  /** Whether the server runs as many as it may. */
  isFull(): boolean
  /** The webhooks that have runs. */
  busy(): readonly string[]
}

/** The runs of one webhook. */
interface Lane {
  running: number
  readonly waiting: WaitingLine<Entrant>
}

/**
 * Creates an {@link Admission} with limits that may change at any time.
 *
 * @param owned how many places of a webhook this process has; waiting runs get no more.
 */
export function createAdmission(
  limits: () => Pick<WebhookLimits, 'concurrency' | 'queue'>,
  owned: (webhook: Entrant['webhook']) => number = () => Number.POSITIVE_INFINITY,
): Admission {
  const lanes = new Map<string, Lane>()
  /** Webhooks that wait only for a place of the server, in the order of their turns. */
  const turns = new Set<string>()
  let running = 0
  let waiting = 0

  const open = (id: string): Lane => {
    const known = lanes.get(id)
    if (known !== undefined) return known
    const lane = { running: 0, waiting: createWaitingLine<Entrant>() }
    lanes.set(id, lane)
    return lane
  }

  const hasPlace = (lane: Lane, { webhook }: Entrant): boolean =>
    webhook.concurrency === 0 || lane.running < webhook.concurrency

  const mayHavePlace = (lane: Lane, entrant: Entrant): boolean =>
    hasPlace(lane, entrant) &&
    (entrant.webhook.concurrency === 0 || lane.running < owned(entrant.webhook))

  /** Whether there is room in the queues, counting the room of runs that the newest one replaces. */
  const hasPlaceInLine = (lane: Lane, { webhook }: Entrant): boolean => {
    if (webhook.on_busy === 'reject') return false
    const leaving = webhook.on_busy === 'latest' ? lane.waiting.size : 0
    return lane.waiting.size - leaving < webhook.queue && waiting - leaving < limits().queue
  }

  /** Gives a webhook turns if it can use them. */
  const settle = (id: string, lane: Lane): void => {
    const next = lane.waiting.first()
    if (next !== undefined && mayHavePlace(lane, next)) turns.add(id)
    else turns.delete(id)
    if (lane.running === 0 && lane.waiting.size === 0) lanes.delete(id)
  }

  return {
    enter(entrant) {
      const { id } = entrant.webhook
      const lane = open(id)
      const isFree = lane.waiting.size === 0 && hasPlace(lane, entrant)
      if (isFree && running < limits().concurrency) {
        entrant.hasPlace = true
        lane.running++
        running++
        return 'placed'
      }
      if (!hasPlaceInLine(lane, entrant)) {
        settle(id, lane)
        return 'full'
      }
      lane.waiting.add(entrant)
      waiting++
      settle(id, lane)
      return 'waiting'
    },

    demote(entrant) {
      const { id } = entrant.webhook
      const lane = open(id)
      entrant.hasPlace = false
      lane.running--
      running--
      const isIn = hasPlaceInLine(lane, entrant)
      if (isIn) {
        lane.waiting.add(entrant)
        waiting++
      }
      settle(id, lane)
      return isIn ? 'waiting' : 'full'
    },

    changed(id) {
      const lane = lanes.get(id)
      if (lane !== undefined) settle(id, lane)
    },

    next(id) {
      return running < limits().concurrency ? lanes.get(id)?.waiting.first() : undefined
    },

    waiting: (id) => (lanes.get(id)?.waiting.all() ?? []).map(({ run_id }) => run_id),

    before(entrant) {
      const line = lanes.get(entrant.webhook.id)?.waiting.all() ?? []
      const at = line.indexOf(entrant)
      return line.slice(0, Math.max(0, at)).map(({ run_id }) => run_id)
    },

    leave(entrant) {
      const { id } = entrant.webhook
      const lane = lanes.get(id)
      if (lane === undefined) return
      if (entrant.isWaiting) {
        lane.waiting.remove(entrant)
        waiting--
      } else if (entrant.hasPlace) {
        entrant.hasPlace = false
        lane.running--
        running--
      }
      settle(id, lane)
    },

    fill() {
      const placed: string[] = []
      for (const id of turns) {
        if (running >= limits().concurrency) break
        const lane = open(id)
        const next = lane.waiting.first()
        // Another process may have taken the place since.
        if (next === undefined || !mayHavePlace(lane, next)) {
          settle(id, lane)
          continue
        }
        lane.waiting.remove(next)
        next.hasPlace = true
        lane.running++
        waiting--
        running++
        placed.push(next.run_id)
        turns.delete(id) // its next turn comes after all others
        settle(id, lane)
      }
      return placed
    },

    counts(webhookId) {
      const lane = lanes.get(webhookId)
      return { running: lane?.running ?? 0, waiting: lane?.waiting.size ?? 0 }
    },

    isFull: () => running >= limits().concurrency,

    busy: () => [...lanes.keys()],
  }
}
