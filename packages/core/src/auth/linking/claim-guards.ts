import { sha256Hex } from '../../crypto/crypto.ts'
import type { Write } from '../../storage/storage.ts'
import type { Instant } from '../../time/clock.ts'
import { existingNames, incomingNames } from '../accounts/identities.ts'
import type { Account, ClaimName, ClaimValue, IdentityRecord } from '../accounts/records.ts'
import { claimGuardCollection } from '../collections.ts'
import type { LoadedAuthConfig } from '../config/config.ts'
import type { AuthContext } from '../context.ts'
import { invariantViolated } from '../errors.ts'
import { isVerified } from '../flow/account.ts'
import type { FlowRun } from '../flow/run.ts'
import type { Fact, FactOf } from '../flow/state.ts'
import { claimHolder } from './claim-holder.ts'
import { needsProof } from './linking-rules.ts'

/** Longer than anything takes that was read before a guard was written. */
const lifeMs = 3_600_000

const claimNames: readonly ClaimName[] = ['email', 'phone_number', 'preferred_username']

const guardId = ({ claim, value }: ClaimValue): string => sha256Hex(JSON.stringify([claim, value]))

/**
 * What keeps two flows from giving what one user may have to two, each as an identity of another kind: whoever gets a claim writes
 * its guard, and whoever found a claim free commits only if the guard is as it was before looking once more.
 *
 * @param after the account as the facts leave it.
 * @throws {GatehouseError} `InvariantViolated` (`DuplicatedIdentity`) if somebody has got a claim since the flow looked.
 */
export async function claimGuardWrites(
  { auth, now }: FlowRun,
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
  for (const fact of created) await checkApart(auth, fact)
  return ids.map((id, index): Write => {
    const version = guards[index]?.version ?? 'absent'
    return written.has(id)
      ? claimGuardCollection.write(id, {}, { if: version, expiresAt: now + lifeMs })
      : { collection: claimGuardCollection, id, check: version }
  })
}

/** The guards of whoever gets claims without having asked whose they are: a flow that found one free before looks once more. */
export const claimGuardsOf = (identity: IdentityRecord, now: Instant): readonly Write[] =>
  claimsOf(identity).map((one) =>
    claimGuardCollection.write(guardId(one), {}, { expiresAt: now + lifeMs }),
  )

/** What a provider says and nobody has proven is nobody's, so that any number of flows may end with it at once. */
const isGotten = (
  identity: IdentityRecord,
  { claim, value }: ClaimValue,
  config: LoadedAuthConfig,
  after: Account | undefined,
): boolean =>
  !needsProof(identity, config) || (after !== undefined && isVerified(after, claim, value))

async function checkApart(
  auth: AuthContext,
  { identity, apart = [] }: FactOf<'identity_created'>,
): Promise<void> {
  for (const claim of apart) {
    const holder = await claimHolder(auth, claim, identity.user_id)
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
