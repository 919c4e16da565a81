import type { Json } from '../../storage/storage.ts'
import type { IncomingIdentity } from '../accounts/incoming-identity.ts'
import type { EnteredStep, FlowType, IdentifyBranch } from '../config/flow-definition.ts'
import type { Fact, FlowSnapshot } from './state.ts'

/** A sign-up that waits for its user to sign in, since the user is there already. JSON. */
export interface SuspendedSignUp {
  readonly type: FlowType
  readonly name: string
  readonly entered: readonly EnteredStep[]
  /** What it has established. In the login nothing of it counts: it might let somebody else in. */
  readonly facts: readonly Fact[]
  /** What the user gets by it, and the branch that it came by. */
  readonly incoming: IncomingIdentity
  readonly branch: IdentifyBranch
  /** Who must sign in. */
  readonly user_id: string
}

const suspended = 'suspended_sign_up'
const linked = 'linked'

type Notes = { readonly [name: string]: Json }

/** As a note of the login. */
export function suspendedNotes(signUp: SuspendedSignUp): Notes {
  return { [suspended]: signUp as unknown as Json }
}

/** The sign-up that waits for the login under way. */
export function suspendedSignUp({ notes }: FlowSnapshot): SuspendedSignUp | undefined {
  return (notes[suspended] ?? undefined) as unknown as SuspendedSignUp | undefined
}

/** What says that the sign-up goes on, for a user who was there already. */
export const resumedNotes: Notes = { [suspended]: null, [linked]: true }

/** Whether the flow is a sign-up of somebody who was there already. */
export function isLinked({ type, notes }: FlowSnapshot): boolean {
  return (type === 'signup' || type === 'promote') && notes[linked] === true
}
