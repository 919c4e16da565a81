import type { Instant } from '../../time/clock.ts'
import { containsInstant, type TimeInterval } from '../routing/time-interval.ts'

/** A span of time: the start is inclusive, the end exclusive. */
export interface Occurrence {
  readonly startsAt: Instant
  readonly endsAt: Instant
}

const minute = 60_000
const day = 24 * 60 * minute
/** Intervals that hold longer occur in parts, so that no occurrence is searched for without an end. */
const longest = 31 * day
/** How far ahead occurrences are searched for. */
const horizon = 5 * 366 * day

/**
 * The occurrences of time intervals that end after an instant, the first one first: an instant is in an occurrence if it is in one
 * of the intervals. Yields between slices of the search, which ends five years ahead.
 *
 * @param from the first occurrence may have begun before; it then starts here.
 */
export function* findOccurrences(
  intervals: readonly TimeInterval[],
  from: Instant,
  count: number,
): Generator<void, readonly Occurrence[]> {
  const step = stepOf(intervals)
  const found: Occurrence[] = []
  const last = from + horizon
  let startsAt: Instant | undefined
  let at = from
  while (at < last && found.length < count) {
    const isIn = containsInstant(intervals, at)
    if (isIn) startsAt ??= at
    if (startsAt !== undefined && (!isIn || at - startsAt >= longest)) {
      found.push({ startsAt, endsAt: at })
      startsAt = isIn ? at : undefined
    }
    // The next multiple of the step, except where a whole day has nothing.
    const next = (Math.floor(at / step) + 1) * step
    at = isIn || mayOccur(intervals, at) ? next : nextDay(intervals, at, step)
    yield
  }
  return found
}

/** Bounds of intervals are multiples of this, in ms. Offsets of time zones are multiples of 15 minutes. */
function stepOf(intervals: readonly TimeInterval[]): number {
  let minutes = 15
  for (const { times = [] } of intervals) {
    for (const { startMinute, endMinute } of times) {
      minutes = greatestDivisor(greatestDivisor(minutes, startMinute), endMinute)
    }
  }
  return minutes * minute
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b)
}

/** Whether something may occur on the day of an instant. */
function mayOccur(intervals: readonly TimeInterval[], at: Instant): boolean {
  const days = intervals.map(({ times: _, ...whole }) => whole)
  return containsInstant(days, at)
}

/** The first multiple of the step at which a day of the intervals may have begun: searched by quarters of a day. */
function nextDay(intervals: readonly TimeInterval[], at: Instant, step: number): Instant {
  const quarter = day / 4
  const next = (Math.floor(at / quarter) + 1) * quarter
  // Something begins within this quarter: go on in small steps.
  if (mayOccur(intervals, next)) return (Math.floor(at / step) + 1) * step
  return next
}
