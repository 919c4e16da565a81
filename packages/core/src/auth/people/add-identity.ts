import { decodeInput, exactly, flag, optional, rawText } from '../../input/decode.ts'
import type { Identified } from '../accounts/account.ts'
import { findIdentity } from '../accounts/accounts.ts'
import { identityKey } from '../accounts/identities.ts'
import type { ClaimValue, IdentityRecord } from '../accounts/identity-record.ts'
import type { IncomingIdentity } from '../accounts/incoming-identity.ts'
import type { AuthContext } from '../context.ts'
import { establishFacts } from '../flows/finish/establish-facts.ts'
import { claimHolder } from '../linking/claim-holder.ts'
import { linkingChecks } from '../linking/linking-rules.ts'
import { duplicated, identityFacts } from '../linking/sign-up.ts'
import { type NewIdentity, newIdentity, readIdentity } from './read-identity.ts'

/** Options of {@link addIdentity}. */
export interface AddIdentityOptions {
  /**
   * For users from another system: ignore `create_disabled`, the lists of blocked login IDs, a missing email address of a
   * provider that requires one, and other users who have the address or name (default false). A user who has the same identity
   * is never ignored.
   */
  readonly force?: boolean
}

const decodeOptions = exactly<AddIdentityOptions>({ force: optional(flag) })

/**
 * Adds an identity to a user. Returns its id. It is validated as in a flow, but not verified.
 *
 * @throws {GatehouseError} `InvalidInput`; `UserNotFound`; `ValidationFailed`; `InvariantViolated`: `DuplicatedIdentity` if a
 * user has it, or another user has its address or name, `IdentityModifyDisabled`, `AnonymousUserDisallowed`;
 * `OAuthProviderNotFound`; `OAuthError` if the provider's accounts need an email address and there is none.
 */
export async function addIdentity(
  auth: AuthContext,
  user: string,
  identity: NewIdentity,
  how: AddIdentityOptions = {},
): Promise<string> {
  const userId = decodeInput('user', rawText, user)
  const given = decodeInput('identity', newIdentity, identity)
  const options = decodeInput('options', decodeOptions, how)
  const id = auth.ids.random()
  await establishFacts(auth, userId, async (account) => {
    const about = { id, user_id: userId, created_at: auth.clock.now() }
    const { incoming, record } = readIdentity(auth, { given, about, account }, options)
    const apart = await checkFree(auth, incoming, record, options)
    return identityFacts(incoming, record, { apart })
  })
  return id
}

/** Refuses an identity that a user has, or that asserts another user's claim. Returns the claims that were checked. */
async function checkFree(
  auth: AuthContext,
  incoming: IncomingIdentity,
  record: Identified<IdentityRecord>,
  { force = false }: AddIdentityOptions,
): Promise<readonly ClaimValue[]> {
  const same = await findIdentity(auth.storage, identityKey(record))
  if (same !== undefined) throw duplicated(incoming, same)
  if (force) return []
  const { identification } = incoming
  const checks = linkingChecks(auth.config.current, incoming, { identification })
  const claims = checks.map(({ claim, value }): ClaimValue => ({ claim, value }))
  for (const one of claims) {
    const holder = await claimHolder(auth, one, { user_id: record.user_id })
    if (holder !== undefined) throw duplicated(incoming, holder)
  }
  return claims
}
