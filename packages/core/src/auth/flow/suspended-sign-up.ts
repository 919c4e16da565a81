import type { Json } from '../../storage/storage.ts'
import type { IncomingIdentity } from '../accounts/incoming-identity.ts'
import type { EnteredStep, FlowType, IdentifyBranch } from '../config/flow-definition.ts'
import type { Fact, FlowSnapshot } from './state.ts'

/** A sign-up that waits for its existing user to sign in. JSON. */
export interface SuspendedSignUp {
  readonly type: FlowType
  readonly name: string
  readonly entered: readonly EnteredStep[]
  /** Its facts so far. The login must not use them: they could let another user in. */
  readonly facts: readonly Fact[]
  /** The identity that the user gets by it, and the branch that it came in by. */
  readonly incoming: IncomingIdentity
  readonly branch: IdentifyBranch
  /** The user who must sign in. */
  readonly user_id: string
}

const suspended = 'suspended_sign_up'
const linked = 'linked'

type Notes = { readonly [name: string]: Json }

/** The sign-up as a note of the login. */
export function suspendedNotes(signUp: SuspendedSignUp): Notes {
  return { [suspended]: signUp as unknown as Json }
}

/** The sign-up that waits for the current login. */
export function suspendedSignUp({ notes }: FlowSnapshot): SuspendedSignUp | undefined {
  return (notes[suspended] ?? undefined) as unknown as SuspendedSignUp | undefined
}

/** Notes of a sign-up that was resumed for an existing user. */
export const resumedNotes: Notes = { [suspended]: null, [linked]: true }

/** Whether the flow is a sign-up of an existing user. */
export function isLinked({ type, notes }: FlowSnapshot): boolean {
  return (type === 'signup' || type === 'promote') && notes[linked] === true
}
