import { type Caller, nameOf } from '../../authorization/authorize.ts'
import { decodeInput, recordId } from '../../input/decode.ts'
import { retryOnConflict } from '../../storage/storage.ts'
import { findSilence } from '../board/find-silence.ts'
import type { AlertsContext } from '../context.ts'
import { silenceNotFound } from '../errors.ts'
import { endSilence, silenceCollection } from '../silence/silence.ts'
import { checkSilenceAccess } from './silence-access.ts'

/**
 * Expires a silence now; one that has already expired stays as it is.
 *
 * @param caller the user to act for, who must be allowed to do this. Without a caller the program itself acts.
 * @throws {GatehouseError} `InvalidInput`; `SilenceNotFound` if no silence has this id; `NotAuthenticated` and `NotAllowed` for a
 * caller.
 * @example
 * for (const { id } of await listSilences(alerts)) await expireSilence(alerts, id)
 * @see Alertmanager API v2, `DELETE /silence/{silenceID}`
 */
export async function expireSilence(
  alerts: AlertsContext,
  silenceId: string,
  caller?: Caller,
): Promise<void> {
  const id = decodeInput('silenceId', recordId, silenceId)
  const { storage, board, options, logger, dispatch } = alerts
  const expired = await retryOnConflict(async () => {
    const now = await board.catchUp()
    const stored = await findSilence(alerts, id)
    if (stored === undefined) throw silenceNotFound(id)
    await checkSilenceAccess(alerts, caller, stored)
    const ended = endSilence(stored.value, now)
    if (ended === stored.value) return undefined
    await storage.commit([silenceCollection.write(id, ended, { if: stored.version })])
    return { change: { id, before: stored.value, after: ended, by: nameOf(caller) }, now }
  })
  if (expired === undefined) return
  dispatch.silenceChanged(expired.change, expired.now)
  if (options.logSilences) logger.info({ id }, 'silence expired')
}
