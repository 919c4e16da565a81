import type { TypedRecord } from '../../../storage/collection.ts'
import { createExpiryQueue } from '../../../storage/expiry-queue.ts'
import type { Projection } from '../../../storage/view.ts'
import type { Clock } from '../../../time/clock.ts'
import { claimKey, claimLifeMs, type StoredGroup } from './group.ts'
import type { Sightings } from './sightings.ts'

/**
 * The records of alert groups in memory, by the time of their next action: a flush, or taking over one whose process is gone.
 * Stored times are instants of the wall clock; once seen they are measured by `monotonic()`, which no correction of the wall
 * clock changes. All times below are on that scale.
 */
export interface GroupTimers extends Projection<StoredGroup> {
  get(id: string): TypedRecord<StoredGroup> | undefined
  /** When a group needs its next action; `undefined` if it needs none. */
  dueAt(id: string): number | undefined
  /** Limits the wait of a group to this long after it was first seen. */
  atMost(id: string, waitMs: number): void
  /** Takes out the groups that need an action; each returns when its record changes, or by {@link comeAgain}. */
  takeDue(): readonly string[]
  /** Returns a group that was taken out at this time, or earlier if its record changes to an earlier one. */
  comeAgain(id: string, at: number): void
  /** When the next group is due. */
  next(): number | undefined
  /** Groups whose record changed since the last call, so that they may need a timer. */
  takeChanged(): readonly string[]
}

/** Options of {@link createGroupTimers}. */
export interface GroupTimersOptions {
  clock: Pick<Clock, 'now' | 'monotonic'>
  /** When claims were first seen, by {@link claimKey}. */
  sightings: Sightings
}

interface Timed {
  readonly record: TypedRecord<StoredGroup>
  readonly seenAt: number
  dueAt: number | undefined
}

/** Creates an empty {@link GroupTimers}. */
export function createGroupTimers({ clock, sightings }: GroupTimersOptions): GroupTimers {
  const groups = new Map<string, Timed>()
  const queue = createExpiryQueue()
  /** Groups that {@link GroupTimers.comeAgain} scheduled. */
  const scheduled = new Map<string, number>()
  const changed = new Set<string>()

  const waitMs = ({ dueAt, claim }: StoredGroup): number | undefined => {
    if (claim !== undefined) return Math.max(0, claimLifeMs - sightings.age(claimKey(claim)))
    return dueAt === undefined ? undefined : dueAt - clock.now()
  }

  return {
    put(record) {
      const seenAt = clock.monotonic()
      const wait = waitMs(record.value)
      const dueAt = wait === undefined ? undefined : seenAt + wait
      groups.set(record.id, { record, seenAt, dueAt })
      queue.set(record.id, earlier(dueAt, scheduled.get(record.id)))
      changed.add(record.id)
    },

    remove(id) {
      groups.delete(id)
      scheduled.delete(id)
      queue.set(id, undefined)
      changed.add(id)
    },

    clear() {
      for (const id of groups.keys()) changed.add(id)
      groups.clear()
      scheduled.clear()
      queue.clear()
    },

    get: (id) => groups.get(id)?.record,
    dueAt: (id) => groups.get(id)?.dueAt,
    next: () => queue.next(),

    atMost(id, waitMs) {
      const group = groups.get(id)
      if (group?.dueAt === undefined || group.dueAt <= group.seenAt + waitMs) return
      group.dueAt = group.seenAt + waitMs
      queue.set(id, earlier(group.dueAt, scheduled.get(id)))
    },

    takeDue() {
      const due = queue.takeExpired(clock.monotonic())
      for (const id of due) scheduled.delete(id)
      return due
    },

    comeAgain(id, at) {
      scheduled.set(id, at)
      queue.set(id, at)
    },

    takeChanged() {
      const ids = [...changed]
      changed.clear()
      return ids
    },
  }
}

const earlier = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || other === undefined ? (one ?? other) : Math.min(one, other)
