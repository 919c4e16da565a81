import type { Instant } from '../../time/clock.ts'
import { isResolved, type StoredAlert } from '../alert/alert.ts'
import type { Expectation } from './expectation.ts'
import { breakMs, type WatchRecord, wasUnwatched, watchEveryMs } from './watch-record.ts'

/**
 * An expectation that is watched, as this process knows it. Times are on the scale of `monotonic()`, which no correction of the
 * wall clock changes.
 */
export interface Watched {
  readonly expectation: Expectation
  /** When the last expected alert came; `undefined` if none came yet. */
  readonly seenAt: number | undefined
  /** Since when one could have come; `undefined` before the first look at the record. */
  readonly since: number | undefined
  /** When it was last looked at without a failure. */
  readonly lookedAt: number | undefined
  /** When the record is read and, unless another process did so, written again. */
  readonly nextRecordAt: number
  /** The latest instant of the wall clock beyond its present that an alert had. */
  readonly ahead: Instant
}

/** The present, by both clocks. */
export interface Present {
  readonly monotonic: number
  readonly now: Instant
}

/** What to do with the alert of an expectation. */
export type ExpectedAction =
  | { readonly type: 'nothing' }
  /** It no longer fires. */
  | { readonly type: 'end'; readonly startsAt: Instant; readonly endsAt: Instant }
  /** It fires, or goes on firing. */
  | {
      readonly type: 'fire'
      readonly isNew: boolean
      readonly startsAt: Instant
      readonly endsAt: Instant
    }

/** How long the alert fires unless it is posted again: longer than a restart. */
const alertLifeMs = 5 * 60_000
/** How often the alert is posted again. */
const repostMs = 60_000

/** An expectation that was not watched before. */
export const newlyWatched = (expectation: Expectation, { monotonic }: Present): Watched => ({
  expectation,
  seenAt: undefined,
  since: undefined,
  lookedAt: undefined,
  nextRecordAt: monotonic,
  ahead: 0,
})

/** An expected alert came. */
export function sawAt(one: Watched, at: Instant, { monotonic, now }: Present): Watched {
  // An alert from before the clock was set back must not count as new whenever it is read again.
  if (at > now && at <= one.ahead) return one
  const seenAt = monotonic - Math.max(0, now - at)
  return {
    ...one,
    ahead: Math.max(one.ahead, at),
    seenAt: Math.max(one.seenAt ?? seenAt, seenAt),
  }
}

/** Takes over what the record says. After a break, during which nobody watched, the wait starts again. */
export function joined(one: Watched, known: WatchRecord | undefined, present: Present): Watched {
  const { expectation, lookedAt } = one
  const { monotonic, now } = present
  const isOurs = lookedAt !== undefined && monotonic - lookedAt <= breakMs(expectation)
  const isBroken = !isOurs && (known === undefined || wasUnwatched(expectation, known, now))
  if (one.since !== undefined) return isBroken ? { ...one, since: monotonic } : one
  const seen = known?.seen === undefined ? one : sawAt(one, known.seen, present)
  const passedMs = isBroken || known === undefined ? 0 : Math.max(0, now - known.since)
  return { ...seen, since: monotonic - passedMs }
}

/** The record to write; `undefined` if another process wrote it lately. */
export function recordOf(
  { expectation, since, seenAt }: Watched,
  known: WatchRecord | undefined,
  { monotonic, now }: Present,
): WatchRecord | undefined {
  const age = known === undefined ? Number.POSITIVE_INFINITY : Math.abs(now - known.watched)
  if (age < watchEveryMs(expectation)) return undefined
  const wall = (at: number): Instant => Math.floor(now - (monotonic - at))
  return {
    name: expectation.name,
    since: wall(since ?? monotonic),
    ...(seenAt === undefined ? {} : { seen: wall(seenAt) }),
    watched: now,
  }
}

/** @param stored the alert of the expectation, if it has fired lately. */
export function actionOn(
  { expectation, seenAt, since }: Watched,
  stored: StoredAlert | undefined,
  { monotonic, now }: Present,
): ExpectedAction {
  const isFiring = stored !== undefined && !isResolved(stored, now)
  const start = since ?? monotonic
  // A start of the wait does not end the alert, only the return of what is missing does.
  const from = isFiring ? seenAt : Math.max(seenAt ?? start, start)
  const lateMs = from === undefined ? 0 : monotonic - from - expectation.everyMs
  if (lateMs < 0) return endOf(stored, now)
  const endsAt = now + alertLifeMs
  if (!isFiring) return { type: 'fire', isNew: true, startsAt: Math.floor(now - lateMs), endsAt }
  if (stored.endsAt - now > alertLifeMs - repostMs) return { type: 'nothing' }
  return { type: 'fire', isNew: false, startsAt: Math.min(stored.startsAt, now), endsAt }
}

/** Ends the alert, if it fires. */
export function endOf(stored: StoredAlert | undefined, now: Instant): ExpectedAction {
  if (stored === undefined || isResolved(stored, now)) return { type: 'nothing' }
  return { type: 'end', startsAt: Math.min(stored.startsAt, now), endsAt: now }
}
