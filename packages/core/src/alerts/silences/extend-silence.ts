import { type Caller, nameOf } from '../../authorization/authorize.ts'
import { decodeInput, exactly, optional, recordId, wholeFrom } from '../../input/decode.ts'
import type { FromCode } from '../../input/from-code.ts'
import { instant } from '../../input/instant.ts'
import { retryOnConflict } from '../../storage/storage.ts'
import type { Instant } from '../../time/clock.ts'
import { findSilence } from '../board/find-silence.ts'
import type { AlertsContext } from '../context.ts'
import { invalidSilence, silenceNotFound } from '../errors.ts'
import {
  type GettableSilence,
  silenceCollection,
  silenceState,
  toGettableSilence,
} from '../silence/silence.ts'
import type * as wire from '../wire/types.generated.ts'
import { checkSilenceAccess } from './silence-access.ts'

/** Which silence to extend, and until when: either `endsAt` or `byMs`. */
export type SilenceExtension = FromCode<wire.SilenceExtension, 'endsAt'>

/** A {@link SilenceExtension} whose types were checked. */
export interface DecodedSilenceExtension {
  readonly silenceId: string
  readonly endsAt?: Instant
  readonly byMs?: number
}

const silenceExtension = exactly<DecodedSilenceExtension>({
  silenceId: recordId,
  endsAt: optional(instant),
  byMs: optional(wholeFrom(1)),
})

/** The last instant that RFC 3339 can represent. */
const lastInstant = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/**
 * Lets a silence that has not expired end later. Unlike an update, it changes nothing else, so two people who extend the same
 * silence by an hour at once extend it by two.
 *
 * @param caller the user to act for, who must be allowed to do this. Without a caller the program itself acts.
 * @throws {GatehouseError} `InvalidInput`; `InvalidSilence` if it has expired, or would not end later; `SilenceNotFound`;
 * `NotAuthenticated` and `NotAllowed` for a caller.
 * @example
 * for (const { id } of await listSilences(alerts, { expired: false })) await extendSilence(alerts, { silenceId: id, byMs: 3_600_000 })
 */
export async function extendSilence(
  alerts: AlertsContext,
  extension: SilenceExtension,
  caller?: Caller,
): Promise<GettableSilence> {
  const { silenceId: id, endsAt, byMs } = decodeInput('extension', silenceExtension, extension)
  if ((endsAt === undefined) === (byMs === undefined)) {
    throw invalidSilence('either endsAt or byMs must be given')
  }
  const { storage, board, options, logger, dispatch } = alerts
  const { before, after, now } = await retryOnConflict(async () => {
    const now = await board.catchUp()
    const stored = await findSilence(alerts, id)
    if (stored === undefined) throw silenceNotFound(id)
    await checkSilenceAccess(alerts, caller, stored)
    const before = stored.value
    if (silenceState(before, now) === 'expired') {
      throw invalidSilence('the silence has expired: create a new one')
    }
    const end = endsAt ?? before.endsAt + (byMs ?? 0)
    if (end <= before.endsAt) throw invalidSilence('the new end must be later than the end it has')
    if (end > lastInstant) throw invalidSilence('the new end must be in the years 1 to 9999')
    const after = { ...before, endsAt: end, updatedAt: now }
    await storage.commit([silenceCollection.write(id, after, { if: stored.version })])
    return { before, after, now }
  })
  dispatch.silenceChanged({ id, before, after, by: nameOf(caller) }, now)
  if (options.logSilences) logger.info({ id }, 'silence extended')
  return toGettableSilence(id, after, now)
}
