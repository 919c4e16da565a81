import type { GatehouseError } from '../../errors.ts'
import { userIdOf } from '../account.ts'
import { enumerationBuckets } from '../buckets.ts'
import { authError, invariantViolated, userNotFound } from '../errors.ts'
import type { FlowDefinition, FlowType, IdentifyBranch, IdentifyStep } from '../flow-definition.ts'
import type { Fact, FlowNode } from '../flow-state.ts'
import type { FlowView, NodeHandler, Reaction, StepHandler } from '../flow-view.ts'
import type {
  IdentificationKind,
  IdentificationOption,
  Identifying,
  IncomingIdentity,
} from '../identification.ts'
import { fits, type JsonSchema } from '../json-schema.ts'
import { type Asking, ask } from '../questions.ts'
import type { Identified, IdentityRecord } from '../records.ts'

interface IdentifyNode extends FlowNode {
  readonly kind: 'identify'
  readonly options: readonly { readonly branch: number; readonly option: IdentificationOption }[]
}

type Kinds = ReadonlyMap<string, IdentificationKind>

/** The step in which somebody says who they are, and its prompt. */
export function createIdentify(kinds: Kinds): {
  readonly step: StepHandler<IdentifyStep>
  readonly node: NodeHandler<IdentifyNode>
} {
  return { step: createStep(kinds), node: createNode(kinds) }
}

const createStep = (kinds: Kinds): StepHandler<IdentifyStep> => ({
  type: 'identify',
  *enter(step, view) {
    const options: { branch: number; option: IdentificationOption }[] = []
    for (const [index, branch] of step.one_of.entries()) {
      const kind = kinds.get(branch.identification)
      const offered = kind === undefined ? [] : yield* kind.options(branch, view)
      options.push(...offered.map((option) => ({ branch: index, option })))
    }
    const node: IdentifyNode = { kind: 'identify', options }
    return { node }
  },
})

const createNode = (kinds: Kinds): NodeHandler<IdentifyNode> => ({
  kind: 'identify',
  class: 'identification',
  *show(node, { state }) {
    const isRecovery = state.type === 'account_recovery'
    const type = isRecovery ? 'account_recovery_identification_data' : 'identification_data'
    return { data: { type, options: node.options.map(({ option }) => option) } }
  },
  schema: (node) => ({ oneOf: schemasOf(node, kinds) }),
  *react(node, input, view) {
    const chosen = schemasOf(node, kinds).findIndex((schema) => fits(schema, input))
    const { option, branch: index } = node.options[chosen] ?? {}
    const step = view.state.step?.type === 'identify' ? view.state.step : undefined
    const branch = index === undefined ? undefined : step?.one_of[index]
    const kind = option && kinds.get(option.identification)
    if (option === undefined || branch === undefined || kind === undefined) {
      throw new TypeError('an input fits no option of its step')
    }
    return yield* identified(yield* kind.identify(option, input, view), branch, view)
  },
})

/** Where nothing is offered, nothing fits. */
function schemasOf({ options }: IdentifyNode, kinds: Kinds): readonly JsonSchema[] {
  if (options.length === 0)
    return [
      {
        type: 'object',
        required: ['identification'],
        properties: { identification: { enum: [] } },
      },
    ]
  return options.map(({ option }, index) => {
    const own = kinds.get(option.identification)?.schema(option, index) ?? {}
    return {
      type: 'object',
      required: ['identification', ...(own.required ?? [])],
      properties: { identification: { const: option.identification }, ...own.properties },
    }
  })
}

