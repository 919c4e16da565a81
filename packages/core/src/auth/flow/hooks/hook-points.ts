import type { FlowType } from '../../config/flow-definition.ts'
import { userIdOf } from '../account.ts'
import type { Asking } from '../asking.ts'
import { ask } from '../questions.ts'
import type { FlowSnapshot } from '../state.ts'
import type { FlowView } from '../view.ts'

/** That the host was asked whether the flow may end. */
const asked = 'pre_authenticated_asked'

/** Flows that open no session. */
const withoutSession: ReadonlySet<FlowType> = new Set(['account_recovery', 'account'])

/** Only flows that open a session, or renew one, are asked about. */
const isAskedAbout = ({ has_hook, state }: FlowView): boolean =>
  has_hook && !withoutSession.has(state.type)

/**
 * Asks the host at a point of a flow. Answers the state with what it wants of the rest.
 *
 * @throws {GatehouseError} `HookDisallowed`, and whatever a hook that fails comes to.
 * @see Authgear, blocking events `authentication.*`
 */
function* askAt(point: string, { state }: FlowView): Asking<FlowSnapshot> {
  const type = `authentication.${point}`
  const notes = yield* ask('hook', { type, state })
  return { ...state, notes: { ...state.notes, ...notes } }
}

/** Where a flow begins; that of somebody who is anonymous begins with whom it is about. */
export function* atBeginning(view: FlowView): Asking<FlowSnapshot> {
  if (!isAskedAbout(view)) return view.state
  const state = yield* askAt('pre_initialize', view)
  return userIdOf(state.facts) === undefined
    ? state
    : yield* askAt('post_identified', { ...view, state })
}

/**
 * Where it has just become known whom a flow is about: before anything else is asked of them, or sent to them. Also of somebody who does
 * not exist and must not be missed, or what hooks want would tell.
 */
export function* atIdentity(before: FlowSnapshot, view: FlowView): Asking<FlowSnapshot> {
  const userId = userIdOf(view.state.facts)
  const isNew = userId !== undefined && userId !== userIdOf(before.facts)
  return isNew && isAskedAbout(view) ? yield* askAt('post_identified', view) : view.state
}

/** Where nothing is left of a flow but the storing: once, also if more is left again by what it comes to. */
export function* atEnd(view: FlowView): Asking<FlowSnapshot> {
  if (!isAskedAbout(view) || view.state.notes[asked] === true) return view.state
  const state = yield* askAt('pre_authenticated', view)
  return { ...state, notes: { ...state.notes, [asked]: true } }
}
