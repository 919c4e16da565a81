import type { Instant } from '../../time/clock.ts'
import { zonedOffset } from '../../time/zoned-time.ts'
import { containsDay, type TimeInterval } from '../routing/time-interval.ts'

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
/** No zone is further from UTC. */
const furthest = 15 * 60 * minute
const wholeDay = [{ startMinute: 0, endMinute: 24 * 60 }]

/**
 * The occurrences of time intervals that end after an instant, the first one first: an instant is in an occurrence if it is in one
 * of the intervals. Goes day by day, and yields after each, for at most five years.
 *
 * @param from the first occurrence may have begun before; it then starts here.
 */
export function* findOccurrences(
  intervals: readonly TimeInterval[],
  from: Instant,
  count: number,
): Generator<void, readonly Occurrence[]> {
  const found: Occurrence[] = []
  let open: Occurrence[] = []
  const first = Math.floor(from / day) * day - day
  for (let date = first; date < from + horizon && found.length < count; date += day) {
    for (const interval of intervals) open.push(...spansOn(interval, date))
    // Spans of later days begin later than this.
    const known = date + day - furthest
    open = joined(open, from)
    while (found.length < count) {
      const [next] = open
      if (next === undefined) break
      const endsAt = Math.min(next.endsAt, next.startsAt + longest)
      // A later day may still continue it.
      if (endsAt >= known) break
      found.push({ startsAt: next.startsAt, endsAt })
      open = joined(open, endsAt)
    }
    yield
  }
  return found
}

/** Spans after an instant in their order; those that overlap or touch are one. */
function joined(spans: readonly Occurrence[], from: Instant): Occurrence[] {
  const all: Occurrence[] = []
  for (const { startsAt, endsAt } of [...spans].sort((a, b) => a.startsAt - b.startsAt)) {
    if (endsAt <= from) continue
    const last = all.at(-1)
    if (last === undefined || startsAt > last.endsAt) {
      all.push({ startsAt: Math.max(startsAt, from), endsAt })
    } else if (endsAt > last.endsAt) {
      all[all.length - 1] = { startsAt: last.startsAt, endsAt }
    }
  }
  return all
}

/** The spans of an interval on a day of its calendar, which is given as the instant at which the day begins in UTC. */
function spansOn(interval: TimeInterval, date: Instant): readonly Occurrence[] {
  if (!containsDay(interval, date)) return []
  const { times = wholeDay, location = 'UTC' } = interval
  return offsetsOn(date, location).flatMap(({ offset, since, until }) =>
    times
      .map(({ startMinute, endMinute }) => ({
        startsAt: Math.max(since, date + startMinute * minute - offset),
        endsAt: Math.min(until, date + endMinute * minute - offset),
      }))
      .filter(({ startsAt, endsAt }) => startsAt < endsAt),
  )
}

/** A time in which the offset of a zone from UTC stays the same. */
interface Offset {
  readonly offset: number
  readonly since: Instant
  readonly until: Instant
}

/** The offsets of a zone around a day: two if its clocks change then. */
function offsetsOn(date: Instant, zone: string): readonly Offset[] {
  let low = date - furthest
  let high = date + day + furthest
  const before = zonedOffset(low, zone)
  const after = zonedOffset(high, zone)
  const always = { since: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY }
  if (before === after) return [{ ...always, offset: before }]
  while (high - low > minute) {
    const middle = Math.floor((low + high) / 2 / minute) * minute
    if (zonedOffset(middle, zone) === before) low = middle
    else high = middle
  }
  return [
    { ...always, offset: before, until: high },
    { ...always, offset: after, since: high },
  ]
}
