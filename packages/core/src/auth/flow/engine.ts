import { GatehouseError, isGatehouseError } from '../../errors.ts'
import type { EnteredStep, FlowDefinition, FlowType, Step } from '../config/flow-definition.ts'
import { authError, reasonsWithoutFlow, validationFailed } from '../errors.ts'
import { validateJson } from '../schema/json-schema.ts'
import type { FlowAction } from '../wire/types.generated.ts'
import { userIdOf } from './account.ts'
import type { Asking } from './asking.ts'
import { demandedStep } from './hooks/demanded-steps.ts'
import { atBeginning, atEnd, atIdentity } from './hooks/hook-points.ts'
import { joinFacts } from './join-facts.ts'
import type { FlowKinds } from './kinds.ts'
import { nextStep } from './next-step.ts'
import { ask } from './questions.ts'
import type { Effect, Fact, FlowSnapshot } from './state.ts'
import type {
  FlowInput,
  FlowView,
  NodeHandler,
  Reaction,
  ShownAction,
  StepHandler,
} from './view.ts'

/** The state that was reached, and the effects to perform before it counts. */
export interface Advanced {
  readonly state: FlowSnapshot
  readonly effects: readonly Effect[]
}

/** A state as clients see it, without its token. */
export interface ShownState {
  readonly type: FlowType
  readonly name: string
  /** Kinds of the app's own show data that is none of these. */
  readonly action: FlowAction
}

/** The limits on prompts that one input may answer, and on the steps and facts of a flow. */
const maxTurns = 100
const maxParts = 500

/** Whether a flow has reached its end, and only has to be stored. */
export function isFinished(state: FlowSnapshot): boolean {
  return state.node === undefined && state.pending.length === 0
}

/** The state before the first step; `facts` and `notes` are known from the start. */
export function initialState(
  flowId: string,
  { type, name, steps }: FlowDefinition,
  facts: readonly Fact[] = [],
  notes: FlowSnapshot['notes'] = {},
): FlowSnapshot {
  return {
    flow_id: flowId,
    type,
    name,
    after: [],
    pending: steps,
    entered: [],
    facts,
    notes,
  }
}

/** Starts a flow and runs it to the first prompt, or to the end. */
export function* beginFlow(view: FlowView, kinds: FlowKinds): Asking<Advanced> {
  const state = yield* within(view.state.type, atBeginning(view))
  return yield* settle({ ...view, state }, kinds)
}

/** Runs a flow to the next prompt, or to the end. */
export function* settle(view: FlowView, kinds: FlowKinds): Asking<Advanced> {
  let { state } = view
  const effects: Effect[] = []
  while (state.node === undefined) {
    state = yield* withUser(state)
    if (state.pending.length === 0) state = yield* lastWord({ ...view, state }, kinds)
    const { step, pending } = nextStep(state)
    if (step === undefined) break
    checkSize(state)
    state = { ...state, pending, step, entered: [...state.entered, enteredStep(step)] }
    const before = state
    const entrance = yield* within(state.type, enter(step, { ...view, state }, kinds))
    state = entrance === 'skip' ? leaveSkipped(state) : apply(state, entrance)
    state = yield* within(state.type, atIdentity(before, { ...view, state }))
    if (entrance !== 'skip') effects.push(...(entrance.effects ?? []))
  }
  return { state, effects }
}

/** A sign-up has its future user before its first step. */
function* withUser(state: FlowSnapshot): Asking<FlowSnapshot> {
  if (state.type !== 'signup' || userIdOf(state.facts) !== undefined) return state
  const user_id = yield* ask('uuid', undefined)
  return { ...state, facts: [...state.facts, { kind: 'user_created', user_id }] }
}

/** Once no step is left, the host may demand one more. */
function* lastWord(view: FlowView, kinds: FlowKinds): Asking<FlowSnapshot> {
  const state = yield* within(view.state.type, atEnd(view))
  const step = yield* within(state.type, demandedStep({ ...view, state }, kinds))
  return step === undefined ? state : { ...state, pending: [step] }
}

function enter(step: Step, view: FlowView, kinds: FlowKinds): ReturnType<StepHandler['enter']> {
  const handler = kinds.steps.get(step.type)
  if (handler === undefined) throw new TypeError(`unknown step type "${step.type}"`)
  return handler.enter(step, view)
}

/**
 * Feeds an input to a state. The input is also applied to the following prompts as long as it matches them, but never to two of
 * the same class.
 *
 * @throws {GatehouseError} `ValidationFailed` if it does not match the first prompt; or the error of a step that refuses it.
 */
