import type { Write } from '../../storage/storage.ts'
import type { Instant } from '../../time/clock.ts'
import { findSilence } from '../board/find-silence.ts'
import type { AlertsContext } from '../context.ts'
import type { SilenceChange } from '../dispatch/hooks.ts'
import type { StoredRecurringSilence } from '../recurrence/recurring-silence.ts'
import { endSilence, silenceCollection } from '../silence/silence.ts'

/** What ends the silences that a recurring one has left: those of its present and its next occurrence. */
export async function endMadeSilences(
  alerts: AlertsContext,
  { silences }: StoredRecurringSilence,
  { now, by }: { readonly now: Instant; readonly by: string | undefined },
): Promise<{ readonly writes: readonly Write[]; readonly changes: readonly SilenceChange[] }> {
  const changes: SilenceChange[] = []
  const writes: Write[] = []
  for (const made of silences) {
    const silence = await findSilence(alerts, made.id)
    const after = silence && endSilence(silence.value, now)
    if (silence === undefined || after === undefined || after === silence.value) continue
    writes.push(silenceCollection.write(silence.id, after, { if: silence.version }))
    changes.push({ id: silence.id, before: silence.value, after, by })
  }
  return { writes, changes }
}
