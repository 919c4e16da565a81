import type { Account } from '../accounts/account.ts'
import type { AuthContext } from '../context.ts'
import { policyViolated } from '../kinds/password/new-password.ts'
import { passwordOf } from '../kinds/password/password-of.ts'
import { checkPassword, leakedCause, needsStrength } from '../kinds/password/password-policy.ts'

/**
 * Checks a password against the policy and hashes it.
 *
 * @throws {GatehouseError} `PasswordPolicyViolated`
 */
export async function hashChecked(auth: AuthContext, password: string): Promise<string> {
  const { policy } = auth.config.current.authenticator.password
  const strength = needsStrength(policy) ? await auth.passwordStrength?.(password) : undefined
  const causes = checkPassword(policy, password, strength === undefined ? {} : { strength })
  if (causes.length > 0) throw policyViolated(causes)
  if (await auth.isLeaked?.(password)) throw policyViolated([leakedCause])
  return auth.hasher.hash(password)
}

/**
 * Refuses a password that the user also has as the other kind: one secret is one factor.
 *
 * @throws {GatehouseError} `PasswordPolicyViolated`
 */
export async function checkOther(
  { hasher }: AuthContext,
  password: string,
  { account, kind }: { readonly account: Account; readonly kind: 'primary' | 'secondary' },
): Promise<void> {
  const other = passwordOf(account, kind === 'primary' ? 'secondary' : 'primary')
  if (other === undefined || !(await hasher.verify(password, other.hash))) return
  throw policyViolated([{ Name: 'PasswordReused' }])
}
