import type { GatehouseError } from '../../../errors.ts'
import type { Account } from '../../accounts/account.ts'
import { authError } from '../../errors.ts'
import { isUserUnknown } from '../../flow/account.ts'
import type { Asking } from '../../flow/asking.ts'
import type { FlowInput, FlowView } from '../../flow/view.ts'
import type { JsonSchema } from '../../schema/json-schema.ts'
import { isPassword, passwordOf } from './password-of.ts'
import {
  checkPassword,
  leakedCause,
  needsHistory,
  needsStrength,
  type PolicyCause,
} from './password-policy.ts'
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

/** The refusal of a new password. */
export const policyViolated = (causes: readonly PolicyCause[]): GatehouseError =>
  authError('Invalid', 'PasswordPolicyViolated', 'password policy violated', { causes })

/** The user whose password it is, and which of the two. */
interface NewPasswordOf {
  readonly account: Account
  readonly kind: 'primary' | 'secondary'
}

/**
 * Checks a new password of a user and hashes it. The first and the second password must differ: one secret is one factor.
 *
 * @throws {GatehouseError} `PasswordPolicyViolated`, with all violations of the policy.
 */
export function* hashNewPassword(
  view: FlowView,
  password: string,
  { account, kind }: NewPasswordOf,
): Asking<string> {
  const userId = account.user.id
  const { policy } = view.config.authenticator.password
  const strength = needsStrength(policy) ? yield* ask('password_strength', { password }) : undefined
  const isReused =
    needsHistory(policy) && !isUserUnknown(view.state.facts)
      ? yield* ask('password_history', {
          user_id: userId,
          password,
          size: policy.history_size,
          days: policy.history_days,
        })
      : false
  const other = passwordOf(account, kind === 'primary' ? 'secondary' : 'primary')
  const isOther = other !== undefined && (yield* isPassword(password, other))
  const causes = checkPassword(policy, password, {
    isReused,
    isOther,
    ...(strength === undefined ? {} : { strength }),
  })
  if (causes.length > 0) throw policyViolated(causes)
  // Only what would be accepted is worth a question to another service.
  if (yield* ask('password_leaked', { password })) throw policyViolated([leakedCause])
  return yield* ask('hash_password', { password })
}
