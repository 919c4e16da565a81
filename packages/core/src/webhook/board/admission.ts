import type { WebhookLimits } from '../webhook.ts'
import { countsOf, createLanes, type Entrant, type Lane, nextIn } from './lanes.ts'
import { decideEntry, type Entry, hasPlaceInLine, type Room, type RunCounts } from './room.ts'

/** Creates a run without a place in the service or in a queue. */
export function createEntrant(run_id: string, webhook: Entrant['webhook']): Entrant {
  return { run_id, webhook, isWaiting: false, hasPlace: false }
}

/**
 * Decides which runs of this process have a place, and which wait in a queue: first come, first served within a webhook. Free
 * places of the server go to the webhooks in turn, so that a busy one does not block others.
 */
export interface Admission {
  /** Gives a run a place, or queues it; `full` if neither is possible. */
  enter(entrant: Entrant): Entry
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

/**
 * Creates an {@link Admission} with limits that may change at any time.
 *
 * @param owned how many places of a webhook this process has; waiting runs get no more.
 */
export function createAdmission(
  limits: () => Pick<WebhookLimits, 'concurrency' | 'queue'>,
  owned: (webhook: Entrant['webhook']) => number = () => Number.POSITIVE_INFINITY,
): Admission {
  const lanes = createLanes()
  /** Webhooks that wait only for a place of the server, in the order of their turns. */
  const turns = new Set<string>()

  const roomIn = (lane: Lane, { webhook }: Entrant): Room => {
    return { webhook, own: countsOf(lane), all: lanes.all, limits: limits() }
  }
  const isFull = (): boolean => lanes.all.running >= limits().concurrency
  /** Gives a webhook turns if it can use them. */
  const settle = (id: string, lane: Lane): void => {
    if (nextIn(lane, owned) === undefined) turns.delete(id)
    else turns.add(id)
    lanes.close(id)
  }

  return {
    enter(entrant) {
      const lane = lanes.open(entrant.webhook.id)
      const entry = decideEntry(roomIn(lane, entrant))
      if (entry === 'placed') {
        lanes.place(lane, entrant)
        return entry
      }
      if (entry === 'waiting') lanes.queue(lane, entrant)
      settle(entrant.webhook.id, lane)
      return entry
    },
    demote(entrant) {
      const lane = lanes.open(entrant.webhook.id)
      lanes.remove(lane, entrant)
      const isIn = hasPlaceInLine(roomIn(lane, entrant))
      if (isIn) lanes.queue(lane, entrant)
      settle(entrant.webhook.id, lane)
      return isIn ? 'waiting' : 'full'
    },
    changed(id) {
      const lane = lanes.find(id)
      if (lane !== undefined) settle(id, lane)
    },
    next: (id) => (isFull() ? undefined : lanes.find(id)?.line.first()),
    waiting: (id) => (lanes.find(id)?.line.all() ?? []).map(({ run_id }) => run_id),
    before(entrant) {
      const line = lanes.find(entrant.webhook.id)?.line.all() ?? []
      const at = line.indexOf(entrant)
      return line.slice(0, Math.max(0, at)).map(({ run_id }) => run_id)
    },
    leave(entrant) {
      const lane = lanes.find(entrant.webhook.id)
      if (lane === undefined) return
      lanes.remove(lane, entrant)
      settle(entrant.webhook.id, lane)
    },
    fill() {
      const placed: string[] = []
      for (const id of turns) {
        if (isFull()) break
        const lane = lanes.open(id)
        const next = nextIn(lane, owned)
        if (next !== undefined) {
          lanes.remove(lane, next)
          lanes.place(lane, next)
          placed.push(next.run_id)
          turns.delete(id) // its next turn comes after all others
        }
        // Without a next one, another process may have taken the place since.
        settle(id, lane)
      }
      return placed
    },
    counts: (id) => countsOf(lanes.find(id)),
    isFull,
    busy: lanes.ids,
  }
}
