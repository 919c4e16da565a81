import { inSlices } from '../../async/slices.ts'
import type { TypedRecord } from '../../storage/collection.ts'
import { isConflict } from '../../storage/storage.ts'
import type { Instant } from '../../time/clock.ts'
import { isResolved, type StoredAlert } from '../alert/alert.ts'
import type { PostableAlert } from '../alert/alert-input.ts'
import { fingerprintOfObject, labelSetFromObject } from '../alert/label-set.ts'
import { postAlerts } from '../alerts/post-alerts.ts'
import type { AlertsContext } from '../context.ts'
import { formatMatchers, matchesAll } from '../matcher/matcher.ts'
import {
  endSilence,
  isReminderOf,
  reminderLabels,
  type StoredSilence,
  silenceCollection,
  silenceMatchers,
  silenceState,
} from '../silence/silence.ts'

/**
 * Ends silences with `untilResolved` whose alerts have resolved, and fires the alert `SilenceEnding` for those with
 * `remindBeforeMs`. Every process may do this at any time. Without such silences it only looks through those in memory.
 *
 * @returns how many silences it ended.
 */
export async function followSilences(alerts: AlertsContext): Promise<number> {
  const { board } = alerts
  const now = await board.refresh()
  const followed = [...board.silences.stored.values()].filter(
    ({ value }) => value.untilResolved !== undefined && silenceState(value, now) === 'active',
  )
  let ended = 0
  const resolved = followed.some(({ value }) => value.untilResolved === 'waits')
    ? await inSlices(resolvedAlerts(alerts, now))
    : []
  for (const silence of followed) {
    const after = await stateAfter(alerts, silence, { now, resolved })
    if (after !== undefined && (await store(alerts, silence, after, now))) {
      if (silenceState(after, now) === 'expired') ended++
    }
  }
  await remind(alerts, now)
  return ended
}

/** The alerts that have resolved, as far as they are still stored: a short one may have come and gone since the last look. */
function* resolvedAlerts(
  { board }: AlertsContext,
  now: Instant,
): Generator<void, readonly StoredAlert[]> {
  const found: StoredAlert[] = []
  for (const { value } of board.alerts.stored.values()) {
    if (isResolved(value, now)) found.push(value)
    yield
  }
  return found
}

/** What happens to a silence that ends with its alerts; `undefined` if it stays as it is. */
async function stateAfter(
  { board }: AlertsContext,
  { id, value }: TypedRecord<StoredSilence>,
  { now, resolved }: { readonly now: Instant; readonly resolved: readonly StoredAlert[] },
): Promise<StoredSilence | undefined> {
  const matchers = silenceMatchers(value)
  const firing = await inSlices(board.alerts.matching(matchers))
  if (firing.some(({ labels }) => !isReminderOf(labels, id))) {
    return value.untilResolved === 'covers' ? undefined : { ...value, untilResolved: 'covers' }
  }
  const hasCovered =
    value.untilResolved === 'covers' ||
    (await inSlices(
      some(resolved, ({ labels: written, endsAt }) => {
        const labels = labelSetFromObject(written)
        return endsAt > value.startsAt && matchesAll(matchers, labels) && !isReminderOf(labels, id)
      }),
    ))
  return hasCovered ? endSilence(value, now) : undefined
}

function* some<T>(items: readonly T[], test: (item: T) => boolean): Generator<void, boolean> {
  for (const item of items) {
    if (test(item)) return true
    yield
  }
  return false
}

/** Returns whether the silence was still the same. Otherwise the next check decides again. */
async function store(
  { storage, dispatch }: AlertsContext,
  { id, value, version }: TypedRecord<StoredSilence>,
  after: StoredSilence,
  now: Instant,
): Promise<boolean> {
  try {
    await storage.commit([silenceCollection.write(id, after, { if: version })])
  } catch (error) {
    if (isConflict(error)) return false
    throw error
  }
  if (silenceState(after, now) === 'expired') {
    dispatch.silenceChanged({ id, before: value, after, by: undefined }, now)
  }
  return true
}

/**
 * Fires the reminders that are due, and ends those of silences that were extended or have ended. Their labels name the silence, so
 * processes that do it at once post the same alert.
 */
async function remind(alerts: AlertsContext, now: Instant): Promise<void> {
  const { silences, alerts: known } = alerts.board
  const posts: PostableAlert[] = []
  for (const { id, value } of silences.stored.values()) {
    const { remindBeforeMs, startsAt, endsAt, createdBy, comment } = value
    if (remindBeforeMs === undefined) continue
    const begin = Math.max(startsAt, endsAt - remindBeforeMs)
    const isDue = begin <= now && now < endsAt
    const labels = reminderLabels(id, value)
    const fires = known.stored.get(fingerprintOfObject(labels))?.value.endsAt
    if (isDue ? fires === endsAt : fires === undefined || fires <= now) continue
    const summary = `The silence ${formatMatchers(silenceMatchers(value))} ends soon`
    const annotations = { summary, created_by: createdBy, comment }
    posts.push({
      labels,
      annotations,
      startsAt: Math.min(begin, now),
      endsAt: isDue ? endsAt : now,
    })
  }
  if (posts.length > 0) await postAlerts(alerts, posts)
}
