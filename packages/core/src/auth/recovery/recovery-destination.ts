import type { Json } from '../../storage/storage.ts'
import type { Account } from '../accounts/account.ts'
import type { Channel, OtpForm } from '../config/flow-definition.ts'
import { isVerified } from '../flow/account.ts'
import type { FlowView } from '../flow/view.ts'

/** The destination of the code of an account recovery. */
export interface RecoveryDestination {
  /** The normalized address; `null` if there is none, which the client must not learn. */
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

/** The destination chosen earlier in the flow. */
export function notedDestination({ state }: FlowView): RecoveryDestination | undefined {
  // Only destinationNote() writes it.
  return state.notes.recovery_destination as RecoveryDestination | undefined
}

/**
 * The addresses of an account that a channel reaches and a recovery may use: those the user signs in with, and others if
 * verified. An unverified address from a provider may belong to another person.
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

/** Checks that an address is still one of those; the user may have lost it after the code was sent. */
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
