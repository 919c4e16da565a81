import {
  anyText,
  decodeInput,
  exactly,
  type Fields,
  flag,
  json,
  listOf,
  oneOf,
  optional,
  rawText,
  recordOf,
} from '../../input/decode.ts'
import { instant } from '../../input/instant.ts'
import type { AuthContext } from '../context.ts'
import { validationFailed } from '../errors.ts'
import { passkeyInput } from './add-authenticator.ts'
import { hashChecked } from './hash-checked.ts'
import { storeNewUser } from './import-users.ts'
import {
  type DecodedPassword,
  type DecodedUser,
  hashesProblems,
  hashTypes,
  type ImportedUser,
  idProblems,
} from './imported-user.ts'
import { importedIdentity } from './read-identity.ts'

/** A user for the host to create; the password is in clear text, or a hash from another system. */
export interface NewUser extends Omit<ImportedUser, 'password'> {
  readonly password?: string | ImportedUser['password']
}

type Decoded = Omit<DecodedUser, 'password'> & {
  readonly password?: string | DecodedUser['password']
}

const passwordFields: Fields<DecodedPassword> = {
  type: oneOf(hashTypes),
  password_hash: rawText,
  set_at: optional(instant),
  expire_after: optional(instant),
}
const passwordHash = exactly<DecodedPassword>(passwordFields)

const newUser = exactly<Decoded>({
  id: optional(rawText),
  created_at: optional(instant),
  last_login_at: optional(instant),
  email: optional(rawText),
  email_verified: optional(flag),
  phone_number: optional(rawText),
  phone_number_verified: optional(flag),
  preferred_username: optional(rawText),
  identities: optional(listOf(importedIdentity)),
  password: optional((value) => (typeof value === 'string' ? value : passwordHash(value))),
  passkeys: optional(listOf(passkeyInput)),
  mfa: optional(
    exactly<NonNullable<DecodedUser['mfa']>>({
      email: optional(rawText),
      phone_number: optional(rawText),
      password: optional(passwordHash),
      totp: optional(
        exactly<{ secret: string; display_name?: string }>({
          secret: rawText,
          display_name: optional(anyText),
        }),
      ),
      recovery_codes: optional(listOf(rawText)),
    }),
  ),
  disabled: optional(flag),
  disable_reason: optional(anyText),
  account_valid_from: optional(instant),
  account_valid_until: optional(instant),
  standard_attributes: optional(recordOf(json)),
  custom_attributes: optional(recordOf(json)),
})

/**
 * Creates a user. Returns the id.
 *
 * @throws {GatehouseError} `InvalidInput`; `ValidationFailed`; `PasswordPolicyViolated`; `InvariantViolated` if a login ID, a
 * passkey or the id is taken.
 * @example
 * const id = await createUser(auth, { email: 'maya@example.com', email_verified: true })
 */
export async function createUser(auth: AuthContext, given: NewUser): Promise<string> {
  const { password, ...rest } = decodeInput('user', newUser, given)
  const user: DecodedUser = typeof password === 'object' ? { ...rest, password } : rest
  const problems = [...idProblems(user), ...hashesProblems(user)]
  if (problems.length > 0) throw validationFailed(problems)
  if (typeof password !== 'string') return storeNewUser(auth, user)
  const hash = await hashChecked(auth, password)
  return storeNewUser(auth, { ...user, password: { type: 'scrypt', password_hash: hash } })
}
