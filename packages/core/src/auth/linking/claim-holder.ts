import type { Storage } from '../../storage/storage.ts'
import type { Identified } from '../accounts/account.ts'
import { findByClaim, loadAccount } from '../accounts/accounts.ts'
import type { ClaimValue, IdentityRecord } from '../accounts/identity-record.ts'
import type { WithConfig } from '../config/config.ts'
import { isVerified } from '../flow/account.ts'
import { isUnproven } from '../flow/session/first-proof.ts'
import { needsProof } from './linking-rules.ts'

/** What holders of claims are looked up with. */
export interface HolderPorts extends WithConfig {
  readonly storage: Storage
}

/**
 * Another user's identity that holds a claim, the oldest if there are several. `isProven`: the user has proven the claim, so that
 * login IDs which nobody has proven do not hold it.
 */
export async function claimHolder(
  { storage, config }: HolderPorts,
  { claim, value }: ClaimValue,
  { user_id: userId, isProven = false }: { readonly user_id: string; readonly isProven?: boolean },
): Promise<Identified<IdentityRecord> | undefined> {
  const found = await findByClaim(storage, claim, value)
  const others = found
    .filter(({ user_id }) => user_id !== userId)
    .sort((a, b) => a.created_at - b.created_at)
  for (const identity of others) {
    const needs = needsProof(identity, config.current)
    if (!needs && !isProven) return identity
    const account = await loadAccount(storage, identity.user_id)
    if (account === undefined) continue
    if (
      needs ? isVerified(account, claim, value) : !isUnproven(identity, account, config.current)
    ) {
      return identity
    }
  }
  return undefined
}
