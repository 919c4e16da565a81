import { memoize } from '../../async/memoize.ts'
import { formatDateTime } from '../../time/date-time.ts'
import { differInTimes, type StoredAlert } from '../alert/alert.ts'

/** The times that differ when an alert is posted again, as in its JSON, with the usual length. */
export interface AlertTimes {
  readonly endsAt: Uint8Array
  readonly updatedAt: Uint8Array
}

/** Where in the JSON of an alert, or of a list of alerts, these times are. */
export interface TimePlace {
  readonly endsAt: number
  readonly updatedAt: number
}

/** The length of a time in UTC, in years of four digits. */
const usualLength = '2026-01-02T03:04:05.678Z'.length

/** Alerts of one request share their times. */
const bytesInUtc = memoize((at) => Buffer.from(formatDateTime(Number(at))), 256)

function timeBytes(at: number, text: string | undefined): Uint8Array | undefined {
  const bytes = text === undefined ? bytesInUtc(`${at}`) : Buffer.from(formatDateTime(at, text))
  return bytes.length === usualLength ? bytes : undefined
}

/** The times of an alert; `undefined` if one has not the usual length. */
export function timesOf({ endsAt, endsAtText, updatedAt }: StoredAlert): AlertTimes | undefined {
  const ends = timeBytes(endsAt, endsAtText)
  const updated = timeBytes(updatedAt, undefined)
  return ends && updated && { endsAt: ends, updatedAt: updated }
}

/** The times of an alert that was posted again; `undefined` if something else differs too. */
export function otherTimes(before: StoredAlert, after: StoredAlert): AlertTimes | undefined {
  const isSame =
    before.startsAt === after.startsAt &&
    before.startsAtText === after.startsAtText &&
    differInTimes(before, after)
  return isSame ? timesOf(after) : undefined
}

/** Writes times to their place in JSON. */
export function writeTimes(json: Uint8Array, place: TimePlace, times: AlertTimes): void {
  json.set(times.endsAt, place.endsAt)
  json.set(times.updatedAt, place.updatedAt)
}
