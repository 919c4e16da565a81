import type { GatehouseError } from '../../../errors.ts'
import type { Json } from '../../../storage/storage.ts'
import type { LoadedAuthConfig } from '../../config/config.ts'
import type { Channel, EnteredStep, OtpForm } from '../../config/flow-definition.ts'
import { authError } from '../../errors.ts'
import type { Asking } from '../../flow/asking.ts'
import type { Fact, FlowNode, MessageKind, OtpPurpose, OtpRequest } from '../../flow/state.ts'
import type { FlowInput, FlowView, NodeHandler, Reaction } from '../../flow/view.ts'
import { attempt, type UsedBefore, usedBefore } from '../../limits/attempt.ts'
import { otpValidateBuckets } from '../../limits/buckets.ts'
import type { JsonSchema } from '../../schema/json-schema.ts'
import { createChannelName } from '../../secrets/tokens.ts'
import { deviceTokenRequest, isDeviceTokenOffered } from '../../steps/trusted-device.ts'
import { hidesDelivery } from './hides-delivery.ts'
import { accountOfCode, unproven } from './otp-code.ts'
import { ask, type OtpKey } from './otp-questions.ts'

/** A code or link to send, and the effects of entering it. JSON. */
export interface OtpPlan {
  readonly purpose: OtpPurpose
  /** The normalised address. */
  readonly target: string
  readonly masked: string
  /** The possible channels; the client chooses if there are several. */
  readonly channels: readonly Channel[]
  readonly form: OtpForm
  readonly message: MessageKind
  /** `null` if the user is not known. */
  readonly user_id: string | null
  readonly is_deliverable: boolean
  readonly notice?: 'signup_taken'
  /** No code is accepted, because the address must not be verified. */
  readonly never?: true
  /** The `authentication` of the action, and of the error for a wrong code. */
  readonly authentication?: string
  /** The facts that the right code establishes. */
  readonly facts: readonly Fact[]
  readonly entered?: Partial<EnteredStep>
}

interface OtpNode extends FlowNode {
  readonly kind: 'otp'
  readonly plan: OtpPlan
  readonly channel: Channel
  readonly websocket_channel: string | null
}

interface ChannelNode extends FlowNode {
  readonly kind: 'otp_channel'
  readonly plan: OtpPlan
}

/** The channels of SMS, in the order in which they are shown. */
export function phoneChannels(config: LoadedAuthConfig): readonly Channel[] {
  const mode = config.authenticator.oob_otp.sms.phone_otp_mode
  return mode === 'whatsapp_sms' ? ['whatsapp', 'sms'] : [mode]
}

/** Sends the code and prompts for it; first prompts for the channel if there are several and none is given. */
export function* beginOtp(plan: OtpPlan, channel?: Channel): Asking<Reaction> {
  const [only, ...others] = plan.channels
  const chosen = channel ?? (others.length === 0 ? only : undefined)
  if (chosen === undefined) {
    const node: ChannelNode = { kind: 'otp_channel', plan }
    return { node }
  }
  const bytes = yield* ask('random', { size: 20 })
  const websocket = plan.form === 'link' ? createChannelName(() => bytes) : null
  const node: OtpNode = { kind: 'otp', plan, channel: chosen, websocket_channel: websocket }
  return { node, effects: [{ kind: 'send_otp', otp: requestOf(node) }] }
}

function requestOf({ plan, channel, websocket_channel }: OtpNode): OtpRequest {
  const { purpose, form, target, message, user_id, is_deliverable, notice } = plan
  const request = {
    purpose,
    channel,
    form,
    target,
    message,
    user_id,
    is_deliverable,
    websocket_channel,
  }
  return notice === undefined ? request : { ...request, notice }
}

function keyOf({ plan, channel }: OtpNode): OtpKey {
  const { purpose, target, form, message } = plan
  return { purpose, channel, target, form, message, account_id: accountOfCode(plan) }
}

const shownAuthentication = ({ authentication }: OtpPlan): { authentication?: string } =>
  authentication === undefined ? {} : { authentication }

/** Prompts for the channel of a code. */
const channelNode: NodeHandler<ChannelNode> = {
  kind: 'otp_channel',
  class: 'channel',
  *show({ plan }) {
    const { channels, masked } = plan
    const data = { type: 'select_oob_otp_channels_data', channels, masked_claim_value: masked }
    return { ...shownAuthentication(plan), data }
  },
  schema: ({ plan }) => ({
    type: 'object',
    required: ['channel'],
    properties: { channel: { type: 'string', enum: plan.channels } },
  }),
  *react({ plan }, input) {
    return yield* beginOtp(
      plan,
      plan.channels.find((channel) => channel === input.channel),
    )
  },
}

