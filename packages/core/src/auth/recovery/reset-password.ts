import type { PlainStep } from '../config/flow-definition.ts'
import { stepNotFound } from '../errors.ts'
import { needAccount } from '../flow/account.ts'
import type { FlowNode } from '../flow/state.ts'
import type { NodeHandler, StepHandler } from '../flow/view.ts'
import {
  hashNewPassword,
  newPasswordOf,
  newPasswordSchema,
} from '../kinds/password/new-password.ts'
import { passwordPolicyData } from '../kinds/password/password-policy.ts'
import { notedDestination } from './recovery-destination.ts'

interface ResetPasswordNode extends FlowNode {
  readonly kind: 'reset_password'
}

/** The step that sets the new password of a recovered account. */
export const resetPasswordStep: StepHandler<PlainStep> = {
  type: 'reset_password',
  *enter(_step, view) {
    yield* needAccount(view)
    // Identification alone proves nothing.
    if (!view.state.facts.some(({ kind }) => kind === 'recovery_otp_used')) {
      throw stepNotFound('verify_account_recovery_code')
    }
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
  schema: () => newPasswordSchema,
  *react(_node, input, view) {
    const account = yield* needAccount(view)
    const hash = yield* hashNewPassword(view, newPasswordOf(input), { account, kind: 'primary' })
    const passwords = account.authenticators.filter(
      ({ type, kind }) => type === 'password' && kind === 'primary',
    )
    // A single password is changed; several are replaced with a new one.
    const [only, ...more] = passwords
    const id = more.length === 0 ? (only?.id ?? null) : null
    return { facts: [{ kind: 'password_changed', authenticator_id: id, hash, reason: 'recovery' }] }
  },
}
