import { needAccount } from '../account.ts'
import { passwordOf } from '../authenticators/password.ts'
import type { PlainStep } from '../flow-definition.ts'
import type { FlowNode } from '../flow-state.ts'
import type { NodeHandler, StepHandler } from '../flow-view.ts'
import { hashNewPassword } from '../new-password.ts'
import { passwordPolicyData } from '../password-policy.ts'
import { notedDestination } from '../recovery-destination.ts'

interface ResetPasswordNode extends FlowNode {
  readonly kind: 'reset_password'
}

/** The step in which an account that was recovered gets a new password. */
export const resetPasswordStep: StepHandler<PlainStep> = {
  type: 'reset_password',
  *enter(_step, view) {
    yield* needAccount(view)
    const node: ResetPasswordNode = { kind: 'reset_password' }
    return { node }
  },
}

/** The prompt of the step. */
export const resetPasswordNode: NodeHandler<ResetPasswordNode> = {
  kind: 'reset_password',
  class: 'password',
  *show(_node, view) {
    const policy = passwordPolicyData(view.config.authenticator.password.policy)
    const masked = notedDestination(view)?.masked
    const target = masked === undefined ? {} : { masked_target: masked }
    return { data: { type: 'new_password_data', password_policy: policy, ...target } }
  },
  schema: () => ({
    type: 'object',
    required: ['new_password'],
    properties: { new_password: { type: 'string' } },
  }),
  *react(_node, input, view) {
    const password = typeof input.new_password === 'string' ? input.new_password : ''
    const account = yield* needAccount(view)
    const hash = yield* hashNewPassword(view, password, account.user.id)
    const id = passwordOf(account, 'primary')?.id ?? null
    return { facts: [{ kind: 'password_changed', authenticator_id: id, hash, reason: 'recovery' }] }
  },
}
