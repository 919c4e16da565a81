import type { Account } from '../accounts/account.ts'
import type { IdentityRecord } from '../accounts/identity-record.ts'
import type { Channel, RecoveryChannel, SelectDestinationStep } from '../config/flow-definition.ts'
import { authError } from '../errors.ts'
import { isUserUnknown, needAccount } from '../flow/account.ts'
import type { FlowNode } from '../flow/state.ts'
import type { FlowView, NodeHandler, StepHandler } from '../flow/view.ts'
import { maskEmail, maskPhone } from '../login-ids/mask.ts'
import {
  claimOfChannel,
  destinationNote,
  type RecoveryDestination,
  recoveryAddresses,
} from './recovery-destination.ts'

interface DestinationNode extends FlowNode {
  readonly kind: 'select_destination'
  readonly options: readonly RecoveryDestination[]
}

/** The step in which the user chooses where to send the code of an account recovery. */
export const selectDestinationStep: StepHandler<SelectDestinationStep> = {
  type: 'select_destination',
  *enter(step, view) {
    const account = yield* needAccount(view)
    const { enumerate_destinations: isTold, allowed_channels: channels } = step
    const all = isTold && !isUserUnknown(view.state.facts) ? everywhere(account, channels) : []
    // A user without addresses gets the same options as an unknown one.
    const options = all.length > 0 ? all : byIdentity(account, channels, view)
    const node: DestinationNode = { kind: 'select_destination', options }
    return { node }
  },
}

/** The prompt of the step. */
export const selectDestinationNode: NodeHandler<DestinationNode> = {
  kind: 'select_destination',
  class: 'destination',
  *show({ options }) {
    const shown = options.map(({ masked, channel, form }) => ({
      masked_display_name: masked,
      channel,
      otp_form: form,
    }))
    return { data: { type: 'account_recovery_select_destination_data', options: shown } }
  },
  schema: ({ options }) => ({
    type: 'object',
    required: ['index'],
    properties: { index: { type: 'integer', enum: options.map((_, index) => index) } },
  }),
  *react({ options }, input, { config }) {
    if (!config.forgot_password.enabled) {
      throw authError('Invalid', 'ForgotPasswordFailed', 'account recovery is not enabled', {
        cause: { kind: 'FeatureDisabled' },
      })
    }
    const chosen = options[Number(input.index)]
    if (chosen === undefined) throw new TypeError('an input matches no option of its step')
    return { notes: destinationNote(chosen) }
  },
}

const maskFor = (channel: Channel, target: string): string =>
  channel === 'email' ? maskEmail(target) : maskPhone(target)

function destination(
  { channel, otp_form: form }: RecoveryChannel,
  target: string,
): RecoveryDestination {
  return { target, masked: maskFor(channel, target), channel, form }
}

/** All addresses of the account that a channel can reach. */
function everywhere(
  account: Account,
  channels: readonly RecoveryChannel[],
): readonly RecoveryDestination[] {
  const all = account.identities.flatMap((identity) =>
    channels.flatMap((one) => {
      const target = identity[claimOfChannel(one.channel)]
      const isSure =
        target !== undefined && recoveryAddresses(account, one.channel).includes(target)
      return isSure ? [destination(one, target)] : []
    }),
  )
  // A provider's account and a login ID may have the same address.
  return all.filter((one, index) => all.findIndex((other) => isSame(one, other)) === index)
}

const isSame = (one: RecoveryDestination, other: RecoveryDestination): boolean =>
  one.target === other.target && one.channel === other.channel && one.form === other.form

/** The address that identified the user; for a username, a hidden address of the account. */
function byIdentity(
  account: Account,
  channels: readonly RecoveryChannel[],
  view: FlowView,
): readonly RecoveryDestination[] {
  const step = view.state.entered.findLast(({ type }) => type === 'identify')
  const identity = account.identities.find(({ id }) => id === step?.identity_id)
  // The username as typed, because the stored spelling would reveal that it exists.
  const masked = step?.identity_display
  if (identity === undefined || masked === undefined) return []
  return channels.flatMap((one): readonly RecoveryDestination[] => {
    const own = identity.type === 'login_id' ? identity[claimOfChannel(one.channel)] : undefined
    if (own !== undefined) return [destination(one, own)]
    if (isAddress(identity)) return []
    const { channel, otp_form: form } = one
    return [{ target: hiddenAddress(account, channel), masked, channel, form }]
  })
}

/** Whether an identity is an address, not a username. */
const isAddress = (identity: IdentityRecord): boolean =>
  identity.type === 'login_id' && identity.login_id_type !== 'username'

/** The address of the profile if the recovery may use it; else the first that it may use. */
function hiddenAddress(account: Account, channel: Channel): string | null {
  const addresses = recoveryAddresses(account, channel)
  const preferred = account.user.standard_attributes[claimOfChannel(channel)]
  return addresses.find((address) => address === preferred) ?? addresses[0] ?? null
}
