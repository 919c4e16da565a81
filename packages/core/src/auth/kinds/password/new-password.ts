import { authError } from '../../errors.ts'
import { isUserUnknown } from '../../flow/account.ts'
import type { Asking } from '../../flow/asking.ts'
import type { FlowInput, FlowView } from '../../flow/view.ts'
import type { JsonSchema } from '../../schema/json-schema.ts'
import { checkPassword, needsHistory, needsStrength } from './password-policy.ts'
import { ask } from './password-questions.ts'

/** The schema of an input with a new password. */
export const newPasswordSchema: JsonSchema = {
  type: 'object',
  required: ['new_password'],
  properties: { new_password: { type: 'string' } },
}

/** The new password of an input that fits {@link newPasswordSchema}. */
export function newPasswordOf({ new_password: password }: FlowInput): string {
  return typeof password === 'string' ? password : ''
}

/**
 * Checks a new password of a user and hashes it.
 *
 * @throws {GatehouseError} `PasswordPolicyViolated`, with all violations of the policy.
 */
export function* hashNewPassword(
  view: FlowView,
  password: string,
  userId: string | undefined,
): Asking<string> {
  const { policy } = view.config.authenticator.password
  const strength = needsStrength(policy) ? yield* ask('password_strength', { password }) : undefined
  const isReused =
    userId !== undefined && needsHistory(policy) && !isUserUnknown(view.state.facts)
      ? yield* ask('password_history', {
          user_id: userId,
          password,
          size: policy.history_size,
          days: policy.history_days,
        })
      : false
  const causes = checkPassword(policy, password, {
    isReused,
    ...(strength === undefined ? {} : { strength }),
  })
  if (causes.length > 0) {
    throw authError('Invalid', 'PasswordPolicyViolated', 'password policy violated', { causes })
  }
  return yield* ask('hash_password', { password })
}