export function* acceptInput(view: FlowView, kinds: FlowKinds, input: FlowInput): Asking<Advanced> {
  let { state } = view
  const effects: Effect[] = []
  const answered = new Set<NodeHandler['class']>()
  for (let turn = 0; turn < maxTurns && state.node !== undefined; turn++) {
    const here: FlowView = { ...view, state }
    const handler = handlerOf(kinds, state.node.kind)
    if (answered.has(handler.class)) break
    const causes = validateJson(handler.schema(state.node, here), input)
    if (causes.length > 0) {
      if (turn > 0) break
      throw withFlowType(validationFailed(causes), state.type)
    }
    const reaction = yield* within(state.type, handler.react(state.node, input, here))
    answered.add(handler.class)
    const next = apply(state, reaction)
    const reacted = yield* within(next.type, atIdentity(state, { ...view, state: next }))
    const settled = yield* settle({ ...view, state: reacted }, kinds)
    state = settled.state
    effects.push(...(reaction.effects ?? []), ...settled.effects)
  }
  return { state, effects }
}

/** Shows a state to clients. Changes nothing. */
export function* showState(view: FlowView, kinds: FlowKinds): Asking<ShownState> {
  const { type, name, node, step } = view.state
  if (node === undefined || step === undefined) {
    return { type, name, action: { type: 'finished', data: {} } }
  }
  const shown: ShownAction = yield* handlerOf(kinds, node.kind).show(node, view)
  // `api/flow-actions.ts` says what the kinds show; every vector is held to it.
  return { type, name, action: { type: step.type, ...shown } as FlowAction }
}

function handlerOf(kinds: FlowKinds, kind: string): NodeHandler {
  const handler = kinds.nodes.get(kind)
  if (handler === undefined) throw new TypeError(`unknown prompt "${kind}"`)
  return handler
}

function enteredStep({ type, name }: Step): EnteredStep {
  return name === undefined ? { type } : { type, name }
}

function leaveSkipped(state: FlowSnapshot): FlowSnapshot {
  const { step: _step, ...rest } = state
  // Skipped steps cannot be referred to.
  return { ...rest, entered: state.entered.slice(0, -1) }
}

/** The state after a reaction: at the next prompt of the step, or past the step. */
function apply(state: FlowSnapshot, reaction: Reaction): FlowSnapshot {
  const { node, facts = [], steps = [], become, resume, entered, notes = {} } = reaction
  const { node: _node, ...rest } = state
  const next: FlowSnapshot = {
    ...rest,
    facts: joinFacts(state.facts, facts),
    notes: { ...state.notes, ...notes },
    after: [...state.after, ...steps],
    entered: entered === undefined ? state.entered : amendLast(state.entered, entered),
  }
  if (become !== undefined) return becomeFlow(next, become)
  if (node !== undefined) return { ...next, node }
  return leaveStep(resume === undefined ? next : { ...next, ...resume })
}

function amendLast(
  entered: readonly EnteredStep[],
  known: Partial<EnteredStep>,
): readonly EnteredStep[] {
  const last = entered.at(-1)
  return last === undefined ? entered : [...entered.slice(0, -1), { ...last, ...known }]
}

function leaveStep({ step: _step, ...state }: FlowSnapshot): FlowSnapshot {
  return { ...state, pending: [...state.after, ...state.pending], after: [] }
}

function becomeFlow(
  { step: _step, ...state }: FlowSnapshot,
  { type, name, steps, then = [], facts = state.facts }: NonNullable<Reaction['become']>,
): FlowSnapshot {
  return { ...state, type, name, facts, pending: [...steps, ...then], after: [], entered: [] }
}

function checkSize({ entered, facts, pending }: FlowSnapshot): void {
  if (entered.length + facts.length + pending.length <= maxParts) return
  throw authError('BadRequest', 'BadRequest', `a flow has at most ${maxParts} steps and facts`)
}

/** Adds the type of the flow to an error. */
export function withFlowType(error: GatehouseError, type: FlowType): GatehouseError {
  const { kind, reason, message, info, cause } = error
  if (reasonsWithoutFlow.has(reason)) return error
  const errorOptions = { info: { FlowType: type, ...info } }
  return new GatehouseError(
    kind,
    reason,
    message,
    cause === undefined ? errorOptions : { ...errorOptions, cause },
  )
}

function* within<T>(type: FlowType, rules: Asking<T>): Asking<T> {
  try {
    return yield* rules
  } catch (error) {
    throw isGatehouseError(error) ? withFlowType(error, type) : error
  }
}
