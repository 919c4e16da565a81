import type { Account } from '../accounts/account.ts'
import type { AuthenticateBranch, AuthenticateStep } from '../config/flow-definition.ts'
import { noAuthenticator, validationFailed } from '../errors.ts'
import { needAccount } from '../flow/account.ts'
import type { Asking } from '../flow/asking.ts'
import type { AuthenticationOption, Authenticator, OfferedOption } from '../flow/authenticator.ts'
import { canGive, whatIsUseful } from '../flow/hooks/demanded-steps.ts'
import type { FlowNode } from '../flow/state.ts'
import type { FlowInput, FlowView, NodeHandler, Reaction, StepHandler } from '../flow/view.ts'
import { isUsed } from '../limits/attempt.ts'
import {
  botProtectionSchema,
  passBotProtection,
  withBotProtection,
} from '../limits/bot-protection.ts'
import { attemptBuckets } from '../limits/buckets.ts'
import { fits, type JsonSchema } from '../schema/json-schema.ts'
import { offerCreation } from './create-authenticator.ts'
import { ask } from './device-questions.ts'
import { optionSchema } from './option-schema.ts'
import { deviceTokenRequest } from './trusted-device.ts'

interface Choice extends OfferedOption {
  readonly branch: number
}

interface AuthenticateNode extends FlowNode {
  readonly kind: 'authenticate'
  readonly choices: readonly Choice[]
  readonly device_token_enabled: boolean
}

type Authenticators = ReadonlyMap<string, Authenticator>

/** The step in which a user authenticates, and its prompt. */
export function createAuthenticate(authenticators: Authenticators): {
  readonly step: StepHandler<AuthenticateStep>
  readonly node: NodeHandler<AuthenticateNode>
} {
  return { step: createStep(authenticators), node: createNode(authenticators) }
}

const createStep = (authenticators: Authenticators): StepHandler<AuthenticateStep> => ({
  type: 'authenticate',
  *enter(step, view) {
    const account = yield* needAccount(view)
    const isTokenEnabled = hasDeviceTokens(step, account, view)
    const passed = isTokenEnabled ? yield* passByDevice(account, view) : undefined
    if (passed?.facts !== undefined) return passed
    const choices = yield* choicesOf(step, account, view, authenticators)
    if (choices.length === 0) {
      const isPassed = passByIdentification(step, view, authenticators)
      return isPassed ?? (yield* withoutChoices(step, account, view, authenticators))
    }
    const node: AuthenticateNode = {
      kind: 'authenticate',
      choices,
      device_token_enabled: isTokenEnabled,
    }
    const notes = { device_token_enabled: isTokenEnabled, request_device_token: false }
    return { ...passed, node, notes }
  },
})

/** Whether devices can be trusted in this step: only if the user has a second factor to skip. */
function hasDeviceTokens(
  step: AuthenticateStep,
  { authenticators }: Account,
  { config }: FlowView,
): boolean {
  return (
    !config.authentication.device_token.disabled &&
    step.one_of.some(({ authentication }) => authentication === 'device_token') &&
    authenticators.some(({ kind }) => kind === 'secondary')
  )
}

/** Passes the step on a trusted device; clears the cookie if no token in it is known. */
function* passByDevice(
  { user, authenticators }: Account,
  view: FlowView,
): Asking<Reaction | undefined> {
  if (view.request.device_tokens.length === 0) return undefined
  const uses = attemptBuckets(view, 'device_token', user.id)
  const spent = yield* ask('spend', { uses })
  const authenticator_ids = authenticators.map(({ id }) => id)
  const outcome = yield* ask('device_token', { user_id: user.id, authenticator_ids })
  if (outcome === 'unknown') return { effects: [{ kind: 'clear_device_token' }] }
  yield* ask('refund', { uses: spent })
  if (outcome !== 'valid') return undefined
  const used = {
    kind: 'authentication_used',
    authentication: 'device_token',
    authenticator_id: null,
  } as const
  return { facts: [used], entered: { authentication: 'device_token' } }
}

function* choicesOf(
  step: AuthenticateStep,
  account: Account,
  view: FlowView,
  authenticators: Authenticators,
): Asking<readonly Choice[]> {
  const choices: Choice[] = []
  const last: Choice[] = []
  const isUseful = yield* whatIsUseful(view, authenticators)
  for (const [index, branch] of step.one_of.entries()) {
    const authenticator = authenticators.get(branch.authentication)
    if (authenticator === undefined || !isUseful(branch.authentication)) continue
    const offered = yield* authenticator.offer(branch, account, view)
    const list = authenticator.kind === 'pseudo' ? last : choices
    list.push(...offered.map((one) => ({ ...one, branch: index })))
  }
  const names = choices.map(({ option }) => option.authentication)
  const isEnough = names.length > 0 && canGive(step.demanded_amr ?? [], names, authenticators)
  // Replacements for a lost factor count only beside real ones.
  return isEnough ? [...choices, ...last] : []
}

/** Passes a step that lists the authenticator which identified the user, such as a passkey: it has already authenticated them. */
function passByIdentification(
  { one_of: branches }: AuthenticateStep,
  view: FlowView,
  authenticators: Authenticators,
): Reaction | undefined {
  const branch = branches.find(
    (one) =>
      authenticators.get(one.authentication)?.identifies === true &&
      isUsed(view, one.authentication),
  )
  if (branch === undefined) return undefined
  const { authentication, steps = [] } = branch
  // It must not also count as a second factor.
  const isPrimary = branches.every(
    (one) => authenticators.get(one.authentication)?.kind !== 'secondary',
  )
  return isPrimary ? { entered: { authentication }, steps } : undefined
}

