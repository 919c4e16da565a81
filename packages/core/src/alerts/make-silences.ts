import { inSlices } from '../async/slices.ts'
import { isConflict } from '../storage/storage.ts'
import type { AlertsContext } from './context.ts'
import { findOccurrences } from './recurrence/occurrences.ts'
import {
  findRecurringSilences,
  recurringSilenceCollection,
  silenceFor,
} from './recurrence/recurring-silence.ts'
import { toTimeIntervals } from './recurrence/time-interval-input.ts'
import { silenceCollection } from './silence/silence.ts'

/** How long before an occurrence its silence is created, in ms: people can see it, and end it. */
const ahead = 24 * 3_600_000

/**
 * Creates the silences of recurring ones whose next occurrence begins within a day. Every process may do this at any time: an
 * occurrence gets one silence, even if somebody has ended that one.
 *
 * @returns how many silences were created.
 */
export async function makeSilences(alerts: AlertsContext): Promise<number> {
  const { clock, ids, storage, dispatch } = alerts
  let made = 0
  for (const stored of await findRecurringSilences(storage)) {
    let { value, version } = stored
    for (;;) {
      const now = clock.now()
      const intervals = toTimeIntervals(value.timeIntervals)
      const from = Math.max(value.madeUntil, now)
      const [next] = await inSlices(findOccurrences(intervals, from, 1))
      if (next === undefined || next.startsAt > now + ahead) break
      const silenceId = ids.random()
      const silence = silenceFor(value, next, now)
      const after = { ...value, madeUntil: next.endsAt, silenceId }
      try {
        await storage.commit([
          silenceCollection.write(silenceId, silence, { if: 'absent' }),
          recurringSilenceCollection.write(stored.id, after, { if: version }),
        ])
      } catch (error) {
        // Another process was faster, or it was deleted.
        if (isConflict(error)) break
        throw error
      }
      const change = { id: silenceId, before: undefined, after: silence, by: value.createdBy }
      dispatch.silenceChanged(change, now)
      made++
      const again = await recurringSilenceCollection.get(storage, stored.id)
      if (again === undefined) break
      value = again.value
      version = again.version
    }
  }
  return made
}
