import { sha256Hex } from '../../crypto/crypto.ts'
import { defineCollection, type TypedCollection } from '../../storage/collection.ts'
import type { Write } from '../../storage/storage.ts'
import type { Instant } from '../../time/clock.ts'
import type { Account } from '../accounts/account.ts'
import { existingNames, incomingNames } from '../accounts/identities.ts'
import type { ClaimName, ClaimValue, IdentityRecord } from '../accounts/identity-record.ts'
import type { LoadedAuthConfig } from '../config/config.ts'
import { invariantViolated } from '../errors.ts'
import { isVerified } from '../flow/account.ts'
import type { FlowRun } from '../flow/run.ts'
import type { Fact, FactOf } from '../flow/state.ts'
import { claimHolder, type HolderPorts } from './claim-holder.ts'
import { needsProof } from './linking-rules.ts'

/** Claims that an identity was recently added with, by their SHA-256. A record invalidates earlier reads of its claim. */
export const claimGuardCollection: TypedCollection<Readonly<Record<string, never>>> =
  defineCollection({
    name: 'auth_claim_guards',
  })

/** Longer than any flow takes from reading a claim to its commit. */
const lifeMs = 3_600_000

const claimNames: readonly ClaimName[] = ['email', 'phone_number', 'preferred_username']

const guardId = ({ claim, value }: ClaimValue): string => sha256Hex(JSON.stringify([claim, value]))

/**
 * Keeps two flows from giving the same claim to two users, each as an identity of another kind. A flow that takes a claim writes
 * its guard. A flow that found a claim free checks the version of the guard in its commit, and looks up the claim once more after
 * reading the guard.
 *
 * @param after the account after the facts are applied.
 * @throws {GatehouseError} `InvariantViolated` (`DuplicatedIdentity`) if another user has taken a claim since the flow looked.
 */
export async function claimGuardWrites(
  { auth, now }: FlowRun<HolderPorts>,
  facts: readonly Fact[],
  after: Account | undefined,
): Promise<readonly Write[]> {
  const created = facts.filter((fact) => fact.kind === 'identity_created')
  const gotten = created.flatMap(({ identity }) =>
    claimsOf(identity).filter((one) => isGotten(identity, one, auth.config.current, after)),
  )
  const written = new Set(gotten.map(guardId))
  const ids = [...new Set([...written, ...created.flatMap(({ apart = [] }) => apart.map(guardId))])]
  const guards = ids.length === 0 ? [] : await auth.storage.get(claimGuardCollection, ids)
  for (const fact of created) await checkApart(auth, fact, after)
  return ids.map((id, index): Write => {
    const version = guards[index]?.version ?? 'absent'
    return written.has(id)
      ? claimGuardCollection.write(id, {}, { if: version, expiresAt: now + lifeMs })
      : { collection: claimGuardCollection, id, check: version }
  })
}

/** Writes the guards of an identity's claims without looking up their holders: flows that found a claim free must look again. */
export const claimGuardsOf = (identity: IdentityRecord, now: Instant): readonly Write[] =>
  claimsOf(identity).map((one) =>
    claimGuardCollection.write(guardId(one), {}, { expiresAt: now + lifeMs }),
  )

/** An unproven claim of a provider belongs to no user, so any number of flows may end with it concurrently. */
const isGotten = (
  identity: IdentityRecord,
  { claim, value }: ClaimValue,
  config: LoadedAuthConfig,
  after: Account | undefined,
): boolean =>
  !needsProof(identity, config) || (after !== undefined && isVerified(after, claim, value))

async function checkApart(
  auth: HolderPorts,
  { identity, apart = [] }: FactOf<'identity_created'>,
  after: Account | undefined,
): Promise<void> {
  for (const claim of apart) {
    const isProven = after !== undefined && isVerified(after, claim.claim, claim.value)
    const holder = await claimHolder(auth, claim, { user_id: identity.user_id, isProven })
    if (holder === undefined) continue
    throw invariantViolated('DuplicatedIdentity', 'identity already exists', {
      ...incomingNames(identity),
      ...existingNames(holder),
    })
  }
}

const claimsOf = (identity: IdentityRecord): readonly ClaimValue[] =>
  claimNames.flatMap((claim) => {
    const value = identity[claim]
    return value === undefined ? [] : [{ claim, value }]
  })