function* withoutChoices(
  step: AuthenticateStep,
  account: Account,
  view: FlowView,
  authenticators: Authenticators,
): Asking<Reaction | 'skip'> {
  if (step.optional === true) return 'skip'
  if (!isInGrace(account, view)) throw noAuthenticator()
  const isSecondary = (authentication: string): boolean =>
    authenticators.get(authentication)?.kind === 'secondary'
  const branches = step.one_of.filter(({ authentication }) => isSecondary(authentication))
  const offer = { branches, demanded: step.demanded_amr }
  const node = yield* offerCreation(offer, account, view, authenticators)
  if (node === undefined) throw noAuthenticator()
  return { node }
}

/** Whether an authenticated user may enrol the missing factor now. */
function isInGrace(account: Account, view: FlowView): boolean {
  if (!hasShown(account, view)) return false
  const { config, now } = view
  const { user } = account
  const { enabled, end_at: end } = config.authentication.secondary_authentication_grace_period
  if (enabled && (end === undefined || now < end)) return true
  return user.mfa_grace_end !== null && now < user.mfa_grace_end
}

/** A login ID alone proves nothing; a provider's account does, as a password would. */
function hasShown({ identities }: Account, { state }: FlowView): boolean {
  const shows = (id: string): boolean =>
    identities.some((one) => one.id === id && one.type === 'oauth')
  return state.facts.some(
    (fact) =>
      fact.kind === 'authentication_used' ||
      (fact.kind === 'identity_used' && shows(fact.identity_id)),
  )
}

const createNode = (authenticators: Authenticators): NodeHandler<AuthenticateNode> => ({
  kind: 'authenticate',
  class: 'authentication',
  *show({ choices, device_token_enabled }, view) {
    const options: AuthenticationOption[] = []
    for (const choice of choices) {
      const authenticator = authenticators.get(choice.option.authentication)
      const shown =
        authenticator?.show === undefined ? choice.option : yield* authenticator.show(choice, view)
      options.push(withBotProtection(shown, branchOf(choice, view), view))
    }
    return { data: { type: 'authentication_data', options, device_token_enabled } }
  },
  // A target matches every option that sends codes; `choose` finds the one that was meant.
  schema: (node, view) => ({ anyOf: schemasOf(node, authenticators, view) }),
  *react(node, input, view) {
    const account = yield* needAccount(view)
    const choice = choose(node, input, authenticators, view)
    const branch = branchOf(choice, view)
    const authenticator = authenticators.get(choice.option.authentication)
    if (authenticator === undefined) throw new TypeError('an option belongs to no authenticator')
    const passed = yield* passBotProtection(branch, input, view)
    const { notes, ...reacted } = yield* authenticator.authenticate(choice, input, account, view)
    const reaction: Reaction = { ...reacted, notes: { ...passed, ...notes } }
    return {
      ...reaction,
      ...tokenWish(reaction, input, account, view),
      entered: { authentication: branch.authentication, ...reaction.entered },
      steps: [...(reaction.steps ?? []), ...(branch.steps ?? [])],
    }
  },
})

/** Creates the device token now if the factor is proven; otherwise remembers the request until it is. */
function tokenWish(
  { node, effects = [], notes }: Reaction,
  input: FlowInput,
  { user }: Account,
  view: FlowView,
): Pick<Reaction, 'effects' | 'notes'> {
  if (node === undefined) {
    const wish = deviceTokenRequest(view, input, user.id).effects ?? []
    return { effects: [...effects, ...wish] }
  }
  if (input.request_device_token !== true) return {}
  return { notes: { ...notes, request_device_token: true } }
}

/** The branch of an option. */
function branchOf({ branch: index }: Choice, { state: { step } }: FlowView): AuthenticateBranch {
  const branch = step?.type === 'authenticate' ? step.one_of[index] : undefined
  if (branch === undefined) throw new TypeError('an option belongs to no branch of its step')
  return branch
}

function schemasOf(
  node: AuthenticateNode,
  authenticators: Authenticators,
  view: FlowView,
): readonly JsonSchema[] {
  const token: JsonSchema = node.device_token_enabled ? { type: 'boolean' } : { const: false }
  return node.choices.map((choice, index) => {
    const own = authenticators.get(choice.option.authentication)?.schema(choice, index) ?? {}
    const schema = optionSchema(choice.option, own, { request_device_token: token })
    return botProtectionSchema(schema, branchOf(choice, view), view)
  })
}

function choose(
  node: AuthenticateNode,
  input: FlowInput,
  authenticators: Authenticators,
  view: FlowView,
): Choice {
  const schemas = schemasOf(node, authenticators, view)
  const fitting = node.choices.filter((_, index) => fits(schemas[index] ?? {}, input))
  const meant = fitting.find((choice) => {
    const authenticator = authenticators.get(choice.option.authentication)
    return authenticator?.isMeant?.(choice, input) ?? true
  })
  if (meant !== undefined) return meant
  throw validationFailed([{ location: '/target', kind: 'enum' }])
}
