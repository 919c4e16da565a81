import { decodeInput, rawText } from '../../input/decode.ts'
import type { Identified } from '../accounts/account.ts'
import { loadAccount, maxOfAKind } from '../accounts/accounts.ts'
import { deviceTokenCollection } from '../accounts/device-token-record.ts'
import type { UserRecord } from '../accounts/user-record.ts'
import type { AuthContext } from '../context.ts'
import { userNotFound } from '../errors.ts'
import { type ListedAuthenticator, listedAuthenticator } from '../people/list-authenticators.ts'
import { type ListedIdentity, listedIdentity } from '../people/list-identities.ts'
import { getLockout, type Lockout } from '../people/lockouts.ts'
import { isUserVerified } from '../people/verified-user.ts'
import { listPlacedSessions, type PlacedSession } from '../sessions/list-sessions.ts'

/** A session as operators see it. */
export type UserSession = PlacedSession

/** All that operators see of a user, without secrets. Instants are in ms since the Unix epoch. */
export interface UserAccount {
  readonly user: Identified<UserRecord>
  /** Whether any address of the user is verified, or all are, as `verification.criteria` says. */
  readonly is_verified: boolean
  readonly identities: readonly ListedIdentity[]
  readonly authenticators: readonly ListedAuthenticator[]
  /** The number of unused recovery codes. */
  readonly recovery_codes: number
  /** The number of trusted devices. */
  readonly device_tokens: number
  readonly sessions: readonly UserSession[]
  readonly lockout: Lockout
}

/**
 * Reads a user with identities, authenticators, sessions and failed attempts.
 *
 * @throws {GatehouseError} `UserNotFound`
 */
export async function getUserAccount(auth: AuthContext, userId: string): Promise<UserAccount> {
  const id = decodeInput('userId', rawText, userId)
  const { storage } = auth
  const account = await loadAccount(storage, id)
  if (account === undefined) throw userNotFound({})
  const [sessions, tokens, lockout] = await Promise.all([
    listPlacedSessions(auth, id),
    deviceTokenCollection.find(storage, { by: 'user_id', equals: id, limit: maxOfAKind }),
    getLockout(auth, id),
  ])
  const { user, identities, authenticators, recovery_codes } = account
  return {
    user,
    is_verified: isUserVerified(account, auth.config.current.verification),
    identities: identities.map((one) => listedIdentity(one, account)),
    authenticators: authenticators.map(listedAuthenticator),
    recovery_codes,
    device_tokens: tokens.length,
    sessions,
    lockout,
  }
}
