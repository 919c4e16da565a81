import type { Account, IdentityRecord } from '../accounts/records.ts'
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

/** The step in which somebody says where the code of an account recovery shall go. */
export const selectDestinationStep: StepHandler<SelectDestinationStep> = {
  type: 'select_destination',
  *enter(step, view) {
    const account = yield* needAccount(view)
    const { enumerate_destinations: isTold, allowed_channels: channels } = step
    const all = isTold && !isUserUnknown(view.state.facts) ? everywhere(account, channels) : []
    // Who has no address sees what somebody unknown does.
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
    if (chosen === undefined) throw new TypeError('an input fits no option of its step')
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

/** Every address of the account that a channel can reach. */
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
  // An account of a provider may have the same address as a login ID.
  return all.filter((one, index) => all.findIndex((other) => isSame(one, other)) === index)
}

const isSame = (one: RecoveryDestination, other: RecoveryDestination): boolean =>
  one.target === other.target && one.channel === other.channel && one.form === other.form

/** The address somebody was identified by; for a name an address of the account that is not shown. */
function byIdentity(
  account: Account,
  channels: readonly RecoveryChannel[],
  view: FlowView,
): readonly RecoveryDestination[] {
  const step = view.state.entered.findLast(({ type }) => type === 'identify')
  const identity = account.identities.find(({ id }) => id === step?.identity_id)
  // The name as it was typed: what is stored would tell that it is known.
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

/** Whether somebody can be reached by an identity, as opposed to a name they have. */
const isAddress = (identity: IdentityRecord): boolean =>
  identity.type === 'login_id' && identity.login_id_type !== 'username'

/** The address of the profile, if it is one that the recovery may go to; else the first that is. */
function hiddenAddress(account: Account, channel: Channel): string | null {
  const addresses = recoveryAddresses(account, channel)
  const preferred = account.user.standard_attributes[claimOfChannel(channel)]
  return addresses.find((address) => address === preferred) ?? addresses[0] ?? null
}
