import { retryOnConflict } from '../storage.ts'
import type { AlertsContext } from './context.ts'
import { silenceNotFound } from './errors.ts'
import { endSilence, silenceCollection } from './silence.ts'

/**
 * Ends a silence now; one that has already expired stays as it is.
 *
 * @throws {GatehouseError} `SilenceNotFound` if no silence has this id.
 * @see Alertmanager API v2, `DELETE /silence/{silenceID}`
 */
export async function expireSilence(alerts: AlertsContext, id: string): Promise<void> {
  const { storage, board, options, logger } = alerts
  const changed = await retryOnConflict(async () => {
    const now = await board.catchUp()
    const stored = board.silences.stored.get(id)
    if (stored === undefined) throw silenceNotFound(id)
    const ended = endSilence(stored.value, now)
    if (ended === stored.value) return false
    await storage.commit([silenceCollection.write(id, ended, { if: stored.version })])
    return true
  })
  if (changed && options.logSilences) logger.info({ id }, 'silence expired')
}
