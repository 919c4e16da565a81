import type { Identified } from '../accounts/account.ts'
import type { ClaimName, IdentityRecord } from '../accounts/identity-record.ts'
import type { IncomingIdentity } from '../accounts/incoming-identity.ts'
import type { IdentifyBranch } from '../config/flow-definition.ts'
import { identifiedUserOf, isPromoted, isVerified, userIdOf } from '../flow/account.ts'
import type { Asking } from '../flow/asking.ts'
import type { IdentificationKind } from '../flow/identification.ts'
import { needFlow } from '../flow/need-flow.ts'
import { provableClaim } from '../flow/session/first-proof.ts'
import { isLinked } from '../flow/suspended-sign-up.ts'
import type { FlowView, Reaction } from '../flow/view.ts'
import { enumerationBuckets } from '../limits/buckets.ts'
import { ask } from '../limits/limit-questions.ts'
import { type LinkingKinds, type LinkingOption, linkingOptions } from './linking-options.ts'
import type { LinkingNode } from './linking-prompt.ts'
import { type LinkingCheck, linkingChecks, needsProof, ownLinkingChecks } from './linking-rules.ts'
import { checkNobody } from './sign-in.ts'
import { duplicated, hidesTaken, identityFacts, newIdentity, ownEqual } from './sign-up.ts'
import { isHeldUnproven, proofOf, proofStep } from './unproven-holder.ts'

interface Way {
  readonly branch: IdentifyBranch
  readonly kind: IdentificationKind
  readonly kinds: LinkingKinds
  /** Whether the flow that turned into this one has already looked up the identity, which spends the limit once. */
  readonly isAskedFor: boolean
}

/** Another user's identity that shares a claim with the incoming one. */
interface Match {
  readonly identity: Identified<IdentityRecord>
  readonly check: LinkingCheck
}

/**
 * Gives an identity to the user who signs up: to a new user, or, if an account has the same claim and the rules allow it, to the
 * user of that account, who must sign in first.
 *
 * @throws {GatehouseError} `InvariantViolated` (`DuplicatedIdentity`) if it is taken and the error may reveal that; the error of
 *   its kind if nobody may have it.
 */
export function* linkOrSignUp(
  { branch, kind, kinds, isAskedFor }: Way,
  incoming: IncomingIdentity,
  view: FlowView,
): Asking<Reaction> {
  const { facts } = view.state
  const userId = userIdOf(facts)
  if (userId === undefined) throw new TypeError('a flow that brings identities has no user')
  const checks = checksOf(kind, incoming, branch, view)
  const hides = hidesTaken(incoming, branch, view)
  const isFree = hides || isAskedFor || isOwn(incoming, checks)
  const uses = isFree ? [] : enumerationBuckets(view)
  yield* ask('spend', { uses })
  const found = kind.find === undefined ? undefined : yield* kind.find(incoming)
  if (found === undefined) kind.checkNew?.(incoming, view)
  const matched = yield* matchesOf(checks, userId, view)
  const id = yield* ask('uuid', undefined)
  const identity = newIdentity(kind, incoming, { id, userId }, view)
  // Read an account in any case, so that a hidden look-up takes the same time.
  if (hides && found === undefined) yield* ask('account', { user_id: userId })
  const { equal, matches, isUnproven } = yield* withoutUnproven(
    { equal: found ?? ownEqual(identity, view), matches: matched },
    incoming,
    identity,
    view,
  )
  const existing = equal ?? matches[0]?.identity
  // The user may see what is their own already.
  const isOthers = existing !== undefined && existing.user_id !== userId
  const isHidden = isOthers && hides
  if (existing !== undefined && !isHidden) {
    const conflicts = equal === undefined ? matches : []
    // A user who is signed in, or has just been linked, cannot become another user.
    const isSettled = view.state.type === 'account' || isLinked(view.state)
    const node =
      !isSettled && isLinkable(conflicts)
        ? yield* linkingPrompt({ branch, kinds }, incoming, conflicts, view)
        : undefined
    // Looking up a claim that the user has proven is free.
    if (node !== undefined && isProven(incoming, conflicts)) yield* ask('refund', { uses })
    if (node !== undefined) return { node }
    throw duplicated(incoming, existing, isListed(view) ? identitiesOf(conflicts) : [])
  }
  yield* ask('refund', { uses })
  const isFirst = identifiedUserOf(facts) === undefined
  if (isFirst && !facts.some(isPromoted)) checkNobody(identity, view)
  return {
    facts: identityFacts(incoming, identity, {
      apart: checks.map(({ claim, value }) => ({ claim, value })),
      ...(isHidden ? { is_taken: true } : {}),
    }),
    // The owner of the address may have it, so the proof comes first.
    steps: [...(isUnproven ? [proofStep(identity)] : []), ...(branch.steps ?? [])],
    entered: {
      identification: branch.identification,
      identity_id: id,
      identity_display: incoming.display,
    },
  }
}

