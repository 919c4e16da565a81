import { decodeInput } from '../../input/decode.ts'
import type { Identified } from '../accounts/account.ts'
import { loadAccount, maxOfAKind } from '../accounts/accounts.ts'
import { deviceTokenCollection } from '../accounts/device-token-record.ts'
import type { UserProfile } from '../accounts/user-profile.ts'
import type { UserRecord } from '../accounts/user-record.ts'
import type { AuthContext } from '../context.ts'
import { userNotFound } from '../errors.ts'
import type { Session } from '../flow/session/session.ts'
import { type ListedAuthenticator, listedAuthenticator } from '../people/list-authenticators.ts'
import { type ListedIdentity, listedIdentity } from '../people/list-identities.ts'
import { sessionInput } from '../sessions/session-input.ts'
import { profileAccess } from './account-input.ts'
import { type AvailableChanges, availableChanges } from './available-changes.ts'
import { listOwnSessions, type OwnSession } from './own-sessions.ts'
import { type ProfileAccess, visibleProfile } from './profile-access.ts'

/** The account as its user sees it, without secrets. Instants are in ms since the Unix epoch. */
export interface OwnAccount {
  readonly user: Pick<
    Identified<UserRecord>,
    'id' | 'created_at' | 'updated_at' | 'last_login_at'
  > &
    UserProfile
  readonly identities: readonly ListedIdentity[]
  readonly authenticators: readonly ListedAuthenticator[]
  /** The number of unused recovery codes. */
  readonly recovery_codes: number
  /** The number of trusted devices. */
  readonly device_tokens: number
  readonly sessions: readonly OwnSession[]
  readonly changes: AvailableChanges
}

/**
 * The account of a session's user, as the user may see it.
 *
 * @throws {GatehouseError} `UserNotFound`
 */
export async function getAccount(
  auth: AuthContext,
  of: Session,
  options: ProfileAccess = {},
): Promise<OwnAccount> {
  const session = decodeInput('session', sessionInput, of)
  const access = decodeInput('access', profileAccess, options)
  const { storage } = auth
  const { user_id: userId } = session
  const [account, sessions, tokens] = await Promise.all([
    loadAccount(storage, userId),
    listOwnSessions(auth, session),
    deviceTokenCollection.find(storage, { by: 'user_id', equals: userId, limit: maxOfAKind }),
  ])
  if (account === undefined) throw userNotFound({})
  const { id, created_at, updated_at, last_login_at } = account.user
  return {
    user: { id, created_at, updated_at, last_login_at, ...visibleProfile(account.user, access) },
    identities: account.identities.map((one) => listedIdentity(one, account)),
    authenticators: account.authenticators.map(listedAuthenticator),
    recovery_codes: account.recovery_codes,
    device_tokens: tokens.length,
    sessions,
    changes: availableChanges({
      ...access,
      account,
      config: auth.config.current,
      kinds: auth.kinds,
    }),
  }
}
