import { isUserUnknown, needAccount } from '../account.ts'
import { authError } from '../errors.ts'
import type { Channel, RecoveryChannel, SelectDestinationStep } from '../flow-definition.ts'
import type { FlowNode } from '../flow-state.ts'
import type { FlowView, NodeHandler, StepHandler } from '../flow-view.ts'
import { maskEmail, maskPhone } from '../mask.ts'
import type { Account } from '../records.ts'
import { destinationNote, type RecoveryDestination } from '../recovery-destination.ts'

interface DestinationNode extends FlowNode {
  readonly kind: 'select_destination'
  readonly options: readonly RecoveryDestination[]
}

/** The step in which somebody says where the code of an account recovery shall go. */
export const selectDestinationStep: StepHandler<SelectDestinationStep> = {
  type: 'select_destination',
  *enter(step, view) {
    const account = yield* needAccount(view)
    const options =
      step.enumerate_destinations === true && !isUserUnknown(view.state.facts)
        ? everywhere(account, step.allowed_channels)
        : byIdentity(account, step.allowed_channels, view)
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

const claimOf = (channel: Channel): 'email' | 'phone_number' =>
  channel === 'email' ? 'email' : 'phone_number'

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
  { identities }: Account,
  channels: readonly RecoveryChannel[],
): readonly RecoveryDestination[] {
  return identities.flatMap((identity) =>
    channels.flatMap((channel) => {
      const target = identity[claimOf(channel.channel)]
      return target === undefined ? [] : [destination(channel, target)]
    }),
  )
}

/** The address somebody was identified by; for a name an address of the account that is not shown. */
function byIdentity(
  account: Account,
  channels: readonly RecoveryChannel[],
  view: FlowView,
): readonly RecoveryDestination[] {
  const step = view.state.entered.findLast(({ type }) => type === 'identify')
  const identity = account.identities.find(({ id }) => id === step?.identity_id)
  if (identity === undefined) return []
  // The name as it was typed: what is stored would tell that it is known.
  const masked = step?.identity_display ?? identity.original
  return channels.flatMap((channel) => {
    const claim = claimOf(channel.channel)
    const own = identity[claim]
    if (own !== undefined) return [destination(channel, own)]
    if (identity.type !== 'login_id' || identity.login_id_type !== 'username') return []
    const target = account.identities.find((one) => one[claim] !== undefined)?.[claim] ?? null
    const { channel: name, otp_form: form } = channel
    return [{ target, masked, channel: name, form }]
  })
}
