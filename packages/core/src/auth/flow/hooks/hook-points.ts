import type { FlowType } from '../../config/flow-definition.ts'
import { identifiedUserOf } from '../account.ts'
import type { Asking } from '../asking.ts'
import { ask } from '../questions.ts'
import type { FlowSnapshot } from '../state.ts'
import type { FlowView } from '../view.ts'
import type { HookPoint } from './host-hook.ts'

/** Notes that the host was asked whether the flow may end. */
const asked = 'pre_authenticated_asked'

/** Flows that open no session. */
const withoutSession: ReadonlySet<FlowType> = new Set(['account_recovery', 'account'])

/** Hooks run only in flows that open or renew a session. */
const isAskedAbout = ({ has_hook, state }: FlowView): boolean =>
  has_hook && !withoutSession.has(state.type)

/**
 * Calls the hook at a point of a flow. Returns the state with the hook's demands on the rest.
 *
 * @throws {GatehouseError} `HookDisallowed`, or the error of a failed hook.
 * @see Authgear, blocking events `authentication.*`
 */
function* askAt(type: HookPoint, { state }: FlowView): Asking<FlowSnapshot> {
  const notes = yield* ask('hook', { type, state })
  return { ...state, notes: { ...state.notes, ...notes } }
}

/** Runs at the start of a flow. */
export function* atBeginning(view: FlowView): Asking<FlowSnapshot> {
  return isAskedAbout(view) ? yield* askAt('authentication.pre_initialize', view) : view.state
}

/**
 * Runs when the user of a flow has just been identified, before any further prompt or message; in a sign-up and a promotion, when
 * the new identity is known. Also runs for an unknown user whose absence must stay hidden; otherwise the hook's demands would
 * reveal it.
 */
export function* atIdentity(before: FlowSnapshot, view: FlowView): Asking<FlowSnapshot> {
  const userId = identifiedUserOf(view.state.facts)
  const isNew = userId !== undefined && userId !== identifiedUserOf(before.facts)
  return isNew && isAskedAbout(view)
    ? yield* askAt('authentication.post_identified', view)
    : view.state
}

/** Runs when no step is left. Runs only once, even if the hook demands further steps. */
export function* atEnd(view: FlowView): Asking<FlowSnapshot> {
  if (!isAskedAbout(view) || view.state.notes[asked] === true) return view.state
  const state = yield* askAt('authentication.pre_authenticated', view)
  return { ...state, notes: { ...state.notes, [asked]: true } }
}
