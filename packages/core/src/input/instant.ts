import { zeroTime } from '@gatehouse/go-template/text'
import { isGatehouseError } from '../errors.ts'
import type { Instant } from '../time/clock.ts'
import { parseDateTime } from '../time/date-time.ts'
import type { Decode } from './decode.ts'
import { Refusal, refuseShown } from './refusal.ts'

/**
 * An instant as a program may pass it: milliseconds since the Unix epoch, a `Date`, or RFC 3339 text. @see RFC 3339, section 5.6
 */
export type InstantInput = Instant | Date | string

/** An instant from a program. */
export interface GivenInstant {
  readonly at: Instant
  /** The RFC 3339 text, if its offset or fraction contains more than `at`. */
  readonly text?: string
}

/** The last instant that RFC 3339 can represent. */
const lastInstant = 253_402_300_799_999

const expected = 'an instant: milliseconds since the Unix epoch, a Date or RFC 3339 text'
const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i

/** Accepts an instant, truncated to whole milliseconds. Refuses instants that RFC 3339 cannot represent. */
export const instant: Decode<Instant> = (value) => givenInstant(value).at

/** Accepts an instant, and keeps the offset and fraction of its text. */
export const givenInstant: Decode<GivenInstant> = (value) => {
  const given = readInstant(value)
  return given.at >= zeroTime && given.at <= lastInstant
    ? given
    : refuseShown('an instant in the years 1 to 9999', value)
}

function readInstant(value: unknown): GivenInstant {
  if (typeof value === 'number' && !Number.isNaN(value)) return { at: Math.floor(value) }
  if (typeof value === 'string') return readText(value)
  if (Object.prototype.toString.call(value) !== '[object Date]') return refuseShown(expected, value)
  // The tag says Date. If the object only claims to be one, the method throws.
  const at = Date.prototype.getTime.call(value)
  if (Number.isNaN(at)) throw new Refusal(expected, 'an invalid Date')
  return { at }
}

function readText(text: string): GivenInstant {
  if (!rfc3339.test(text)) return refuseShown(expected, text)
  try {
    return parseDateTime(text.toUpperCase()) ?? { at: zeroTime }
  } catch (error) {
    if (isGatehouseError(error)) return refuseShown(expected, text)
    throw error
  }
}
