import type { Json } from '../../storage/storage.ts'
import type { Account } from '../accounts/records.ts'
import type { Channel, OtpForm } from '../config/flow-definition.ts'
import { isVerified } from '../flow/account.ts'
import type { FlowView } from '../flow/view.ts'

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

/**
 * The addresses of an account that a channel reaches and a recovery may go to: those its user signs in with, and of others those that
 * are proven. What a provider says without having proven it may be the address of anybody.
 */
export function recoveryAddresses(account: Account, channel: Channel): readonly string[] {
  const claim = claimOfChannel(channel)
  const addresses = account.identities.flatMap((identity) => {
    const address = identity[claim]
    if (address === undefined) return []
    const isSure = identity.type === 'login_id' || isVerified(account, claim, address)
    return isSure ? [address] : []
  })
  return [...new Set(addresses)]
}

/** Whether an address is one of those, for who may have lost it while the code was on its way. */
export function isAddressOf(
  account: Account | undefined,
  { channel, target }: { readonly channel: Channel; readonly target: string },
): boolean {
  return account !== undefined && recoveryAddresses(account, channel).includes(target)
}

/** The claim whose addresses a channel reaches. */
export function claimOfChannel(channel: Channel): 'email' | 'phone_number' {
  return channel === 'email' ? 'email' : 'phone_number'
}