/** What an identification leads to, which depends on what the flow is for. */
function* identified(
  identifying: Identifying,
  branch: IdentifyBranch,
  view: FlowView,
): Asking<Reaction> {
  if (identifying.kind === 'prompt') return identifying.reaction
  const { identification, steps = [] } = branch
  if (identifying.kind === 'user') {
    const { reaction, user_id: userId } = identifying
    checkUser(userId, view)
    return {
      ...reaction,
      facts: [{ kind: 'user_identified', user_id: userId }, ...(reaction.facts ?? [])],
      entered: { identification, ...reaction.entered },
      steps,
    }
  }
  const { incoming } = identifying
  const found = yield* incoming.find()
  const { type } = view.state
  if (type === 'signup_login') return yield* becomes(branch, found, view)
  const facts =
    type === 'signup' || type === 'promote'
      ? yield* signUp(incoming, found, branch, view)
      : yield* signIn(incoming, found, branch, view)
  const entered = {
    identification,
    identity_id: identityIdOf(facts),
    identity_display: incoming.display,
  }
  return { facts, steps, entered }
}

/** A flow that decides between two others is the one or the other from now on. */
function* becomes(
  branch: IdentifyBranch,
  found: Identified<IdentityRecord> | undefined,
  view: FlowView,
): Asking<Reaction> {
  const isKnown = found !== undefined
  if (!isKnown) yield* ask('spend', { uses: enumerationBuckets(view) })
  if (!isKnown && view.config.authentication.public_signup_disabled) {
    throw authError(
      'Forbidden',
      'AuthenticationFlowNoPublicSignup',
      'signing up is not open to the public',
    )
  }
  const type: FlowType = isKnown ? 'login' : 'signup'
  const name = (isKnown ? branch.login_flow : branch.signup_flow) ?? 'default'
  return { become: flowOf(view, type, name) }
}

function flowOf(view: FlowView, type: FlowType, name: string): FlowDefinition {
  const flow = view.flow(type, name)
  if (flow === undefined) {
    throw authError(
      'NotFound',
      'AuthenticationFlowFlowNotFound',
      `there is no ${type} flow "${name}"`,
    )
  }
  return flow
}

function* signUp(
  incoming: IncomingIdentity,
  found: Identified<IdentityRecord> | undefined,
  branch: IdentifyBranch,
  view: FlowView,
): Asking<readonly Fact[]> {
  const { state } = view
  const known = userIdOf(state.facts)
  const same = yield* sameClaims(incoming, known)
  const others = found === undefined ? same : []
  const existing = found ?? ownEqual(incoming, view) ?? others[0]
  const isHidden = existing !== undefined && hidesTaken(incoming, branch, view)
  if (existing !== undefined && !isHidden) {
    yield* ask('spend', { uses: enumerationBuckets(view) })
    throw duplicated(incoming, existing, others)
  }
  const userId = known ?? (yield* ask('uuid', undefined))
  const id = yield* ask('uuid', undefined)
  const identity = incoming.toRecord(id, userId, view)
  const facts: Fact[] = known === undefined ? [{ kind: 'user_created', user_id: userId }] : []
  facts.push({ kind: 'identity_created', identity, ...(isHidden ? { is_taken: true } : {}) })
  for (const name of incoming.verified) {
    const value = incoming.claims[name]
    if (value !== undefined) facts.push({ kind: 'claim_verified', name, value, channel: null })
  }
  return facts
}

/** Only a flow that proves the address can hide that it is taken: nobody can prove it. */
function hidesTaken(
  { claims }: IncomingIdentity,
  { steps = [] }: IdentifyBranch,
  { config, state }: FlowView,
): boolean {
  if (config.authentication.enumeration_protection !== 'strict') return false
  const { email, phone_number } = config.verification.claims
  const isProvable =
    (claims.email !== undefined && email.enabled) ||
    (claims.phone_number !== undefined && phone_number.enabled)
  const isProven = [...steps, ...state.pending].some(
    (step) => step.type === 'verify' && step.target_step === state.step?.name,
  )
  return isProvable && isProven
}

/** The identities of others that assert the same claim. */
function* sameClaims(
  { claims }: IncomingIdentity,
  userId: string | undefined,
): Asking<readonly Identified<IdentityRecord>[]> {
  const found: Identified<IdentityRecord>[] = []
  for (const name of ['email', 'phone_number', 'preferred_username'] as const) {
    const value = claims[name]
    if (value === undefined) continue
    const identities = yield* ask('claim', { name, value })
    found.push(...identities.filter(({ user_id }) => user_id !== userId))
  }
  return found
}

