import type { Account } from '../../accounts/account.ts'
import type { IdentityRecord } from '../../accounts/identity-record.ts'
import { withoutIdentity } from '../../accounts/identity-removal.ts'
import type { VerifiedClaimRecord } from '../../accounts/verified-claim-record.ts'
import type { LoadedAuthConfig } from '../../config/config.ts'
import type { Fact } from '../state.ts'
import { ownRecords } from './own-records.ts'

/** The address of an identity that a code can prove. */
export function provableClaim({
  email,
  phone_number: phone,
}: Pick<IdentityRecord, 'email' | 'phone_number'>):
  | { readonly name: 'email' | 'phone_number'; readonly value: string }
  | undefined {
  if (email !== undefined) return { name: 'email', value: email }
  return phone === undefined ? undefined : { name: 'phone_number', value: phone }
}

/**
 * Whether an account has an unproven login ID, so that a stranger may have set up the account. The host
 * vouches for those that it has created. Old ones count if sign-ups need no proof.
 */
export function isUnproven(
  identity: IdentityRecord,
  { verified_claims: claims }: Pick<Account, 'verified_claims'>,
  { verification }: Pick<LoadedAuthConfig, 'verification'>,
): boolean {
  const claim = identity.type === 'login_id' ? provableClaim(identity) : undefined
  if (identity.type !== 'login_id' || claim === undefined) return false
  if (claims.some(({ name, value }) => name === claim.name && value === claim.value)) return false
  const { enabled, required } = verification.claims[claim.name]
  return identity.is_unproven ?? !(enabled && required)
}

/** Whether facts contain the first proof of a login ID that an account already had. */
function isFirstProof(
  account: Account,
  facts: readonly Fact[],
  config: Pick<LoadedAuthConfig, 'verification'>,
): boolean {
  const proven = facts.filter((fact) => fact.kind === 'claim_verified')
  return account.identities.some(
    (identity) =>
      proven.some(({ name, value }) => identity[name] === value) &&
      isUnproven(identity, account, config),
  )
}

/**
 * An account after the first proof of an address, before the other facts are applied: the prover owns the account, and
 * what others may have set up before is gone. What this flow has used, and what its session has used or set up, stays.
 *
 * @returns the same account if the facts contain no such proof.
 * @see "Account pre-hijacking attacks", USENIX Security 2022
 */
export function afterFirstProof(
  account: Account,
  facts: readonly Fact[],
  config: Pick<LoadedAuthConfig, 'verification'>,
): Account {
  if (!isFirstProof(account, facts, config)) return account
  const own = facts.flatMap((fact) => (fact.kind === 'session_used' ? (fact.own ?? []) : []))
  const kept = new Set([...ownRecords(facts), ...own])
  const proven = (claim: Pick<VerifiedClaimRecord, 'name' | 'value'>): boolean =>
    facts.some(
      (fact) =>
        fact.kind === 'claim_verified' && fact.name === claim.name && fact.value === claim.value,
    )
  const isKept = (identity: Account['identities'][number]): boolean => {
    const claim = provableClaim(identity)
    const isProven = identity.type === 'login_id' && claim !== undefined && proven(claim)
    return isProven || kept.has(identity.id)
  }
  const lost = account.identities.filter((identity) => !isKept(identity))
  const left = lost.reduce(withoutIdentity, account)
  const authenticators = left.authenticators.filter(({ id }) => kept.has(id))
  const hasSecond = authenticators.some(({ kind }) => kind === 'secondary')
  return { ...left, authenticators, recovery_codes: hasSecond ? left.recovery_codes : 0 }
}
