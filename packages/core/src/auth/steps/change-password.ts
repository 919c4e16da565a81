import { needAccount } from '../account.ts'
import { authError, invalidTargetStep } from '../errors.ts'
import type { ChangePasswordStep } from '../flow-definition.ts'
import type { FlowNode } from '../flow-state.ts'
import type { NodeHandler, StepHandler } from '../flow-view.ts'
import { hashNewPassword } from '../new-password.ts'
import { type ChangeReason, notedReason } from '../password-change.ts'
import { passwordPolicyData } from '../password-policy.ts'
import { ask } from '../questions.ts'
import { targetStep } from '../target-step.ts'

interface ChangePasswordNode extends FlowNode {
  readonly kind: 'change_password'
  readonly authenticator_id: string
  readonly reason: ChangeReason
}

/** The step in which a password is changed that must not be used on. */
export const changePasswordStep: StepHandler<ChangePasswordStep> = {
  type: 'change_password',
  *enter(step, view) {
    const target = targetStep(view, step.target_step)
    if (target.type !== 'authenticate') throw invalidTargetStep(step.target_step)
    const { authenticator_id: id } = target
    const reason = id === undefined ? undefined : notedReason(view, id)
    if (id === undefined || reason === undefined) return 'skip'
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
    return {
      data: { type: 'new_password_data', password_policy: policy, force_change_reason: reason },
    }
  },
  schema: () => ({
    type: 'object',
    required: ['new_password'],
    properties: { new_password: { type: 'string' } },
  }),
  *react({ authenticator_id: id, reason }, input, view) {
    const password = typeof input.new_password === 'string' ? input.new_password : ''
    const account = yield* needAccount(view)
    const hash = yield* hashNewPassword(view, password, account.user.id)
    const stored = account.authenticators.find((one) => one.id === id)
    const { matches } = yield* ask('verify_password', {
      password,
      hash: stored?.type === 'password' ? stored.hash : undefined,
    })
    if (matches) {
      throw authError('Invalid', 'ChangePasswordFailed', 'the password is the one in use', {
        cause: { kind: 'PasswordReused' },
      })
    }
    return { facts: [{ kind: 'password_changed', authenticator_id: id, hash, reason }] }
  },
}
