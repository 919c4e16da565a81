import type { Ids } from '../../crypto/ids.ts'
import type { Instant } from '../../time/clock.ts'

/** Enough for the last millisecond of the year 9999; later instants count as that. */
const digits = 15
const latest = 10 ** digits - 1

/** What stands before the ids of an instant and of all later ones: ids sort by time. */
export function historyBound(at: Instant): string {
  return String(Math.min(Math.max(Math.ceil(at), 0), latest)).padStart(digits, '0')
}

/** Makes ids for the records of one process: of one instant, in the order in which they are made. */
export function createHistoryIds(ids: Pick<Ids, 'random'>): (at: Instant) => string {
  // Enough to tell processes of one millisecond apart; every index of a store holds the id again.
  const process = ids.random().slice(-12)
  let count = 0
  return (at) => `${historyBound(at)}-${String(count++).padStart(8, '0')}-${process}`
}

/**
 * The id under which every process notes the same thing: that nothing more was heard of an alert. It comes before all
 * others of its instant, one of which may be that the alert fires again.
 */
export const expiredId = (fingerprint: string, endsAt: Instant): string =>
  `${historyBound(endsAt)}--expired-${fingerprint}`

/** The place behind a record, for whoever asks for what follows it. */
export const cursorAt = (id: string): string => Buffer.from(id).toString('base64url')

/** The id that a cursor was made of; `undefined` for a text that is no cursor. */
export function idOfCursor(cursor: string): string | undefined {
  if (cursor.length > 1_024) return undefined
  const id = Buffer.from(cursor, 'base64url').toString()
  return /^\d{15}-[\w-]+$/.test(id) && cursorAt(id) === cursor ? id : undefined
}
