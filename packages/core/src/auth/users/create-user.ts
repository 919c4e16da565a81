import type { AuthContext } from '../context.ts'
import { authError } from '../errors.ts'
import { checkPassword, needsStrength } from '../passwords/password-policy.ts'
import { type ImportedUser, storeNewUser } from './import-users.ts'

/** A user that the host makes. The password comes as it is. */
export interface NewUser extends Omit<ImportedUser, 'password' | 'mfa'> {
  readonly password?: string
}

/**
 * Makes a user, and answers the id.
 *
 * @throws {GatehouseError} `ValidationFailed`; `PasswordPolicyViolated`; `InvariantViolated` if a login ID is taken.
 */
export async function createUser(
  auth: AuthContext,
  { password, ...user }: NewUser,
): Promise<string> {
  if (password === undefined) return storeNewUser(auth, user)
  const hash = await hashChecked(auth, password)
  return storeNewUser(auth, { ...user, password: { type: 'scrypt', password_hash: hash } })
}

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
