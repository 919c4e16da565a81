import type { ChangePasswordStep } from '../../config/flow-definition.ts'
import { changePasswordFailed, invalidTargetStep } from '../../errors.ts'
import { needAccount } from '../../flow/account.ts'
import type { FlowNode } from '../../flow/state.ts'
import { targetStep } from '../../flow/target-step.ts'
import type { NodeHandler, StepHandler } from '../../flow/view.ts'
import { hashNewPassword, newPasswordOf, newPasswordSchema } from './new-password.ts'
import { type ChangeReason, notedReason } from './password-change.ts'
import { passwordPolicyData } from './password-policy.ts'
import { ask } from './password-questions.ts'

interface ChangePasswordNode extends FlowNode {
  readonly kind: 'change_password'
  readonly authenticator_id: string
  /** `user`: the user wants to change it. */
  readonly reason: ChangeReason | 'user'
}

/** The step that replaces a password which must not be used any more; in a change of one's own account, any password. */
export const changePasswordStep: StepHandler<ChangePasswordStep> = {
  type: 'change_password',
  *enter(step, view) {
    const target = targetStep(view, step.target_step)
    if (target.type !== 'authenticate') throw invalidTargetStep(step.target_step)
    const { authenticator_id: id } = target
    const isWanted = view.state.type === 'account'
    if (id === undefined) {
      if (isWanted) throw changePasswordFailed('NoPassword')
      return 'skip'
    }
    const reason = isWanted ? 'user' : notedReason(view, id)
    if (reason === undefined) return 'skip'
    const node: ChangePasswordNode = { kind: 'change_password', authenticator_id: id, reason }
    return { node }
  },
}

/** The prompt of the step. */
export const changePasswordNode: NodeHandler<ChangePasswordNode> = {
  kind: 'change_password',
  class: 'password',
  *show({ reason }, { config }) {
    const policy = passwordPolicyData(config.authenticator.password.policy)
    const forced = reason === 'user' ? {} : { force_change_reason: reason }
    return { data: { type: 'new_password_data', password_policy: policy, ...forced } }
  },
  schema: () => newPasswordSchema,
  *react({ authenticator_id: id, reason }, input, view) {
    const password = newPasswordOf(input)
    const account = yield* needAccount(view)
    const stored = account.authenticators.find((one) => one.id === id)
    const kind = stored?.kind ?? 'primary'
    const hash = yield* hashNewPassword(view, password, { account, kind })
    const { matches } = yield* ask('verify_password', {
      password,
      hash: stored?.type === 'password' ? stored.hash : undefined,
      user_id: account.user.id,
    })
    if (matches) {
      throw changePasswordFailed('PasswordReused')
    }
    return { facts: [{ kind: 'password_changed', authenticator_id: id, hash, reason }] }
  },
}
