import { inSlices } from '../async/slices.ts'
import { isConflict, type Write } from '../storage/storage.ts'
import type { Instant } from '../time/clock.ts'
import type { PostableAlert } from './alert/alert-input.ts'
import { fingerprintOfObject } from './alert/label-set.ts'
import type { AlertsContext } from './context.ts'
import type { SilenceChange } from './dispatch/hooks.ts'
import { formatMatchers } from './matcher/matcher.ts'
import { postAlerts } from './post-alerts.ts'
import { endSilence, silenceCollection, silenceMatchers, silenceState } from './silence/silence.ts'

/**
 * Ends silences with `untilResolved` whose alerts have resolved, and fires the alert `SilenceEnding` for those with
 * `remindBeforeMs`. Every process may do this at any time. Without such silences it only looks through those in memory.
 *
 * @returns how many silences it ended.
 */
export async function followSilences(alerts: AlertsContext): Promise<number> {
  const { board, storage, dispatch } = alerts
  const now = await board.refresh()
  const writes: Write[] = []
  const ended: SilenceChange[] = []
  for (const { id, value, version } of board.silences.stored.values()) {
    if (value.untilResolved === undefined || silenceState(value, now) !== 'active') continue
    const covers = (await inSlices(board.alerts.matching(silenceMatchers(value)))).length > 0
    if (covers === (value.untilResolved === 'covers')) continue
    const after = covers ? { ...value, untilResolved: 'covers' as const } : endSilence(value, now)
    writes.push(silenceCollection.write(id, after, { if: version }))
    if (!covers) ended.push({ id, before: value, after, by: undefined })
  }
  await remind(alerts, now)
  if (writes.length === 0) return 0
  try {
    await storage.commit(writes)
  } catch (error) {
    // Another process, or a user, was faster: the next time decides again.
    if (isConflict(error)) return 0
    throw error
  }
  for (const change of ended) dispatch.silenceChanged(change, now)
  return ended.length
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
    const labels = { alertname: 'SilenceEnding', silence: id }
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
