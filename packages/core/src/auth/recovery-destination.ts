import type { Json } from '../storage.ts'
import type { Channel, OtpForm } from './flow-definition.ts'
import type { FlowView } from './flow-view.ts'

/** Where the code of an account recovery goes. */
export interface RecoveryDestination {
  /** The normalised address; `null` if there is none, which the client is not to see. */
  readonly target: string | null
  readonly masked: string
  readonly channel: Channel
  readonly form: OtpForm
}

/** The note that {@link notedDestination} reads. */
export function destinationNote(destination: RecoveryDestination): {
  readonly [name: string]: Json
} {
  const { target, masked, channel, form } = destination
  return { recovery_destination: { target, masked, channel, form } }
}

/** The destination that was chosen earlier in the flow. */
export function notedDestination({ state }: FlowView): RecoveryDestination | undefined {
  // Only destinationNote() writes it.
  return state.notes.recovery_destination as RecoveryDestination | undefined
}
