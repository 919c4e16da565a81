import type { Account } from '../accounts/account.ts'
import type {
  AuthenticateBranch,
  CreateAuthenticatorStep,
  Step,
} from '../config/flow-definition.ts'
import { noAuthenticator } from '../errors.ts'
import { needAccount } from '../flow/account.ts'
import type { Asking } from '../flow/asking.ts'
import type { Authenticator, OfferedOption } from '../flow/authenticator.ts'
import { canGive, whatIsUseful } from '../flow/hooks/demanded-steps.ts'
import type { FlowNode } from '../flow/state.ts'
import { isLinked } from '../flow/suspended-sign-up.ts'
import { targetStep, wasEntered } from '../flow/target-step.ts'
import type { FlowView, NodeHandler, StepHandler } from '../flow/view.ts'
import {
  botProtectionSchema,
  type ProtectedBranch,
  passBotProtection,
  withBotProtection,
} from '../limits/bot-protection.ts'
import { hasFactor } from '../linking/linked-account.ts'
import { fits, type JsonSchema } from '../schema/json-schema.ts'
import { optionSchema } from './option-schema.ts'

interface CreateNode extends FlowNode {
  readonly kind: 'create_authenticator'
  readonly choices: readonly Choice[]
}

interface Choice extends OfferedOption, ProtectedBranch {
  readonly steps: readonly Step[]
}

type Authenticators = ReadonlyMap<string, Authenticator>

/** The step in which a user enrols an authenticator, and its prompt. */
export function createCreateAuthenticator(authenticators: Authenticators): {
  readonly step: StepHandler<CreateAuthenticatorStep>
  readonly node: NodeHandler<CreateNode>
} {
  return { step: createStep(authenticators), node: createNode(authenticators) }
}

const createStep = (authenticators: Authenticators): StepHandler<CreateAuthenticatorStep> => ({
  type: 'create_authenticator',
  *enter(step, view) {
    const account = yield* needAccount(view)
    const branches = step.one_of.filter((branch) => isPossible(branch, view))
    const isThere = isAdded(view) && branches.some((branch) => has(branch, account, view))
    const offer = { branches, demanded: step.demanded_amr }
    const node = isThere ? undefined : yield* offerCreation(offer, account, view, authenticators)
    if (node !== undefined) return { node }
    if (step.demanded_amr !== undefined) throw noAuthenticator()
    return 'skip'
  },
})

/** Whether the sign-up or promotion continues for an existing user. */
const isAdded = ({ state }: FlowView): boolean => isLinked(state) || state.type === 'promote'

/** An existing user may have skipped the target step. */
const isPossible = ({ target_step: target }: AuthenticateBranch, view: FlowView): boolean =>
  target === undefined || !isLinked(view.state) || wasEntered(view, target)

/** Whether an account already has the authenticator of a branch; for codes, at the same address. */
function has(
  { authentication, target_step: target }: AuthenticateBranch,
  account: Account,
  view: FlowView,
): boolean {
  if (target === undefined) return hasFactor(account, { authentication })
  const { identity_id: id } = targetStep(view, target)
  const { email, phone_number: phone } = account.identities.find((one) => one.id === id) ?? {}
  const targets = [email, phone].flatMap((address) => address ?? [])
  return hasFactor(account, { authentication, targets })
}

/** Ways to enrol an authenticator, and the `amr` values that they must give together (default none). */
interface CreationOffer {
  readonly branches: readonly AuthenticateBranch[]
  readonly demanded?: readonly string[] | undefined
}

/** The prompt for the authenticators that can be enrolled; `undefined` if there are none, or not the demanded ones. */
export function* offerCreation(
  { branches, demanded = [] }: CreationOffer,
  account: Account,
  view: FlowView,
  authenticators: Authenticators,
): Asking<FlowNode | undefined> {
  const choices: Choice[] = []
  const isUseful = yield* whatIsUseful(view, authenticators)
  for (const branch of branches) {
    const { authentication, steps = [], bot_protection: bot } = branch
    if (!isUseful(authentication)) continue
    const creation = authenticators.get(authentication)?.creation
    const offered = creation && (yield* creation.offer(branch, account, view))
    const more = bot === undefined ? { steps } : { steps, bot_protection: bot }
    if (offered !== undefined) choices.push({ ...offered, ...more })
  }
  const names = choices.map(({ option }) => option.authentication)
  if (names.length === 0 || !canGive(demanded, names, authenticators)) return undefined
  const node: CreateNode = { kind: 'create_authenticator', choices }
  return node
}

const createNode = (authenticators: Authenticators): NodeHandler<CreateNode> => ({
  kind: 'create_authenticator',
  class: 'authentication',
  *show({ choices }, view) {
    const options = choices.map((choice) => withBotProtection(choice.option, choice, view))
    return { data: { type: 'create_authenticator_data', options } }
  },
  schema: (node, view) => ({ oneOf: schemasOf(node, authenticators, view) }),
  *react(node, input, view) {
    const account = yield* needAccount(view)
    const schemas = schemasOf(node, authenticators, view)
    const index = schemas.findIndex((schema) => fits(schema, input))
    const choice = node.choices[index]
    const authentication = choice?.option.authentication ?? ''
    const creation = authenticators.get(authentication)?.creation
    if (choice === undefined || creation === undefined) {
      throw new TypeError('an input matches no option of its step')
    }
    const passed = yield* passBotProtection(choice, input, view)
    const reaction = yield* creation.create(choice, input, account, view)
    return {
      ...reaction,
      notes: { ...passed, ...reaction.notes },
      entered: { authentication, ...reaction.entered },
      steps: [...(reaction.steps ?? []), ...choice.steps],
    }
  },
})

function schemasOf(
  { choices }: CreateNode,
  authenticators: Authenticators,
  view: FlowView,
): readonly JsonSchema[] {
  return choices.map((choice) => {
    const own = authenticators.get(choice.option.authentication)?.creation?.schema(choice)
    return botProtectionSchema(optionSchema(choice.option, own ?? {}), choice, view)
  })
}
