import type { Webhook } from '../webhook.ts'
import { hasPlace, type RunCounts } from './room.ts'
import { createWaitingLine, type Waiter, type WaitingLine } from './waiting-line.ts'

/** A run that wants a place, with the definition it was accepted with. */
export interface Entrant extends Waiter {
  readonly run_id: string
  readonly webhook: Pick<Webhook, 'id' | 'concurrency' | 'queue' | 'on_busy'>
  /** Whether it has a place. Only the admission sets it. */
  hasPlace: boolean
}

/** The runs of one webhook. */
export interface Lane {
  running: number
  readonly line: WaitingLine<Entrant>
}

/** The runs of this process by webhook, and how many they are. */
export interface Lanes {
  /** The runs of all webhooks. */
  readonly all: RunCounts
  find(webhookId: string): Lane | undefined
  /** The lane of a webhook, a new one if it has no runs. */
  open(webhookId: string): Lane
  /** Forgets a lane without runs. */
  close(webhookId: string): void
  place(lane: Lane, entrant: Entrant): void
  queue(lane: Lane, entrant: Entrant): void
  /** Takes a run out of its place or its queue, if it is in one. */
  remove(lane: Lane, entrant: Entrant): void
  /** The webhooks that have runs. */
  ids(): readonly string[]
}

/** Creates lanes without runs. */
export function createLanes(): Lanes {
  const lanes = new Map<string, Lane>()
  const all = { running: 0, waiting: 0 }
  return {
    all,
    find: (id) => lanes.get(id),
    open(id) {
      const lane = lanes.get(id) ?? { running: 0, line: createWaitingLine<Entrant>() }
      lanes.set(id, lane)
      return lane
    },
    close(id) {
      const lane = lanes.get(id)
      if (lane?.running === 0 && lane.line.size === 0) lanes.delete(id)
    },
    place(lane, entrant) {
      entrant.hasPlace = true
      lane.running++
      all.running++
    },
    queue(lane, entrant) {
      lane.line.add(entrant)
      all.waiting++
    },
    remove(lane, entrant) {
      if (entrant.isWaiting) {
        lane.line.remove(entrant)
        all.waiting--
      } else if (entrant.hasPlace) {
        entrant.hasPlace = false
        lane.running--
        all.running--
      }
    },
    ids: () => [...lanes.keys()],
  }
}

/** How many runs a lane has. */
export const countsOf = (lane: Lane | undefined): RunCounts => ({
  running: lane?.running ?? 0,
  waiting: lane?.line.size ?? 0,
})

/**
 * The first in the queue of a lane, if its webhook may have one run more.
 *
 * @param owned how many places of a webhook this process has.
 */
export function nextIn(
  { line, running }: Lane,
  owned: (webhook: Entrant['webhook']) => number,
): Entrant | undefined {
  const next = line.first()
  return next && hasPlace(next.webhook, running, () => owned(next.webhook)) ? next : undefined
}
