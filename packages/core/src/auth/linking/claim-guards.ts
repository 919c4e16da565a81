import { sha256Hex } from '../../crypto.ts'
import type { Write } from '../../storage.ts'
import { claimGuardCollection } from '../collections.ts'
import type { AuthContext } from '../context.ts'
import { invariantViolated } from '../errors.ts'
import type { FlowRun } from '../flow-run.ts'
import type { Fact, FactOf } from '../flow-state.ts'
import { existingNames, incomingNames } from '../identities.ts'
import type { ClaimName, ClaimValue, IdentityRecord } from '../records.ts'
import { claimHolder } from './claim-holder.ts'

/** Longer than anything takes that was read before a guard was written. */
const lifeMs = 3_600_000

const claimNames: readonly ClaimName[] = ['email', 'phone_number', 'preferred_username']

const guardId = ({ claim, value }: ClaimValue): string => sha256Hex(JSON.stringify([claim, value]))

/**
 * Writes that keep two flows from giving what one user may have to two, each of an identity of another kind: whoever adds an
 * identity writes the guards of its claims, and looks at them before looking who has the claims.
 *
 * @throws {GatehouseError} `InvariantViolated` (`DuplicatedIdentity`) if somebody has got a claim since the flow looked.
 */
export async function claimGuardWrites(
  { auth, now }: FlowRun,
  facts: readonly Fact[],
): Promise<readonly Write[]> {
  const created = facts.filter((fact) => fact.kind === 'identity_created')
  const claims = created.flatMap(({ identity, apart = [] }) => [...claimsOf(identity), ...apart])
  // Several identities of one flow may assert the same.
  const ids = [...new Set(claims.map(guardId))]
  const guards = ids.length === 0 ? [] : await auth.storage.get(claimGuardCollection, ids)
  for (const fact of created) await checkApart(auth, fact)
  return ids.map((id, index) => {
    const options = { if: guards[index]?.version ?? 'absent', expiresAt: now + lifeMs }
    return claimGuardCollection.write(id, {}, options)
  })
}

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
