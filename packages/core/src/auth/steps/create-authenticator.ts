import { needAccount } from '../account.ts'
import type { Authenticator, OfferedOption } from '../authenticator.ts'
import type { AuthenticateBranch, CreateAuthenticatorStep, Step } from '../flow-definition.ts'
import type { FlowNode } from '../flow-state.ts'
import type { FlowView, NodeHandler, StepHandler } from '../flow-view.ts'
import { fits, type JsonSchema } from '../json-schema.ts'
import { optionSchema } from '../option-schema.ts'
import type { Asking } from '../questions.ts'
import type { Account } from '../records.ts'

interface CreateNode extends FlowNode {
  readonly kind: 'create_authenticator'
  readonly choices: readonly (OfferedOption & { readonly steps: readonly Step[] })[]
}

type Authenticators = ReadonlyMap<string, Authenticator>

/** The step in which somebody sets up what will show who they are, and its prompt. */
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
    const node = yield* offerCreation(step.one_of, account, view, authenticators)
    return node === undefined ? 'skip' : { node }
  },
})

/** The prompt for what of these can be set up; `undefined` if nothing can. */
export function* offerCreation(
  branches: readonly AuthenticateBranch[],
  account: Account,
  view: FlowView,
  authenticators: Authenticators,
): Asking<FlowNode | undefined> {
  const choices: (OfferedOption & { steps: readonly Step[] })[] = []
  for (const branch of branches) {
    const creation = authenticators.get(branch.authentication)?.creation
    const offered = creation && (yield* creation.offer(branch, account, view))
    if (offered !== undefined) choices.push({ ...offered, steps: branch.steps ?? [] })
  }
  if (choices.length === 0) return undefined
  const node: CreateNode = { kind: 'create_authenticator', choices }
  return node
}

const createNode = (authenticators: Authenticators): NodeHandler<CreateNode> => ({
  kind: 'create_authenticator',
  class: 'authentication',
  *show({ choices }) {
    return {
      data: { type: 'create_authenticator_data', options: choices.map(({ option }) => option) },
    }
  },
  schema: (node) => ({ oneOf: schemasOf(node, authenticators) }),
  *react(node, input, view) {
    const account = yield* needAccount(view)
    const index = schemasOf(node, authenticators).findIndex((schema) => fits(schema, input))
    const choice = node.choices[index]
    const authentication = choice?.option.authentication ?? ''
    const creation = authenticators.get(authentication)?.creation
    if (choice === undefined || creation === undefined) {
      throw new TypeError('an input fits no option of its step')
    }
    const reaction = yield* creation.create(choice, input, account, view)
    return {
      ...reaction,
      entered: { authentication, ...reaction.entered },
      steps: [...(reaction.steps ?? []), ...choice.steps],
    }
  },
})

function schemasOf({ choices }: CreateNode, authenticators: Authenticators): readonly JsonSchema[] {
  return choices.map((choice) => {
    const own = authenticators.get(choice.option.authentication)?.creation?.schema(choice)
    return optionSchema(choice.option, own ?? {})
  })
}
