import type { Instant } from '../../clock.ts'
import type { TypedRecord } from '../../collection.ts'
import { createExpiryQueue } from '../../expiry-queue.ts'
import type { Projection } from '../../view.ts'
import { actionAt, type StoredGroup } from './group.ts'

/** The records of alert groups in memory, by when something has to be done for them. */
export interface GroupTimers extends Projection<StoredGroup> {
  get(id: string): TypedRecord<StoredGroup> | undefined
  /** Takes out the groups that something has to be done for; each comes again when its record changes, or when told. */
  takeDue(now: Instant): readonly string[]
  /** Lets a group that was taken out come again, then or earlier if its record says so by then. */
  comeAgain(id: string, at: Instant): void
  /** When the next group is due. */
  next(): Instant | undefined
  /** Groups whose record changed since the last call, so that they may need a timer. */
  takeChanged(): readonly string[]
}

/** No groups yet. */
export function createGroupTimers(): GroupTimers {
  const records = new Map<string, TypedRecord<StoredGroup>>()
  const queue = createExpiryQueue()
  /** Of groups that were told to come again. */
  const told = new Map<string, Instant>()
  const changed = new Set<string>()
  return {
    put(record) {
      records.set(record.id, record)
      queue.set(record.id, earlier(actionAt(record.value), told.get(record.id)))
      changed.add(record.id)
    },

    remove(id) {
      records.delete(id)
      told.delete(id)
      queue.set(id, undefined)
      changed.add(id)
    },

    clear() {
      for (const id of records.keys()) changed.add(id)
      records.clear()
      told.clear()
      queue.clear()
    },

    get: (id) => records.get(id),
    next: () => queue.next(),

    takeDue(now) {
      const due = queue.takeExpired(now)
      for (const id of due) told.delete(id)
      return due
    },

    comeAgain(id, at) {
      told.set(id, at)
      queue.set(id, at)
    },

    takeChanged() {
      const ids = [...changed]
      changed.clear()
      return ids
    },
  }
}

const earlier = (one: Instant | undefined, other: Instant | undefined): Instant | undefined =>
  one === undefined || other === undefined ? (one ?? other) : Math.min(one, other)
