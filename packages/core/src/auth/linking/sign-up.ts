import type { GatehouseError } from '../../errors.ts'
import { canBeId } from '../../storage/storage-input.ts'
import type { Identified } from '../accounts/account.ts'
import { existingNames, identityKey, namesOf } from '../accounts/identities.ts'
import type { IdentityRecord } from '../accounts/identity-record.ts'
import type { IncomingIdentity } from '../accounts/incoming-identity.ts'
import type { IdentifyBranch } from '../config/flow-definition.ts'
import { invariantViolated, validationFailed } from '../errors.ts'
import type { IdentificationKind } from '../flow/identification.ts'
import type { Fact, FactOf } from '../flow/state.ts'
import type { FlowView } from '../flow/view.ts'

/**
 * Creates the identity record to store.
 *
 * @throws {GatehouseError} `ValidationFailed` if a custom kind has a unique key that no storage accepts.
 * @throws {TypeError} if its kind creates no identities.
 */
export function newIdentity(
  { toRecord, identification }: IdentificationKind,
  incoming: IncomingIdentity,
  { id, userId }: { readonly id: string; readonly userId: string },
  view: FlowView,
): Identified<IdentityRecord> {
  if (toRecord === undefined) {
    throw new TypeError(`${identification} creates no identities, so it cannot be used to sign up`)
  }
  const identity = toRecord(incoming, id, userId, view)
  if (identity.type === 'custom' && !canBeId(identityKey(identity))) {
    throw validationFailed([{ location: '', kind: 'format', details: { format: identification } }])
  }
  return identity
}

/** The facts of a new identity and of the claims it proves. Proven claims that the identity does not have are dropped. */
export function identityFacts(
  { verified }: IncomingIdentity,
  identity: Identified<IdentityRecord>,
  about: Pick<FactOf<'identity_created'>, 'is_taken' | 'apart'> = {},
): readonly Fact[] {
  const proven = verified.flatMap((name): readonly Fact[] => {
    const value = identity[name]
    return value === undefined ? [] : [{ kind: 'claim_verified', name, value, channel: null }]
  })
  return [{ kind: 'identity_created', identity, ...about }, ...proven]
}

/** An identical identity made earlier in the same flow. */
export function ownEqual(
  identity: IdentityRecord,
  { state }: FlowView,
): Identified<IdentityRecord> | undefined {
  const key = identityKey(identity)
  const own = state.facts.flatMap((fact) =>
    fact.kind === 'identity_created' ? [fact.identity] : [],
  )
  return own.find((one) => identityKey(one) === key)
}

/**
 * Only a flow that verifies the address can hide that it is taken: only its owner can pass the verification. The owner of an address
 * that is verified already may know it.
 */
export function hidesTaken(
  { names, claims, verified }: IncomingIdentity,
  { steps = [] }: IdentifyBranch,
  { config, state }: FlowView,
): boolean {
  if (config.authentication.enumeration_protection !== 'strict') return false
  if (names.IdentityTypeIncoming !== 'login_id' || verified.length > 0) return false
  const { email, phone_number } = config.verification.claims
  const isProvable =
    (claims.email !== undefined && email.enabled) ||
    (claims.phone_number !== undefined && phone_number.enabled)
  const isProven = [...steps, ...state.pending].some(
    (step) => step.type === 'verify' && step.target_step === state.step?.name,
  )
  return isProvable && isProven
}

/** The error for an identity that is taken. `others` are further identities that share a claim with it. */
export function duplicated(
  { names }: IncomingIdentity,
  existing: IdentityRecord,
  others: readonly IdentityRecord[] = [],
): GatehouseError {
  const listed = others.length === 0 ? {} : { ExistingIdentities: others.map(namesOf) }
  return invariantViolated('DuplicatedIdentity', 'identity already exists', {
    ...names,
    ...existingNames(existing),
    ...listed,
  })
}
