import { isVerified, needAccount } from '../account.ts'
import { invalidTargetStep } from '../errors.ts'
import type { VerifyStep } from '../flow-definition.ts'
import type { StepHandler } from '../flow-view.ts'
import { maskLoginId } from '../identifications/login-id.ts'
import { beginOtp, phoneChannels } from '../otp-prompt.ts'
import { targetStep } from '../target-step.ts'

/** The step in which an address is proven before it becomes somebody's. */
export const verifyStep: StepHandler<VerifyStep> = {
  type: 'verify',
  *enter(step, view) {
    const { config, state } = view
    const account = yield* needAccount(view)
    const { identity_id: identityId } = targetStep(view, step.target_step)
    const identity = account.identities.find(({ id }) => id === identityId)
    if (identity?.type !== 'login_id' || identity.login_id_type === 'username') {
      throw invalidTargetStep(step.target_step)
    }
    const { login_id_type: type, normalized: target } = identity
    const name = type === 'email' ? 'email' : 'phone_number'
    if (!config.verification.claims[name].enabled || isVerified(account, name, target))
      return 'skip'
    const isTaken = state.facts.some(
      (fact) =>
        fact.kind === 'identity_created' &&
        fact.identity.id === identityId &&
        fact.is_taken === true,
    )
    return yield* beginOtp({
      purpose: 'verification',
      target,
      masked: maskLoginId(type, target),
      channels: type === 'email' ? ['email'] : phoneChannels(config),
      form: type === 'email' ? config.verification.claims.email.otp_form : 'code',
      message: 'verification',
      user_id: account.user.id,
      is_deliverable: !isTaken,
      facts: [{ kind: 'claim_verified', name, value: target, channel: null }],
      ...(isTaken ? { never: true, notice: 'signup_taken' } : {}),
    })
  },
}
