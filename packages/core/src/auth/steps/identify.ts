import type { GatehouseError } from '../../errors.ts'
import type { IdentifyStep } from '../config/flow-definition.ts'
import { flowNotFound, modifyDisabled, userNotFound } from '../errors.ts'
import { accountOf } from '../flow/account.ts'
import type { Asking } from '../flow/asking.ts'
import { type Carried, carriedNote, carriedOf } from '../flow/carried.ts'
import type {
  IdentificationKind,
  IdentificationOption,
  IdentificationPrompt,
  Identifying,
} from '../flow/identification.ts'
import type { FlowNode } from '../flow/state.ts'
import { isLinked } from '../flow/suspended-sign-up.ts'
import type { FlowInput, FlowView, NodeHandler, Reaction, StepHandler } from '../flow/view.ts'
import {
  botProtectionSchema,
  type ProtectedBranch,
  passBotProtection,
  withBotProtection,
  withTargets,
} from '../limits/bot-protection.ts'
import { hasIdentity } from '../linking/linked-account.ts'
import { fits, type JsonSchema } from '../schema/json-schema.ts'
import { identified, type Taken } from './identified.ts'

/** An option, and the index of its branch. JSON. */
interface Choice {
  readonly branch: number
  readonly option: IdentificationOption
}

interface IdentifyNode extends FlowNode {
  readonly kind: 'identify'
  readonly options: readonly Choice[]
}

/** A further prompt of the chosen option. */
interface PromptNode extends FlowNode {
  readonly choice: Choice
  readonly prompt: FlowNode
}

type Kinds = ReadonlyMap<string, IdentificationKind>

/** The step in which a user is identified, and its prompts. */
export function createIdentify(kinds: Kinds): {
  readonly step: StepHandler<IdentifyStep>
  readonly nodes: readonly NodeHandler[]
} {
  // Several kinds may share a prompt.
  const prompts = new Set([...kinds.values()].flatMap(({ prompts = [] }) => prompts))
  return {
    step: createStep(kinds),
    nodes: [
      createNode(kinds) as NodeHandler,
      ...[...prompts].map((prompt) => createPrompt(prompt, kinds) as NodeHandler),
    ],
  }
}

const createStep = (kinds: Kinds): StepHandler<IdentifyStep> => ({
  type: 'identify',
  *enter(step, view) {
    if (yield* hasAlready(step, view)) return 'skip'
    const options: Choice[] = []
    for (const [index, branch] of step.one_of.entries()) {
      const kind = kinds.get(branch.identification)
      const offered = kind === undefined ? [] : yield* kind.options(branch, view)
      options.push(...offered.map((option) => ({ branch: index, option })))
    }
    if (options.length === 0 && view.state.type === 'account') throw modifyDisabled()
    const carried = carriedOf(view.state)
    if (carried !== undefined) return yield* goOn(carried, options, kinds, view)
    const node: IdentifyNode = { kind: 'identify', options }
    return { node }
  },
})

/** Whether a sign-up for an existing user can skip the step, since the user already has such an identity. */
function* hasAlready({ one_of: branches }: IdentifyStep, view: FlowView): Asking<boolean> {
  if (!isLinked(view.state)) return false
  const account = yield* accountOf(view)
  const sorts = branches.map(({ identification }) => identification)
  return account !== undefined && hasIdentity(account, sorts)
}

/** Continues with the identification of the other flow, by the same option. */
function* goOn(
  carried: Carried,
  options: readonly Choice[],
  kinds: Kinds,
  view: FlowView,
): Asking<Reaction> {
  const { option } = carried
  const choice = options.find(
    (one) =>
      one.option.identification === option.identification && one.option.alias === option.alias,
  )
  if (choice === undefined) throw notOffered(carried)
  const reaction = yield* 'input' in carried
    ? choose(choice, carried.input, kinds, view)
    : take(choice, carried.identifying, kinds, view)
  return { ...reaction, notes: { ...carriedNote(null), ...reaction.notes } }
}

/** A flow without this identification finds no user by it. */
function notOffered(carried: Carried): GatehouseError {
  const isIdentity = 'identifying' in carried && carried.identifying.kind === 'identity'
  return userNotFound(isIdentity ? carried.identifying.incoming.names : {})
}

