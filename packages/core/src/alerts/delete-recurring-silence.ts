import { type Caller, nameOf } from '../authorization/authorize.ts'
import { decodeInput, recordId } from '../input/decode.ts'
import { retryOnConflict } from '../storage/storage.ts'
import { findSilence } from './board/find-silence.ts'
import type { AlertsContext } from './context.ts'
import { recurringSilenceNotFound } from './errors.ts'
import { recurringSilenceCollection } from './recurrence/recurring-silence.ts'
import { endSilence, silenceCollection } from './silence/silence.ts'
import { checkSilenceAccess } from './silence-access.ts'

/**
 * Deletes a recurring silence, and ends the silence of its present or next occurrence.
 *
 * @param caller the user to act for, who must be allowed to do this. Without a caller the program itself acts.
 * @throws {GatehouseError} `InvalidInput`; `RecurringSilenceNotFound`; `NotAuthenticated` and `NotAllowed` for a caller.
 */
export async function deleteRecurringSilence(
  alerts: AlertsContext,
  recurringSilenceId: string,
  caller?: Caller,
): Promise<void> {
  const id = decodeInput('recurringSilenceId', recordId, recurringSilenceId)
  const { board, storage, dispatch } = alerts
  const ended = await retryOnConflict(async () => {
    const now = await board.catchUp()
    const stored = await recurringSilenceCollection.get(storage, id)
    if (stored === undefined) throw recurringSilenceNotFound(id)
    const { matchers, createdBy, comment, silenceId } = stored.value
    const value = { matchers, createdBy, comment, startsAt: now, endsAt: now, updatedAt: now }
    // A silence that recurs is somebody's own or another's, as an ordinary one is.
    await checkSilenceAccess(alerts, caller, { id, value })
    const silence = silenceId === undefined ? undefined : await findSilence(alerts, silenceId)
    const after = silence && endSilence(silence.value, now)
    const isChanged = silence !== undefined && after !== undefined && after !== silence.value
    await storage.commit([
      recurringSilenceCollection.remove(id, stored.version),
      ...(isChanged ? [silenceCollection.write(silence.id, after, { if: silence.version })] : []),
    ])
    return isChanged ? { id: silence.id, before: silence.value, after, now } : undefined
  })
  if (ended === undefined) return
  const { now, ...change } = ended
  dispatch.silenceChanged({ ...change, by: nameOf(caller) }, now)
}
