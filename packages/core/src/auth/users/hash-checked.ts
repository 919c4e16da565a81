import type { AuthContext } from '../context.ts'
import { authError } from '../errors.ts'
import { checkPassword, needsStrength } from '../kinds/password/password-policy.ts'

/**
 * Checks a password against the policy and hashes it.
 *
 * @throws {GatehouseError} `PasswordPolicyViolated`
 */
export async function hashChecked(auth: AuthContext, password: string): Promise<string> {
  const { policy } = auth.config.current.authenticator.password
  const strength = needsStrength(policy) ? await auth.passwordStrength?.(password) : undefined
  const causes = checkPassword(policy, password, strength === undefined ? {} : { strength })
  if (causes.length === 0) return auth.hasher.hash(password)
  throw authError('Invalid', 'PasswordPolicyViolated', 'password policy violated', { causes })
}
