import {
  decodeInput,
  exactly,
  flag,
  json,
  optional,
  rawText,
  recordOf,
} from '../../input/decode.ts'
import { instant } from '../../input/instant.ts'
import type { AuthContext } from '../context.ts'
import { authError } from '../errors.ts'
import { checkPassword, needsStrength } from '../kinds/password/password-policy.ts'
import { type ImportedUser, storeNewUser } from './import-users.ts'
import type { DecodedUser } from './imported-user.ts'

/** A user for the host to create, with a clear-text password. */
export interface NewUser extends Omit<ImportedUser, 'password' | 'mfa'> {
  readonly password?: string
}

type Decoded = Omit<DecodedUser, 'password' | 'mfa'> & Pick<NewUser, 'password'>

const newUser = exactly<Decoded>({
  email: optional(rawText),
  email_verified: optional(flag),
  phone_number: optional(rawText),
  phone_number_verified: optional(flag),
  preferred_username: optional(rawText),
  password: optional(rawText),
  disabled: optional(flag),
  account_valid_from: optional(instant),
  account_valid_until: optional(instant),
  standard_attributes: optional(recordOf(json)),
  custom_attributes: optional(recordOf(json)),
})

/**
 * Creates a user. Returns the id.
 *
 * @throws {GatehouseError} `InvalidInput`; `ValidationFailed`; `PasswordPolicyViolated`; `InvariantViolated` if a login ID is
 * taken.
 * @example
 * const id = await createUser(auth, { email: 'maya@example.com', email_verified: true })
 */
export async function createUser(auth: AuthContext, given: NewUser): Promise<string> {
  const { password, ...user } = decodeInput('user', newUser, given)
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