/** Prompts for the code that was sent, or for the approval of its link. */
const otpNode: NodeHandler<OtpNode> = {
  kind: 'otp',
  class: 'otp',
  *show(node, view) {
    const { plan, channel, websocket_channel } = node
    const { form, masked } = plan
    const status = yield* ask('otp_status', keyOf(node))
    const data: Record<string, Json> = {
      type: 'verify_oob_otp_data',
      channel,
      otp_form: form,
      ...(websocket_channel === null
        ? {}
        : { websocket_url: websocketUrl(view, websocket_channel) }),
      masked_claim_value: masked,
      code_length: form === 'link' ? 32 : 6,
      can_resend_at: formatInstant(status.can_resend_at),
      can_check: form === 'link' && status.is_approved && plan.never === undefined,
      failed_attempt_rate_limit_exceeded: status.is_revoked,
      delivery_status: hidesDelivery(view.config, plan) ? 'sent' : status.delivery,
      ...(status.is_unsent ? { is_unsent: true } : {}),
    }
    return { ...shownAuthentication(plan), data }
  },
  schema({ plan }, view) {
    const token: JsonSchema = isDeviceTokenOffered(view) ? { type: 'boolean' } : { const: false }
    const proof: JsonSchema =
      plan.form === 'code'
        ? {
            required: ['code'],
            properties: { code: { type: 'string' }, request_device_token: token },
          }
        : {
            required: ['check'],
            properties: { check: { const: true }, request_device_token: token },
          }
    const resend: JsonSchema = { required: ['resend'], properties: { resend: { const: true } } }
    return { oneOf: [resend, proof].map((schema) => ({ type: 'object', ...schema })) }
  },
  *react(node, input, view) {
    const { plan, channel } = node
    if (input.resend === true) {
      yield* ask('check_cooldown', keyOf(node))
      return { node, effects: [{ kind: 'send_otp', otp: requestOf(node) }] }
    }
    yield* checkProof(node, input, view)
    return {
      facts: plan.facts.map((fact) =>
        fact.kind === 'claim_verified' ? { ...fact, channel } : fact,
      ),
      ...(plan.entered === undefined ? {} : { entered: plan.entered }),
      ...deviceTokenRequest(view, input, plan.user_id),
    }
  },
}

/** The prompts for codes, used by every step that sends one. */
export const otpNodes: readonly NodeHandler[] = [channelNode as NodeHandler, otpNode as NodeHandler]

function* checkProof(node: OtpNode, input: FlowInput, view: FlowView): Asking<void> {
  const { plan, channel } = node
  const { purpose, user_id: userId, authentication } = plan
  const key = keyOf(node)
  const isFirst = plan.form === 'code' && (yield* ask('first_try', key))
  const { ip } = view.request
  const at = { ip, userId: userId ?? undefined, isFirst }
  const uses = otpValidateBuckets(view.config, { ...key, ...at })
  if (purpose === 'oob_otp' && userId !== null) {
    const type = `oob_otp_${channel === 'email' ? 'email' : 'sms'}`
    const level = authentication?.startsWith('secondary_') === true ? 'secondary' : 'primary'
    yield* attempt({
      user_id: userId,
      uses,
      method: 'oob_otp',
      ignoresLock: isFirst,
      type,
      event: `authentication.${level}.${type}.failed`,
      check: () => prove(node, input),
    })
    return
  }
  const spent = yield* ask('spend', { uses })
  const proven = yield* prove(node, input)
  if (proven !== undefined) {
    yield* ask('refund', { uses: spent, isProven: proven !== usedBefore })
  }
  if (proven !== true) throw unproven(key)
}

/** `undefined` if the code is wrong or the link was not approved. */
function* prove(node: OtpNode, input: FlowInput): Asking<true | UsedBefore | undefined> {
  const { form, never } = node.plan
  const key = keyOf(node)
  if (form === 'link') {
    if (never !== undefined) return undefined
    return (yield* ask('check_link', key)) ? true : undefined
  }
  const code = typeof input.code === 'string' ? input.code.trim() : ''
  const isConsumed = never === undefined
  const { outcome } = yield* ask('verify_otp', { ...key, code, consume: isConsumed })
  if (outcome === 'revoked') throw tooManyWrongCodes()
  if (outcome === 'used') return usedBefore
  return outcome === 'matches' && isConsumed ? true : undefined
}

/** Wrong codes have revoked a code. */
export const tooManyWrongCodes = (): GatehouseError =>
  authError('TooManyRequest', 'RateLimited', 'request rate limited', {
    bucket_name: 'TrackFailedOTPAttemptBucket',
  })

function websocketUrl({ config }: FlowView, channel: string): string {
  const { public_origin, base_path } = config.http
  const origin = public_origin.replace(/^http/, 'ws')
  return `${origin}${base_path}/api/v1/authentication_flows/ws?channel=${channel}`
}

/** RFC 3339, without fractions for whole seconds. */
export function formatInstant(instant: number): string {
  return new Date(instant).toISOString().replace('.000Z', 'Z')
}
