import { inSlices } from '../../async/slices.ts'
import { isGatehouseError } from '../../errors.ts'
import { isConflict, type Write } from '../../storage/storage.ts'
import type { Instant } from '../../time/clock.ts'
import type { AlertsContext } from '../context.ts'
import type { SilenceChange } from '../dispatch/hooks.ts'
import { findOccurrences, type Occurrence } from '../recurrence/occurrences.ts'
import {
  findRecurringSilences,
  recurringSilenceCollection,
  type StoredRecurringSilence,
  silenceFor,
} from '../recurrence/recurring-silence.ts'
import { fromStored, toTimeIntervals } from '../recurrence/time-interval-input.ts'
import { silenceCollection } from '../silence/silence.ts'
import { checkSilenceCount } from './silence-limits.ts'

/** How long before an occurrence its silence is created, in ms: people can see it, and end it. */
const ahead = 24 * 3_600_000
/** The silences of the present and the next occurrence. */
const maxAtOnce = 2

/**
 * Creates the silences of recurring ones whose next occurrence begins within a day. Every process may do this at any time: an
 * occurrence gets one silence, even if a user has ended it.
 *
 * @returns how many silences were created.
 */
export async function makeSilences(alerts: AlertsContext): Promise<number> {
  let made = 0
  for (const { id } of await findRecurringSilences(alerts.storage)) {
    try {
      while (await makeNext(alerts, id)) made++
    } catch (error) {
      if (!isGatehouseError(error) || error.reason !== 'SilenceLimitExceeded') throw error
      alerts.logger.warn(
        { recurringSilence: id, error: error.message },
        'could not create the silence of a recurrence',
      )
    }
  }
  return made
}

/** Creates the silence of the next occurrence that has none, if it is time. Returns whether it did. */
async function makeNext(alerts: AlertsContext, recurringId: string): Promise<boolean> {
  const { board, storage, dispatch } = alerts
  const now = await board.catchUp()
  const stored = await recurringSilenceCollection.get(storage, recurringId)
  if (stored === undefined) return false
  const next = await planSilence(alerts, stored.value, now)
  if (next === undefined) return false
  checkSilenceCount(alerts)
  try {
    await storage.commit([
      next.write,
      recurringSilenceCollection.write(recurringId, next.recurring, { if: stored.version }),
    ])
  } catch (error) {
    // Another process was faster, or it was deleted.
    if (isConflict(error)) return false
    throw error
  }
  dispatch.silenceChanged(next.change, now)
  return true
}

/** A silence for the next occurrence, to be committed. */
export interface PlannedSilence {
  readonly write: Write
  readonly change: SilenceChange
  /** The recurring silence once this is committed. */
  readonly recurring: StoredRecurringSilence
}

/** Plans the silence of the next occurrence that has none; `undefined` if it is not time yet. */
export async function planSilence(
  alerts: AlertsContext,
  value: StoredRecurringSilence,
  now: Instant,
): Promise<PlannedSilence | undefined> {
  const current = value.silences.filter(({ endsAt }) => endsAt > now)
  if (current.length >= maxAtOnce) return undefined
  const next = await nextOccurrence(alerts, value, Math.max(value.madeUntil, now))
  if (next === undefined || next.startsAt > now + ahead) return undefined
  const id = alerts.ids.random()
  const after = silenceFor(value, next, now)
  const silences = [...current, { id, endsAt: next.endsAt }]
  return {
    write: silenceCollection.write(id, after, { if: 'absent' }),
    change: { id, before: undefined, after, by: value.createdBy },
    recurring: { ...value, madeUntil: next.endsAt, silences },
  }
}

/** What the last search found for these intervals: most minutes nothing has changed. */
interface Search {
  readonly from: Instant
  readonly next: Occurrence | undefined
}

const searches = new Map<string, Search>()
const maxSearches = 1_000
/** After this time a search that found nothing sees further. */
const searchLifeMs = 24 * 3_600_000

async function nextOccurrence(
  { config }: AlertsContext,
  { timeIntervals }: StoredRecurringSilence,
  from: Instant,
): Promise<Occurrence | undefined> {
  const intervals = toTimeIntervals(fromStored(timeIntervals), config.current.time_intervals)
  const key = JSON.stringify(intervals)
  const known = searches.get(key)
  const isOld = known === undefined || from < known.from || from - known.from > searchLifeMs
  if (!isOld && (known.next === undefined || known.next.startsAt >= from)) return known.next
  const [next] = await inSlices(findOccurrences(intervals, from, 1))
  if (searches.size >= maxSearches) searches.clear()
  searches.set(key, { from, next })
  return next
}