const createNode = (kinds: Kinds): NodeHandler<IdentifyNode> => ({
  kind: 'identify',
  class: 'identification',
  *show({ options }, view) {
    const isRecovery = view.state.type === 'account_recovery'
    const type = isRecovery ? 'account_recovery_identification_data' : 'identification_data'
    const shown: IdentificationOption[] = []
    for (const choice of options) {
      const { option } = choice
      const kind = kinds.get(option.identification)
      const now = kind?.show === undefined ? option : yield* kind.show(option, view)
      shown.push(withBotProtection(now, protectedBy(choice, view), view))
    }
    return { data: { type, options: shown } }
  },
  schema: (node, view) => ({ oneOf: schemasOf(node, kinds, view) }),
  *react(node, input, view) {
    const chosen = schemasOf(node, kinds, view).findIndex((schema) => fits(schema, input))
    const choice = node.options[chosen]
    if (choice === undefined) throw new TypeError('an input matches no option of its step')
    const passed = yield* passBotProtection(protectedBy(choice, view), input, view)
    const reaction = yield* choose(choice, input, kinds, view)
    return { ...reaction, notes: { ...passed, ...reaction.notes } }
  },
})

/** Without options no input matches. */
function schemasOf({ options }: IdentifyNode, kinds: Kinds, view: FlowView): readonly JsonSchema[] {
  if (options.length === 0)
    return [
      {
        type: 'object',
        required: ['identification'],
        properties: { identification: { enum: [] } },
      },
    ]
  return options.map((choice, index) => {
    const { option } = choice
    const own = kinds.get(option.identification)?.schema(option, index, view) ?? {}
    const schema: JsonSchema = {
      ...own,
      type: 'object',
      required: ['identification', ...(own.required ?? [])],
      properties: { identification: { const: option.identification }, ...own.properties },
    }
    return botProtectionSchema(schema, protectedBy(choice, view), view)
  })
}

/** The protection of an option's branch. */
function protectedBy({ branch: index }: Choice, view: FlowView): ProtectedBranch {
  const { step } = view.state
  const branch = step?.type === 'identify' ? step.one_of[index] : undefined
  return branch === undefined ? {} : withTargets(branch, view)
}

function* choose(choice: Choice, input: FlowInput, kinds: Kinds, view: FlowView): Asking<Reaction> {
  const { kind } = wayOf(choice, kinds, view)
  return yield* take(choice, yield* kind.identify(choice.option, input, view), kinds, view)
}

/** The reaction to a chosen option: a further prompt, or that of an identification. */
function* take(
  choice: Choice,
  identifying: Identifying,
  kinds: Kinds,
  view: FlowView,
): Asking<Reaction> {
  if (identifying.kind === 'prompt') {
    const { node: prompt } = identifying
    const node: PromptNode = { kind: prompt.kind, choice, prompt }
    return { node }
  }
  return yield* identified(wayOf(choice, kinds, view), identifying, view)
}

function wayOf({ branch: index, option }: Choice, kinds: Kinds, { state }: FlowView): Taken {
  const step = state.step?.type === 'identify' ? state.step : undefined
  const branch = step?.one_of[index]
  const kind = kinds.get(option.identification)
  // After a restart the program may lack a custom kind.
  if (kind === undefined) throw flowNotFound()
  if (branch !== undefined) return { branch, option, kind, kinds }
  throw new TypeError('an option belongs to no branch of its step')
}

/**
 * Wraps the prompt of an identification as one of the step. It has class `otp` although its `code` is not a mailed code: an input
 * that answers it must not also answer a prompt for a mailed one.
 */
const createPrompt = (own: IdentificationPrompt, kinds: Kinds): NodeHandler<PromptNode> => ({
  kind: own.kind,
  class: 'otp',
  *show({ choice, prompt }, view) {
    const { identification } = choice.option
    return { identification, ...(yield* own.show(prompt, view)) }
  },
  schema: ({ prompt }, view) => own.schema(prompt, view),
  *react({ choice, prompt }, input, view) {
    return yield* take(choice, yield* own.react(prompt, input, view), kinds, view)
  },
})
