import type { Webhook, WebhookLimits } from '../webhook.ts'
import { createWaitingLine, type Waiter, type WaitingLine } from './waiting-line.ts'

/** A run that wants a place, with the definition it was accepted with. */
export interface Entrant extends Waiter {
  readonly run_id: string
  readonly webhook: Pick<Webhook, 'id' | 'concurrency' | 'queue' | 'on_busy'>
  /** Whether it has one; the admission alone says so. */
  hasPlace: boolean
}

/** A run that has neither a place nor one in line. */
export function createEntrant(run_id: string, webhook: Entrant['webhook']): Entrant {
  return { run_id, webhook, isWaiting: false, hasPlace: false }
}

/** How many runs of a webhook there are. */
export interface RunCounts {
  readonly running: number
  readonly waiting: number
}

/**
 * Which runs of this process have a place, and which wait in line for one: by webhook in the order of their coming. Places
 * that no webhook of its own is short of go round over the webhooks, so that a busy one keeps no other waiting.
 */
export interface Admission {
  /** Gives a run a place, or one in line; `full` if there is neither. */
  enter(entrant: Entrant): 'placed' | 'waiting' | 'full'
  /** Runs that wait in the same line before this one; none if it does not wait. */
  before(entrant: Entrant): readonly string[]
  /** A run has ended or waits no longer; nothing changes if it has left before, or was never let in. */
  leave(entrant: Entrant): void
  /** A run that was given a place has none after all: others have all places of its webhook. It is given one in line. */
  demote(entrant: Entrant): 'waiting' | 'full'
  /** The number of places has changed that this process has of a webhook. */
  changed(webhookId: string): void
  /** The first in line of a webhook, if a place for it were of use: the server has room for another run. */
  next(webhookId: string): Entrant | undefined
  /** All runs of a webhook that wait, in their order. */
  waiting(webhookId: string): readonly string[]
  /** Gives free places to those who wait; answers who got one, in the order of their turns. */
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
 * An {@link Admission} within limits that may change at any time.
 *
 * @param owned how many places of a webhook this process has: no more are given to those who wait.
 */
export function createAdmission(
  limits: () => Pick<WebhookLimits, 'concurrency' | 'queue'>,
  owned: (webhook: Entrant['webhook']) => number = () => Number.POSITIVE_INFINITY,
): Admission {
  const lanes = new Map<string, Lane>()
  /** Webhooks that wait for nothing but a place of the whole server, in the order of their turns. */
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

  /** Whether there is a place in line; those whom the newest one replaces will leave theirs. */
  const hasPlaceInLine = (lane: Lane, { webhook }: Entrant): boolean => {
    if (webhook.on_busy === 'reject') return false
    const leaving = webhook.on_busy === 'latest' ? lane.waiting.size : 0
    return lane.waiting.size - leaving < webhook.queue && waiting - leaving < limits().queue
  }

  /** Lets a webhook have turns if it can make use of one. */
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
        // A place may have gone to another process since.
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
        turns.delete(id) // its next turn comes after everybody else's
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
