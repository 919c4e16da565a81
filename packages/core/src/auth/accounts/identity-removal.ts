import type { Write } from '../../storage/storage.ts'
import type { Account, Identified } from './account.ts'
import { verifiedClaimId } from './accounts.ts'
import type { AuthenticatorRecord } from './authenticator-record.ts'
import { authenticatorCollection } from './authenticator-record.ts'
import { identityKey } from './identities.ts'
import type { IdentityRecord } from './identity-record.ts'
import { identityCollection, identityKeyCollection } from './identity-record.ts'
import type { VerifiedClaimRecord } from './verified-claim-record.ts'
import { verifiedClaimCollection } from './verified-claim-record.ts'

/** The records of an account that depend on one identity. */
interface Dependents {
  readonly claims: readonly VerifiedClaimRecord[]
  readonly authenticators: readonly Identified<AuthenticatorRecord>[]
}

/**
 * The records to remove with an identity: its verified claims, unless another identity asserts them too; and first factors that
 * send codes to its addresses, unless another login ID has the address, since only login IDs can use such a factor.
 */
function dependentsOf(account: Account, identity: Identified<IdentityRecord>): Dependents {
  const others = account.identities.filter(({ id }) => id !== identity.id)
  return {
    claims: account.verified_claims.filter(
      ({ name, value }) => identity[name] === value && !others.some((one) => one[name] === value),
    ),
    authenticators: account.authenticators.filter((one) => {
      if (one.kind !== 'primary' || !('target' in one)) return false
      const isIts = (of: IdentityRecord): boolean =>
        of.email === one.target || of.phone_number === one.target
      return isIts(identity) && !others.some((other) => other.type === 'login_id' && isIts(other))
    }),
  }
}

/** An account without one of its identities. */
export function withoutIdentity(account: Account, identity: Identified<IdentityRecord>): Account {
  const { claims, authenticators } = dependentsOf(account, identity)
  return {
    ...account,
    identities: account.identities.filter(({ id }) => id !== identity.id),
    authenticators: account.authenticators.filter((one) => !authenticators.includes(one)),
    verified_claims: account.verified_claims.filter((one) => !claims.includes(one)),
  }
}

/** The writes that remove an identity from an account. Its keys become free. */
export function identityRemovalWrites(
  account: Account,
  identity: Identified<IdentityRecord>,
): readonly Write[] {
  const { claims, authenticators } = dependentsOf(account, identity)
  return [
    identityCollection.remove(identity.id),
    identityKeyCollection.remove(identityKey(identity)),
    ...authenticators.map(({ id }) => authenticatorCollection.remove(id)),
    ...claims.map(({ user_id: userId, name, value }) =>
      verifiedClaimCollection.remove(verifiedClaimId(userId, name, value)),
    ),
  ]
}
