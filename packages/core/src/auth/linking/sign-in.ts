import type { GatehouseError } from '../../errors.ts'
import { isJsonObject } from '../../storage/storage.ts'
import type { Identified } from '../accounts/account.ts'
import { existingNames, identityKey, namesOf } from '../accounts/identities.ts'
import type { IdentityRecord } from '../accounts/identity-record.ts'
import type { IncomingIdentity } from '../accounts/incoming-identity.ts'
import type { IdentifyBranch } from '../config/flow-definition.ts'
import { authError, invalidLoginId, invariantViolated, userNotFound } from '../errors.ts'
import { userIdOf } from '../flow/account.ts'
import type { Asking } from '../flow/asking.ts'
import { identitiesOfClaims } from '../flow/claims.ts'
import type { IdentificationKind } from '../flow/identification.ts'
import type { Fact } from '../flow/state.ts'
import type { FlowView, Reaction } from '../flow/view.ts'
import { enumerationBuckets } from '../limits/buckets.ts'
import { ask } from '../limits/limit-questions.ts'

interface Way {
  readonly branch: IdentifyBranch
  readonly kind: IdentificationKind
  /** Whether the flow that turned into this one has already looked up the identity, which spends the limit once. */
  readonly isAskedFor: boolean
}

/**
 * Determines the user of a flow for existing users: a login or a recovery.
 *
 * @throws {GatehouseError} `UserNotFound`, unless that must not be revealed.
 */
export function* signIn(
  { branch, kind, isAskedFor }: Way,
  incoming: IncomingIdentity,
  view: FlowView,
): Asking<Reaction> {
  const hides = !(kind.isProof ?? false) && isHidden(branch, view)
  const uses = hides || isAskedFor ? [] : enumerationBuckets(view)
  yield* ask('spend', { uses })
  const found = kind.find === undefined ? undefined : yield* kind.find(incoming)
  // Also created for users who exist, so that both take the same time.
  const unknown = hides ? yield* goOnUnknown(kind, incoming, view) : undefined
  const { identification, steps = [] } = branch
  const entered = { identification, identity_display: incoming.display }
  if (found !== undefined) {
    yield* ask('refund', { uses })
    checkUser(found.user_id, view)
    const updated = updatedRecord(kind, incoming, found, view)
    const facts: readonly Fact[] = [
      { kind: 'user_identified', user_id: found.user_id },
      { kind: 'identity_used', identity_id: found.id },
      ...(updated === undefined ? [] : updateFacts(incoming, found, updated)),
    ]
    return { facts, steps, entered: { ...entered, identity_id: found.id } }
  }
  if (unknown === undefined) throw yield* notFound(incoming, view)
  checkNobody(unknown, view)
  const facts: readonly Fact[] = [{ kind: 'user_unknown', identity: unknown }]
  return { facts, steps, entered: { ...entered, identity_id: unknown.id } }
}

/** Whether the flow goes on for a user who does not exist. */
function isHidden({ on_failure }: IdentifyBranch, { config, state }: FlowView): boolean {
  return state.type === 'account_recovery'
    ? on_failure !== 'error'
    : config.authentication.enumeration_protection !== 'off'
}

/** The identity as the kind now knows it, if it has changed. */
function updatedRecord(
  kind: IdentificationKind,
  incoming: IncomingIdentity,
  found: Identified<IdentityRecord>,
  view: FlowView,
): Identified<IdentityRecord> | undefined {
  if (found.type === 'login_id' || kind.toRecord === undefined) return undefined
  const next = kind.toRecord(incoming, found.id, found.user_id, view)
  const record = kind.renew?.(next, found, incoming) ?? next
  const { updated_at: _before, ...before } = found
  const updated = { ...record, created_at: found.created_at }
  return inOrder(updated) === inOrder(before) ? undefined : { ...updated, updated_at: view.now }
}

/** JSON with sorted members, because storages order members differently. */
const inOrder = (record: object): string =>
  JSON.stringify(record, (_name, value: unknown) =>
    isJsonObject(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  )

/** The facts of a changed identity, including the claims that it proves now and did not assert before. */
function updateFacts(
  { verified }: IncomingIdentity,
  before: IdentityRecord,
  identity: Identified<IdentityRecord>,
): readonly Fact[] {
  const proven = verified.flatMap((name): readonly Fact[] => {
    const value = identity[name]
    const isNew = value !== undefined && value !== before[name]
    return isNew ? [{ kind: 'claim_verified', name, value, channel: null }] : []
  })
  return [{ kind: 'identity_updated', identity }, ...proven]
}

function* notFound(incoming: IncomingIdentity, view: FlowView): Asking<GatehouseError> {
  if (view.state.type !== 'account_recovery') yield* emitFailure(incoming)
  if (incoming.problem !== undefined) return invalidLoginId(incoming.problem)
  if (view.config.authentication.enumeration_protection !== 'off')
    return userNotFound(incoming.names)
  const others = yield* identitiesOfClaims(incoming.claims)
  const [other] = others
  const known = other && { ...existingNames(other), ExistingIdentities: others.map(namesOf) }
  return userNotFound({ ...incoming.names, ...known })
}

/** Emits no event for an account of a provider, which belongs to a user. */
function* emitFailure({ names, claims }: IncomingIdentity): Asking<void> {
  const { LoginIDTypeIncoming: type } = names
  if (type === undefined) return
  const [login_id] = Object.values(claims)
  const payload = { login_id_type: type, login_id }
  yield* ask('event', { type: 'authentication.identity.login_id.failed', payload })
}

/** Uses the same id in every flow, so that limits and locks work as they do for existing users. */
function* goOnUnknown(
  { toRecord }: IdentificationKind,
  incoming: IncomingIdentity,
  view: FlowView,
): Asking<Identified<IdentityRecord> | undefined> {
  const { names, claims } = incoming
  const userId = yield* ask('stand_in_id', { text: JSON.stringify([names, claims]) })
  const id = yield* ask('uuid', undefined)
  return toRecord?.(incoming, id, userId, view)
}

/**
 * Checks that a flow stays with its user.
 *
 * @throws {GatehouseError} `AuthenticationFlowDifferentUserID`, also if the login hint demands another user;
 *   `InvariantViolated` if the authorization request names another user.
 */
export function checkUser(userId: string, { state, session }: FlowView): void {
  const known = userIdOf(state.facts)
  const { demanded_login: demanded, authorization } = session
  const isDemanded = demanded === undefined || demanded.user_id === userId
  if ((known !== undefined && known !== userId) || !isDemanded) throw differentUser()
  const hint = authorization?.user_id_hint
  if (hint !== undefined && hint !== userId) throw mismatchedUser()
}

/**
 * The same check for a user without an account: one who must look like an existing user, or is about to be created.
 *
 * @throws {GatehouseError} as {@link checkUser}.
 */
export function checkNobody(identity: IdentityRecord, { session }: FlowView): void {
  const { demanded_login: demanded, authorization } = session
  if (demanded !== undefined && demanded.key !== identityKey(identity)) throw differentUser()
  if (authorization?.user_id_hint !== undefined) throw mismatchedUser()
}

const differentUser = (): GatehouseError =>
  authError('BadRequest', 'AuthenticationFlowDifferentUserID', 'this is another user')

const mismatchedUser = (): GatehouseError =>
  invariantViolated('MismatchedUser', 'this is not the user of the authorization request')