/** What others have that is equal to an incoming identity, or shares a claim with it. */
interface Conflicts {
  readonly equal: Identified<IdentityRecord> | undefined
  readonly matches: readonly Match[]
}

/**
 * Leaves out login IDs that their users have never proven, if this flow proves the address: they do not block its owner. One that
 * the rules link to stays: its user may be the owner, who then signs in. `isUnproven`: a code must prove the address.
 */
function* withoutUnproven(
  { equal, matches }: Conflicts,
  incoming: IncomingIdentity,
  identity: Identified<IdentityRecord>,
  view: FlowView,
): Asking<Conflicts & { readonly isUnproven: boolean }> {
  const proofs = new Set<'given' | 'by_code'>()
  function* isBlocking(holder: Identified<IdentityRecord>, claim: ClaimName): Asking<boolean> {
    if (holder.user_id === identity.user_id) return true
    const proof = proofOf(incoming, claim, view)
    if (proof === undefined || !(yield* isHeldUnproven(holder, view))) return true
    proofs.add(proof)
    return false
  }
  const claim = provableClaim(identity)?.name ?? 'preferred_username'
  const isEqualBlocking = equal !== undefined && (yield* isBlocking(equal, claim))
  const left: Match[] = []
  for (const match of matches) {
    const isLinked = equal === undefined && isLinkable(matches)
    if (isLinked || (yield* isBlocking(match.identity, match.check.of))) left.push(match)
  }
  return {
    equal: isEqualBlocking ? equal : undefined,
    matches: left,
    isUnproven: proofs.has('by_code') && !isEqualBlocking && left.length === 0,
  }
}

/** The rules of the kind, if it has any; otherwise those of the configuration. */
function checksOf(
  { linking }: IdentificationKind,
  incoming: IncomingIdentity,
  branch: IdentifyBranch,
  { config }: FlowView,
): readonly LinkingCheck[] {
  return linking === undefined
    ? linkingChecks(config, incoming, branch)
    : ownLinkingChecks(linking, incoming)
}

const isLinkable = (matches: readonly Match[]): boolean =>
  matches.length > 0 && matches.every(({ check }) => check.action === 'login_and_link')

/** Whether the lookup can only reveal the user's own account: by an account of a provider that vouches for its claims. */
const isOwn = ({ names, verified }: IncomingIdentity, checks: readonly LinkingCheck[]): boolean =>
  names.IdentityTypeIncoming === 'oauth' && checks.every((check) => verified.includes(check.of))

const isProven = ({ verified }: IncomingIdentity, matches: readonly Match[]): boolean =>
  matches.every(({ check }) => verified.includes(check.of))

/** Whether the error may list the existing identities. */
const isListed = ({ config }: FlowView): boolean =>
  config.authentication.enumeration_protection === 'off'

/** The oldest first. */
function* matchesOf(
  checks: readonly LinkingCheck[],
  userId: string,
  view: FlowView,
): Asking<readonly Match[]> {
  const matches: Match[] = []
  for (const check of checks) {
    const found = yield* ask('claim', { name: check.claim, value: check.value })
    const others = found
      .filter(({ user_id }) => user_id !== userId)
      .sort((a, b) => a.created_at - b.created_at)
    for (const identity of others) {
      if (yield* occupies(identity, check, view)) matches.push({ identity, check })
    }
  }
  return matches
}

/** Whether the claim belongs to the user of the identity that asserts it. */
function* occupies(
  identity: IdentityRecord,
  { claim, value }: LinkingCheck,
  { config }: FlowView,
): Asking<boolean> {
  if (!needsProof(identity, config)) return true
  const account = yield* ask('account', { user_id: identity.user_id })
  return account !== undefined && isVerified(account, claim, value)
}

/** Each identity once, even if several claims matched it. */
function identitiesOf(matches: readonly Match[]): readonly IdentityRecord[] {
  return [...new Map(matches.map(({ identity }) => [identity.id, identity])).values()]
}

/**
 * Asks for a way to sign in to the existing account. Returns `undefined` if no login accepts any; the identity is then a
 * duplicate.
 */
function* linkingPrompt(
  { branch, kinds }: Pick<Way, 'branch' | 'kinds'>,
  incoming: IncomingIdentity,
  matches: readonly Match[],
  view: FlowView,
): Asking<LinkingNode | undefined> {
  const options: LinkingOption[] = []
  for (const { identity, check } of matches) {
    if (options.some(({ user_id }) => user_id === identity.user_id)) continue
    const account = yield* ask('account', { user_id: identity.user_id })
    const flow = needFlow(view, 'login', check.login_flow ?? view.state.name)
    if (account !== undefined) options.push(...(yield* linkingOptions(account, flow, kinds, view)))
  }
  return options.length === 0 ? undefined : { kind: 'account_linking', incoming, branch, options }
}
