import { needAccount } from '../account.ts'
import type { Authenticator, OfferedOption } from '../authenticator.ts'
import { attemptBuckets } from '../buckets.ts'
import { noAuthenticator, validationFailed } from '../errors.ts'
import type { AuthenticateStep } from '../flow-definition.ts'
import type { FlowNode } from '../flow-state.ts'
import type { FlowInput, FlowView, NodeHandler, Reaction, StepHandler } from '../flow-view.ts'
import { fits, type JsonSchema } from '../json-schema.ts'
import { optionSchema } from '../option-schema.ts'
import { deviceTokenRequest } from '../otp-prompt.ts'
import { type Asking, ask } from '../questions.ts'
import type { Account } from '../records.ts'
import { offerCreation } from './create-authenticator.ts'

interface Choice extends OfferedOption {
  readonly branch: number
}

interface AuthenticateNode extends FlowNode {
  readonly kind: 'authenticate'
  readonly choices: readonly Choice[]
  readonly device_token_enabled: boolean
}

type Authenticators = ReadonlyMap<string, Authenticator>

/** The step in which somebody shows who they are, and its prompt. */
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
    if (choices.length === 0) return yield* withoutChoices(step, account, view, authenticators)
    const node: AuthenticateNode = {
      kind: 'authenticate',
      choices,
      device_token_enabled: isTokenEnabled,
    }
    const notes = { device_token_enabled: isTokenEnabled, request_device_token: false }
    return { ...passed, node, notes }
  },
})

/** Whether devices can be trusted in this step: only where there is something they would be spared. */
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

/** Passes the step if the device is trusted; forgets a token that is nobody's. */
function* passByDevice({ user }: Account, view: FlowView): Asking<Reaction | undefined> {
  if (view.request.device_tokens.length === 0) return undefined
  const uses = attemptBuckets(view, 'device_token', user.id)
  yield* ask('spend', { uses })
  const outcome = yield* ask('device_token', { user_id: user.id })
  if (outcome === 'unknown') return { effects: [{ kind: 'clear_device_token' }] }
  yield* ask('refund', { uses })
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
  for (const [index, branch] of step.one_of.entries()) {
    const authenticator = authenticators.get(branch.authentication)
    if (authenticator === undefined) continue
    const offered = yield* authenticator.offer(branch, account, view)
    const list = authenticator.kind === 'pseudo' ? last : choices
    list.push(...offered.map((one) => ({ ...one, branch: index })))
  }
  // What stands in for a lost factor is no factor of its own.
  return choices.length === 0 ? [] : [...choices, ...last]
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
  const node = yield* offerCreation(branches, account, view, authenticators)
  if (node === undefined) throw noAuthenticator()
  return { node }
}

/** Whether a missing factor may be set up now instead. */
function isInGrace({ user }: Account, { config, state, now }: FlowView): boolean {
  if (!state.facts.some(({ kind }) => kind === 'authentication_used')) return false
  const { enabled, end_at: end } = config.authentication.secondary_authentication_grace_period
  if (enabled && (end === undefined || now < end)) return true
  return user.mfa_grace_end !== null && now < user.mfa_grace_end
}

const createNode = (authenticators: Authenticators): NodeHandler<AuthenticateNode> => ({
  kind: 'authenticate',
  class: 'authentication',
  *show({ choices, device_token_enabled }) {
    const options = choices.map(({ option }) => option)
    return { data: { type: 'authentication_data', options, device_token_enabled } }
  },
  schema: (node) => ({ oneOf: schemasOf(node, authenticators) }),
  *react(node, input, view) {
    const account = yield* needAccount(view)
    const choice = choose(node, input, authenticators)
    const step = view.state.step?.type === 'authenticate' ? view.state.step : undefined
    const branch = step?.one_of[choice.branch]
    const authenticator = authenticators.get(choice.option.authentication)
    if (branch === undefined || authenticator === undefined) {
      throw new TypeError('an option belongs to no branch of its step')
    }
    const reaction = yield* authenticator.authenticate(choice, input, account, view)
    return {
      ...reaction,
      ...tokenWish(reaction, input, account, view),
      entered: { authentication: branch.authentication, ...reaction.entered },
      steps: [...(reaction.steps ?? []), ...(branch.steps ?? [])],
    }
  },
})

/** The wish for a device token counts now if the factor is proven, else when it is. */
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

function schemasOf(node: AuthenticateNode, authenticators: Authenticators): readonly JsonSchema[] {
  const token: JsonSchema = node.device_token_enabled ? { type: 'boolean' } : { const: false }
  return node.choices.map((choice, index) => {
    const own = authenticators.get(choice.option.authentication)?.schema(choice, index) ?? {}
    return optionSchema(choice.option, own, { request_device_token: token })
  })
}

function choose(node: AuthenticateNode, input: FlowInput, authenticators: Authenticators): Choice {
  const schemas = schemasOf(node, authenticators)
  const fitting = node.choices.filter((_, index) => fits(schemas[index] ?? {}, input))
  const meant = fitting.find((choice) => {
    const authenticator = authenticators.get(choice.option.authentication)
    return authenticator?.isMeant?.(choice, input) ?? true
  })
  if (meant !== undefined) return meant
  throw validationFailed([{ location: '/target', kind: 'enum' }])
}
