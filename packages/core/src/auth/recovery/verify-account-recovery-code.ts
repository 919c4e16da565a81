import type { GatehouseError } from '../../errors.ts'
import type { PlainStep } from '../config/flow-definition.ts'
import { authError, stepNotFound } from '../errors.ts'
import { accountOf, isUserUnknown, needAccount } from '../flow/account.ts'
import { isUnproven } from '../flow/session/first-proof.ts'
import type { Effect, Fact, FlowNode } from '../flow/state.ts'
import type { FlowView, NodeHandler, StepHandler } from '../flow/view.ts'
import { formatInstant, tooManyWrongCodes } from '../kinds/oob-otp/otp-prompt.ts'
import { ask, type OtpKey } from '../kinds/oob-otp/otp-questions.ts'
import { otpValidateBuckets } from '../limits/buckets.ts'
import {
  claimOfChannel,
  isAddressOf,
  notedDestination,
  type RecoveryDestination,
} from './recovery-destination.ts'

/** The prompt for the code of an account recovery. */
export interface RecoveryCodeNode extends FlowNode {
  readonly kind: 'verify_account_recovery_code'
  readonly user_id: string
  readonly destination: RecoveryDestination
}

/** A target that receives no messages and has no codes. */
const nowhere = (userId: string): string => `nowhere:${userId}`

/** The step that verifies the code of an account recovery. */
export const verifyRecoveryCodeStep: StepHandler<PlainStep> = {
  type: 'verify_account_recovery_code',
  *enter(_step, view) {
    const destination = notedDestination(view)
    if (destination === undefined) throw stepNotFound('select_destination')
    const { user } = yield* needAccount(view)
    const node: RecoveryCodeNode = {
      kind: 'verify_account_recovery_code',
      user_id: user.id,
      destination,
    }
    return { node, effects: [sendCode(node, view)] }
  },
}

function targetOf({ destination, user_id }: RecoveryCodeNode): string {
  return destination.target ?? nowhere(user_id)
}

function keyOf(node: RecoveryCodeNode): OtpKey {
  const { channel, form } = node.destination
  return {
    purpose: 'forgot_password',
    channel,
    target: targetOf(node),
    form,
    message: 'forgot_password',
    account_id: node.user_id,
  }
}

function sendCode(node: RecoveryCodeNode, { state }: FlowView): Effect {
  const { channel, form, target } = node.destination
  return {
    kind: 'send_otp',
    otp: {
      purpose: 'forgot_password',
      channel,
      form,
      target: targetOf(node),
      message: 'forgot_password',
      user_id: node.user_id,
      is_deliverable: target !== null && !isUserUnknown(state.facts),
      websocket_channel: null,
    },
  }
}

/** The prompt of the step. */
export const verifyRecoveryCodeNode: NodeHandler<RecoveryCodeNode> = {
  kind: 'verify_account_recovery_code',
  class: 'otp',
  *show(node) {
    const { channel, form, masked } = node.destination
    const status = yield* ask('otp_status', keyOf(node))
    return {
      data: {
        type: 'account_recovery_verify_code_data',
        masked_display_name: masked,
        channel,
        otp_form: form,
        code_length: form === 'link' ? 32 : 6,
        can_resend_at: formatInstant(status.can_resend_at),
        failed_attempt_rate_limit_exceeded: status.is_revoked,
        ...(status.is_unsent ? { is_unsent: true } : {}),
      },
    }
  },
  schema: () => ({
    oneOf: [
      { type: 'object', required: ['resend'], properties: { resend: { const: true } } },
      {
        type: 'object',
        required: ['account_recovery_code'],
        properties: { account_recovery_code: { type: 'string' } },
      },
    ],
  }),
  *react(node, input, view) {
    const { channel, form } = node.destination
    const key = keyOf(node)
    const { target } = key
    if (input.resend === true) {
      yield* ask('check_cooldown', key)
      return { node, effects: [sendCode(node, view)] }
    }
    const typed = input.account_recovery_code
    const code = typeof typed === 'string' ? typed.trim() : ''
    const isReachable = node.destination.target !== null && !isUserUnknown(view.state.facts)
    const userId = isReachable ? node.user_id : undefined
    const isFirst = form === 'code' && (yield* ask('first_try', key))
    const { ip } = view.request
    const uses = otpValidateBuckets(view.config, { ...key, ip, userId, isFirst })
    const spent = yield* ask('spend', { uses })
    const given = { ...key, code, consume: false }
    const { outcome, code_id: codeId } = yield* ask('verify_otp', given)
    if (outcome === 'revoked') throw tooManyWrongCodes()
    if (outcome === 'used') yield* ask('refund', { uses: spent })
    if (outcome !== 'matches' || codeId === null || userId === undefined) {
      throw resetFailed(outcome === 'used' ? 'UsedCode' : 'InvalidCode', form)
    }
    const account = yield* accountOf(view)
    if (account === undefined || !isAddressOf(account, { channel, target }))
      throw resetFailed('InvalidCode', form)
    yield* ask('refund', { uses: spent, isProven: true })
    const name = claimOfChannel(channel)
    const isFirstProof = account.identities.some(
      (one) => one[name] === target && isUnproven(one, account, view.config),
    )
    const proof: readonly Fact[] = isFirstProof
      ? [{ kind: 'claim_verified', name, value: target, channel }]
      : []
    return {
      facts: [{ kind: 'recovery_otp_used', channel, target, form, code_id: codeId }, ...proof],
    }
  },
}

/** The code of an account recovery is wrong, or was used. */
export function resetFailed(
  cause: 'InvalidCode' | 'UsedCode',
  form: 'code' | 'link',
): GatehouseError {
  const message = cause === 'UsedCode' ? 'used code' : 'invalid code'
  return authError('Invalid', 'PasswordResetFailed', message, {
    cause: { kind: cause },
    otp_form: form,
  })
}
