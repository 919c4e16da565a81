import { decodeInput, rawText } from '../../input/decode.ts'
import type { Instant } from '../../time/clock.ts'
import type { Account, Identified } from '../accounts/account.ts'
import { loadAccount } from '../accounts/accounts.ts'
import { withoutMark } from '../accounts/identities.ts'
import type { IdentityRecord } from '../accounts/identity-record.ts'
import type { AuthContext } from '../context.ts'
import { userNotFound } from '../errors.ts'
import { isVerified } from '../flow/account.ts'
import { provableClaim } from '../flow/session/first-proof.ts'

type Listed<Identity> = Identity extends IdentityRecord
  ? Omit<Identified<Identity>, 'user_id' | 'unique_key' | 'data' | 'updated_at'>
  : never

/** An identity of a user; a custom one is listed without its data. */
export type ListedIdentity = Listed<IdentityRecord> & {
  readonly updated_at: Instant
  /** Whether its address is verified; `false` without an address. */
  readonly is_verified: boolean
}

/**
 * The identities of a user, oldest first.
 *
 * @throws {GatehouseError} `UserNotFound`
 */
export async function listIdentities(
  auth: AuthContext,
  userId: string,
): Promise<readonly ListedIdentity[]> {
  const account = await loadAccount(auth.storage, decodeInput('userId', rawText, userId))
  if (account === undefined) throw userNotFound({})
  return account.identities.map((one) => listedIdentity(one, account))
}

/** The listed form of an account's identity. */
export function listedIdentity(
  identity: Identified<IdentityRecord>,
  account: Account,
): ListedIdentity {
  const { user_id: _user, unique_key: _key, ...rest } = withoutMark(identity)
  const { data: _data, ...listed } = { data: null, ...rest }
  const updated_at = identity.updated_at ?? identity.created_at
  const claim = provableClaim(identity)
  const is_verified = claim !== undefined && isVerified(account, claim.name, claim.value)
  return { ...listed, updated_at, is_verified }
}