/** The same identity made twice in one flow. */
function ownEqual(
  { claims }: IncomingIdentity,
  { state }: FlowView,
): Identified<IdentityRecord> | undefined {
  const own = state.facts.flatMap((fact) =>
    fact.kind === 'identity_created' ? [fact.identity] : [],
  )
  return own.find(({ email, phone_number, preferred_username }) => {
    if (claims.email !== undefined) return claims.email === email
    if (claims.phone_number !== undefined) return claims.phone_number === phone_number
    return (
      claims.preferred_username !== undefined && claims.preferred_username === preferred_username
    )
  })
}

/** How errors call an identity that is there. */
function existingNames(identity: IdentityRecord): { readonly [name: string]: string } {
  return { IdentityTypeExisting: identity.type, LoginIDTypeExisting: identity.login_id_type }
}

function listedNames(identity: IdentityRecord): { readonly [name: string]: string } {
  return { IdentityType: identity.type, LoginIDType: identity.login_id_type }
}

/** The error for an identity that is taken. `others` share a claim with it and are not the same. */
function duplicated(
  incoming: Pick<IncomingIdentity, 'names'>,
  existing: IdentityRecord,
  others: readonly IdentityRecord[] = [],
): GatehouseError {
  const listed = others.length === 0 ? {} : { ExistingIdentities: others.map(listedNames) }
  return invariantViolated('DuplicatedIdentity', 'identity already exists', {
    ...incoming.names,
    ...existingNames(existing),
    ...listed,
  })
}

function* signIn(
  incoming: IncomingIdentity,
  found: Identified<IdentityRecord> | undefined,
  branch: IdentifyBranch,
  view: FlowView,
): Asking<readonly Fact[]> {
  const isRecovery = view.state.type === 'account_recovery'
  const isHidden = isRecovery
    ? branch.on_failure !== 'error'
    : view.config.authentication.enumeration_protection !== 'off'
  // Made for somebody who exists too, so that it takes as long.
  const unknown = isHidden ? yield* goOnUnknown(incoming, view) : undefined
  if (found !== undefined) {
    checkUser(found.user_id, view)
    return [
      { kind: 'user_identified', user_id: found.user_id },
      { kind: 'identity_used', identity_id: found.id },
    ]
  }
  if (unknown !== undefined) return unknown
  if (!isRecovery) yield* ask('spend', { uses: enumerationBuckets(view) })
  const others = yield* sameClaims(incoming, undefined)
  const [other] = others
  const known = other && { ...existingNames(other), ExistingIdentities: others.map(listedNames) }
  throw userNotFound({ ...incoming.names, ...known })
}

/** With the same id in every flow, so that limits and locks count as they do for somebody who exists. */
function* goOnUnknown(incoming: IncomingIdentity, view: FlowView): Asking<readonly Fact[]> {
  const { names, claims } = incoming
  const userId = yield* ask('stand_in_id', { text: JSON.stringify([names, claims]) })
  const id = yield* ask('uuid', undefined)
  return [{ kind: 'user_unknown', identity: incoming.toRecord(id, userId, view) }]
}

/** A flow stays with the user it is about. */
function checkUser(userId: string, { state, session }: FlowView): void {
  const known = userIdOf(state.facts)
  if (known !== undefined && known !== userId) {
    throw authError('BadRequest', 'AuthenticationFlowDifferentUserID', 'this is another user')
  }
  const hint = session.authorization?.user_id_hint
  if (hint !== undefined && hint !== userId) {
    throw invariantViolated('MismatchedUser', 'this is not the user who was asked for')
  }
}

function identityIdOf(facts: readonly Fact[]): string {
  for (const fact of facts) {
    if (fact.kind === 'identity_used') return fact.identity_id
    if (fact.kind === 'identity_created' || fact.kind === 'user_unknown') return fact.identity.id
  }
  throw new TypeError('no identity was made or found')
}
