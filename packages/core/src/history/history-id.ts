import type { Ids } from '../crypto/ids.ts'
import type { Instant } from '../time/clock.ts'

/** Enough digits for the last millisecond of the year 9999; later instants count as that one. */
const digits = 15
const latest = 10 ** digits - 1

/** The lower bound of the ids of an instant and of all later ones: ids sort by time. */
export function historyBound(at: Instant): string {
  return String(Math.min(Math.max(Math.ceil(at), 0), latest)).padStart(digits, '0')
}

/** Creates ids for the records of one process; within an instant they ascend in the order of creation. */
export function createHistoryIds(ids: Pick<Ids, 'random'>): (at: Instant) => string {
  // Enough to distinguish processes within a millisecond; every index of a store repeats the id.
  const process = ids.random().slice(-12)
  let count = 0
  return (at) => `${historyBound(at)}-${String(count++).padStart(8, '0')}-${process}`
}

/**
 * The id of the record that an alert expired, the same in every process. It sorts before all others of its instant, because one
 * of those may be that the alert fires again.
 */
export const expiredId = (fingerprint: string, endsAt: Instant): string =>
  `${historyBound(endsAt)}--expired-${fingerprint}`

/** The cursor after a record, for a reader of the next page. */
export const cursorAt = (id: string): string => Buffer.from(id).toString('base64url')

/** The id in a cursor; `undefined` if the text is not a cursor. */
export function idOfCursor(cursor: string): string | undefined {
  if (cursor.length > 1_024) return undefined
  const id = Buffer.from(cursor, 'base64url').toString()
  return /^\d{15}-[\w-]+$/.test(id) && cursorAt(id) === cursor ? id : undefined
}
