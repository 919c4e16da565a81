import { inSlices } from '../../async/slices.ts'
import { type Caller, nameOf } from '../../authorization/authorize.ts'
import { decodeInput } from '../../input/decode.ts'
import { retryOnConflict, type Write } from '../../storage/storage.ts'
import type { Instant } from '../../time/clock.ts'
import { findSilence } from '../board/find-silence.ts'
import type { AlertsContext } from '../context.ts'
import { silenceNotFound } from '../errors.ts'
import {
  checkSilence,
  type DecodedSilence,
  decideSilence,
  silenceCollection,
} from '../silence/silence.ts'
import { type PostableSilence, postableSilence } from '../silence/silence-input.ts'
import { checkSilenceAccess } from './silence-access.ts'
import { checkMatcherCount, checkSilenceCount, checkSilenceSize } from './silence-limits.ts'

/**
 * Creates a silence, or updates the one with the given id. An update that would rewrite what the silence has already suppressed
 * expires it and creates another.
 *
 * @param caller the user to act for: must be allowed to do this, and becomes `createdBy`. Without a caller the program itself acts.
 * @returns the id of the silence, which is new if another one was created.
 * @throws {GatehouseError} `InvalidInput`; `InvalidSilence`; `SilenceNotFound` if there is no silence with the given id;
 * `SilenceLimitExceeded`; `NotAuthenticated` and `NotAllowed` for a caller.
 * @example
 * const id = await createSilence(alerts, {
 *   matchers: [{ name: 'instance', value: 'db-1', isRegex: false }],
 *   startsAt: Date.now(),
 *   endsAt: Date.now() + 3_600_000,
 *   createdBy: 'maya',
 *   comment: 'the disk is being replaced',
 * })
 * @see Alertmanager API v2, `POST /silences`
 */
export async function createSilence(
  alerts: AlertsContext,
  silence: PostableSilence,
  caller?: Caller,
): Promise<string> {
  return createDecodedSilence(alerts, decodeInput('silence', postableSilence, silence), caller)
}

/** The outcome of a request. */
interface Decided {
  readonly id: string
  readonly decision: ReturnType<typeof decideSilence>
  readonly stored: Awaited<ReturnType<typeof findSilence>>
  readonly now: Instant
}

/** {@link createSilence} for a silence whose types were checked. */
export async function createDecodedSilence(
  alerts: AlertsContext,
  given: DecodedSilence,
  caller?: Caller,
): Promise<string> {
  const { board, options, clock, ids, logger, dispatch } = alerts
  const posted = { ...given, createdBy: nameOf(caller) ?? given.createdBy }
  // First what needs no compiled expressions.
  checkMatcherCount(posted.matchers, options)
  await inSlices(checkSilence(posted, clock.now(), options.labelNames))
  const decide = async (): Promise<Decided> => {
    // Only a limit and an update depend on stored silences.
    const now = options.maxSilences > 0 || posted.id ? await board.catchUp() : clock.now()
    const stored = posted.id ? await findSilence(alerts, posted.id) : undefined
    if (posted.id && stored === undefined) throw silenceNotFound(posted.id)
    const decision = decideSilence(posted, stored?.value, now)
    const isRewritten = decision.outcome === 'update' || decision.ended !== undefined
    if (stored && isRewritten) await checkSilenceAccess(alerts, caller, stored)
    if (decision.outcome === 'create')
      await checkSilenceAccess(alerts, caller, { id: undefined, value: decision.silence })
    const id = decision.outcome === 'update' && stored ? stored.id : ids.random()
    if (decision.outcome === 'create') checkSilenceCount(alerts)
    checkSilenceSize(id, decision.silence, options)
    const writes: Write[] = []
    if (decision.outcome === 'update') {
      writes.push(
        silenceCollection.write(id, decision.silence, { if: stored?.version ?? 'absent' }),
      )
    } else {
      writes.push(silenceCollection.write(id, decision.silence, { if: 'absent' }))
      if (stored && decision.ended) {
        writes.push(silenceCollection.write(stored.id, decision.ended, { if: stored.version }))
      }
    }
    await alerts.commitTogether(writes)
    return { id, decision, stored, now }
  }
  // The limit counts stored silences, so with a limit each request waits for the commit of the one before.
  const { id, decision, stored, now } = await (options.maxSilences > 0
    ? alerts.silenceTurns('', () => retryOnConflict(decide))
    : retryOnConflict(decide))
  const by = posted.createdBy
  if (decision.outcome === 'update') {
    dispatch.silenceChanged({ id, before: stored?.value, after: decision.silence, by }, now)
  } else {
    dispatch.silenceChanged({ id, before: undefined, after: decision.silence, by }, now)
    if (stored && decision.ended) {
      const change = { id: stored.id, before: stored.value, after: decision.ended, by }
      dispatch.silenceChanged(change, now)
    }
  }
  if (options.logSilences) {
    logger.info(
      { id, outcome: decision.outcome, createdBy: by, comment: posted.comment },
      'silence set',
    )
  }
  return id
}
