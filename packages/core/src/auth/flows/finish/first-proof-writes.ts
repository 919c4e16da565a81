import type { Write } from '../../../storage/storage.ts'
import type { Account, Identified } from '../../accounts/account.ts'
import { loadToChange, verifiedClaimId } from '../../accounts/accounts.ts'
import { apiKeyCollection, findApiKeys } from '../../accounts/api-key-record.ts'
import { attributeWrites } from '../../accounts/attribute-index.ts'
import { authenticatorCollection } from '../../accounts/authenticator-record.ts'
import { deviceTokenCollection } from '../../accounts/device-token-record.ts'
import { identityKey } from '../../accounts/identities.ts'
import type { IdentityRecord } from '../../accounts/identity-record.ts'
import { identityCollection, identityKeyCollection } from '../../accounts/identity-record.ts'
import { withoutIdentity } from '../../accounts/identity-removal.ts'
import { removalsOf } from '../../accounts/owned-records.ts'
import { recoveryCodeCollection } from '../../accounts/recovery-code-record.ts'
import { userCollection } from '../../accounts/user-record.ts'
import { verifiedClaimCollection } from '../../accounts/verified-claim-record.ts'
import type { AuthContext, AuthRun } from '../../context.ts'
import { isVerified } from '../../flow/account.ts'
import { isUnproven, provableClaim } from '../../flow/session/first-proof.ts'
import type { Fact, LostRecords } from '../../flow/state.ts'
import { followedAttributes } from './population.ts'

/** The API keys and apps that end: a stranger may have made and let in any of them. The writes remove them, and all else that ends. */
export interface EndedAccess extends Pick<LostRecords, 'api_keys' | 'apps'> {
  readonly writes: readonly Write[]
}

/** Removes what the first proof of an address has ended, apart from sessions. */
export async function endedAccess(
  { storage, bridge }: AuthContext,
  before: Account,
  after: Account,
): Promise<EndedAccess> {
  const userId = before.user.id
  const apps = await bridge.current?.apps?.end(storage, userId)
  const keys = await findApiKeys(storage, { user_id: userId })
  const writes = [
    ...removedWrites(before, after),
    ...(await removalsOf(storage, deviceTokenCollection, userId)),
    ...keys.map(({ id }) => apiKeyCollection.remove(id)),
    ...(apps?.writes ?? []),
    ...(after.recovery_codes === before.recovery_codes
      ? []
      : await removalsOf(storage, recoveryCodeCollection, userId)),
  ]
  return { writes, apps, api_keys: keys.map(({ id, value }) => ({ ...value, id })) }
}

/** Removes the identities, authenticators and verified claims that an account no longer has. */
function removedWrites(before: Account, after: Account): readonly Write[] {
  return [
    ...lostOf(before.identities, after.identities).flatMap((identity) => [
      identityCollection.remove(identity.id),
      identityKeyCollection.remove(identityKey(identity)),
    ]),
    ...lostOf(before.authenticators, after.authenticators).map(({ id }) =>
      authenticatorCollection.remove(id),
    ),
    ...before.verified_claims
      .filter((claim) => !after.verified_claims.includes(claim))
      .map(({ user_id: id, name, value }) =>
        verifiedClaimCollection.remove(verifiedClaimId(id, name, value)),
      ),
  ]
}

/** The records that are no longer there. */
export const lostOf = <T extends { readonly id: string }>(
  before: readonly T[],
  after: readonly T[],
): readonly T[] => before.filter(({ id }) => !after.some((one) => one.id === id))

/** Unproven login IDs that other users lose to the owner of the address. */
export interface TakenAddresses {
  readonly identities: readonly Identified<IdentityRecord>[]
  readonly writes: readonly Write[]
}

/**
 * Takes the addresses that a flow has proven for its new identities from users who have them as a login ID without a proof.
 * Writes those users, so that a concurrent change of theirs fails.
 */
export async function takenAddresses(
  run: AuthRun,
  facts: readonly Fact[],
  after: Account | undefined,
): Promise<TakenAddresses> {
  const { auth } = run
  if (after === undefined) return { identities: [], writes: [] }
  const proven = provenClaims(facts, after)
  const holders = new Set<string>()
  for (const { key, name, value } of proven) {
    const owner = await identityKeyCollection.get(auth.storage, key)
    if (owner !== undefined) holders.add(owner.value.user_id)
    const query = { by: name, equals: value, limit: 100 } as const
    for (const { value: found } of await identityCollection.find(auth.storage, query)) {
      if (found.type === 'login_id') holders.add(found.user_id)
    }
  }
  holders.delete(after.user.id)
  const taken: TakenAddresses[] = []
  for (const id of holders) taken.push(await takenFrom(run, id, proven))
  return {
    identities: taken.flatMap(({ identities }) => identities),
    writes: taken.flatMap(({ writes }) => writes),
  }
}

interface ProvenClaim {
  readonly key: string
  readonly name: 'email' | 'phone_number'
  readonly value: string
}

function provenClaims(facts: readonly Fact[], after: Account): readonly ProvenClaim[] {
  return facts.flatMap((fact) => {
    const claim = fact.kind === 'identity_created' ? provableClaim(fact.identity) : undefined
    if (fact.kind !== 'identity_created' || claim === undefined) return []
    const isProven = isVerified(after, claim.name, claim.value)
    return isProven ? [{ ...claim, key: identityKey(fact.identity) }] : []
  })
}

async function takenFrom(
  { auth }: AuthRun,
  userId: string,
  proven: readonly ProvenClaim[],
): Promise<TakenAddresses> {
  const stored = await loadToChange(auth.storage, userId)
  if (stored === undefined) return { identities: [], writes: [] }
  const { account, user } = stored
  const isTaken = (identity: IdentityRecord): boolean =>
    isUnproven(identity, account, auth.config.current) &&
    proven.some(({ key, name, value }) => identity[name] === value || identityKey(identity) === key)
  const identities = account.identities.filter(isTaken)
  if (identities.length === 0) return { identities, writes: [] }
  const after = identities.reduce(withoutIdentity, account)
  const followed = {
    ...user.value,
    standard_attributes: followedAttributes(user.value.standard_attributes, {
      before: account.identities,
      after: after.identities,
      fills: false,
    }),
  }
  return {
    identities,
    writes: [
      userCollection.write(userId, followed, { if: user.version }),
      ...attributeWrites(userId, account.user, followed),
      ...removedWrites(account, after),
    ],
  }
}
