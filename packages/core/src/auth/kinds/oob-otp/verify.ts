import type { VerifyStep } from '../../config/flow-definition.ts'
import { invalidTargetStep } from '../../errors.ts'
import { isVerified, needAccount } from '../../flow/account.ts'
import { provableClaim } from '../../flow/session/first-proof.ts'
import { isLinked } from '../../flow/suspended-sign-up.ts'
import { targetStep, wasEntered } from '../../flow/target-step.ts'
import type { StepHandler } from '../../flow/view.ts'
import { maskLoginId } from '../../login-ids/mask.ts'
import { beginOtp, phoneChannels } from './otp-prompt.ts'

/** The step that verifies an address before it is stored with a user. */
export const verifyStep: StepHandler<VerifyStep> = {
  type: 'verify',
  *enter(step, view) {
    const { config, state } = view
    const account = yield* needAccount(view)
    // An existing user has not been through every step.
    const isGiven = step.identity_id !== undefined
    if (!isGiven && isLinked(state) && !wasEntered(view, step.target_step)) return 'skip'
    const { identity_id: identityId, identification } = isGiven
      ? { identity_id: step.identity_id, identification: undefined }
      : targetStep(view, step.target_step)
    const identity = account.identities.find(({ id }) => id === identityId)
    const claim = identity && provableClaim(identity)
    if (claim === undefined) {
      // Only a user name never has an address; a provider account, a token or a custom identity may have one.
      if (identity !== undefined && identification !== 'username') return 'skip'
      throw invalidTargetStep(step.target_step)
    }
    const { name, value: target } = claim
    if (!config.verification.claims[name].enabled || isVerified(account, name, target))
      return 'skip'
    const type = name === 'email' ? 'email' : 'phone'
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
