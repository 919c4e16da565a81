import { type Caller, nameOf } from '../../authorization/authorize.ts'
import { decodeInput, recordId } from '../../input/decode.ts'
import { retryOnConflict } from '../../storage/storage.ts'
import type { AlertsContext } from '../context.ts'
import { recurringSilenceNotFound } from '../errors.ts'
import { recurringSilenceCollection } from '../recurrence/recurring-silence.ts'
import { endMadeSilences } from './end-made-silences.ts'
import { checkSilenceAccess } from './silence-access.ts'

/**
 * Deletes a recurring silence, and ends the silences of its present and next occurrence.
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
    const { matchers, createdBy, comment } = stored.value
    const value = { matchers, createdBy, comment, startsAt: now, endsAt: now, updatedAt: now }
    // A recurring silence has an owner, as an ordinary one has.
    await checkSilenceAccess(alerts, caller, { id, value })
    const made = await endMadeSilences(alerts, stored.value, { now, by: nameOf(caller) })
    const removal = recurringSilenceCollection.remove(id, stored.version)
    await storage.commit([removal, ...made.writes])
    return { changes: made.changes, now }
  })
  for (const change of ended.changes) dispatch.silenceChanged(change, ended.now)
}
