import { decodeInput, recordId } from '../../input/decode.ts'
import { findSilence } from '../board/find-silence.ts'
import { measuredQuery } from '../board/silence-metrics.ts'
import type { AlertsContext } from '../context.ts'
import { silenceNotFound } from '../errors.ts'
import { type GettableSilence, toGettableSilence } from '../silence/silence.ts'

/**
 * Returns a silence in any state.
 *
 * @throws {GatehouseError} `InvalidInput`; `SilenceNotFound` if no silence has this id.
 * @see Alertmanager API v2, `GET /silence/{silenceID}`
 */
export async function getSilence(
  alerts: AlertsContext,
  silenceId: string,
): Promise<GettableSilence> {
  const id = decodeInput('silenceId', recordId, silenceId)
  const { now, stored } = await measuredQuery(alerts, async () => ({
    now: await alerts.board.catchUp(),
    stored: await findSilence(alerts, id),
  }))
  if (stored === undefined) throw silenceNotFound(id)
  return toGettableSilence(id, stored.value, now)
}
