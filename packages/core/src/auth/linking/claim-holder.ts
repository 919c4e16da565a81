import { findByClaim, loadAccount } from '../accounts/accounts.ts'
import type { ClaimValue, Identified, IdentityRecord } from '../accounts/records.ts'
import type { AuthContext } from '../context.ts'
import { isVerified } from '../flow/account.ts'
import { needsProof } from './linking-rules.ts'

/** Another user's identity that holds a claim, the oldest if there are several. */
export async function claimHolder(
  { storage, config }: Pick<AuthContext, 'storage' | 'config'>,
  { claim, value }: ClaimValue,
  userId: string,
): Promise<Identified<IdentityRecord> | undefined> {
  const found = await findByClaim(storage, claim, value)
  const others = found
    .filter(({ user_id }) => user_id !== userId)
    .sort((a, b) => a.created_at - b.created_at)
  for (const identity of others) {
    if (!needsProof(identity, config.current)) return identity
    const account = await loadAccount(storage, identity.user_id)
    if (account !== undefined && isVerified(account, claim, value)) return identity
  }
  return undefined
}
