import { plainAddress } from '../../http/ip-address.ts'
import {
  anyText,
  decodeInput,
  exactly,
  lineOfText,
  optional,
  rawText,
  wholeFrom,
} from '../../input/decode.ts'
import { retryOnConflict } from '../../storage/storage.ts'
import { statusProblem } from '../accounts/account-status.ts'
import { userCollection } from '../accounts/user-record.ts'
import type { AuthContext } from '../context.ts'
import { userNotFound } from '../errors.ts'
import { eventUser } from '../events/event-records.ts'
import { commitWithEvents, hostEvent } from '../events/outbox.ts'
import { toSession } from '../flow/session/session.ts'
import { sessionCookies } from '../sessions/cookies.ts'
import type { OpenedSession } from '../sessions/create-session.ts'
import { newSession } from '../sessions/new-session.ts'

/** Who acts as a user, and why. */
export interface Impersonation {
  /** The name of the operator, which the user sees: 1 to 200 characters. */
  readonly operator: string
  /** For the audit log: 1 to 500 characters. */
  readonly reason: string
  /** In seconds, at most 8 hours (default 30 minutes). */
  readonly lifetime_seconds?: number
  readonly ip?: string
  readonly userAgent?: string
}

const maxLifetimeSeconds = 8 * 3_600
const usualLifetimeSeconds = 1_800

const decodeImpersonation = exactly<Impersonation>({
  operator: lineOfText(200),
  reason: lineOfText(500),
  lifetime_seconds: optional(wholeFrom(1, maxLifetimeSeconds)),
  ip: optional(anyText),
  userAgent: optional(anyText),
})

/**
 * Opens a short session in which an operator acts as a user. It is marked: `impersonated_by` names the operator. It counts as no
 * authentication, so `requireFresh` refuses it, and it cannot change how the user signs in. The program decides who may act as whom.
 *
 * @throws {GatehouseError} `InvalidInput`; `UserNotFound`; `DisabledUser` and the like.
 * @example
 * const { cookies } = await impersonateUser(auth, userId, { operator: 'olga', reason: 'ticket 4711' })
 */
export async function impersonateUser(
  auth: AuthContext,
  user: string,
  given: Impersonation,
): Promise<OpenedSession> {
  const userId = decodeInput('user', rawText, user)
  const options = decodeInput('impersonation', decodeImpersonation, given)
  const { operator, reason, lifetime_seconds: lifetime = usualLifetimeSeconds } = options
  const now = auth.clock.now()
  const { id, token, record, write } = newSession(auth, {
    userId,
    clientId: null,
    ip: options.ip === undefined ? null : plainAddress(options.ip),
    userAgent: options.userAgent ?? null,
    amrAt: {},
    isUserVerified: false,
    now,
    impersonated: { impersonated_by: operator, ends_at: now + lifetime * 1_000 },
  })
  const config = auth.config.current
  const session = toSession(id, record, config)
  await retryOnConflict(async () => {
    const found = await userCollection.get(auth.storage, userId)
    if (found === undefined) throw userNotFound({})
    const problem = statusProblem(found.value, auth.clock.now())
    if (problem !== undefined) throw problem
    const about = {
      user: eventUser({ ...found.value, id: userId }),
      session: { id, expires_at: new Date(session.expires_at).toISOString() },
      impersonator: { id: operator },
      reason,
    }
    const check = { collection: userCollection, id: userId, check: found.version } as const
    const event = hostEvent(auth, 'user.impersonated', about, userId)
    await commitWithEvents(auth, [check, write], [event])
  })
  auth.counters.sessionsOpened()
  return { session, token, cookies: sessionCookies(config, token, lifetime) }
}
