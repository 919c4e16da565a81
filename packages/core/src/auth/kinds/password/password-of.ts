import type { Account, Identified } from '../../accounts/account.ts'
import type { PasswordAuthenticator } from '../../accounts/authenticator-record.ts'
import type { Asking } from '../../flow/asking.ts'
import { ask } from './password-questions.ts'

/** The password of an account of this kind; the first one if there are several. */
export function passwordOf(
  account: Account,
  kind: 'primary' | 'secondary',
): Identified<PasswordAuthenticator> | undefined {
  for (const authenticator of account.authenticators) {
    if (authenticator.type === 'password' && authenticator.kind === kind) return authenticator
  }
  return undefined
}

/** Whether a stored password has this text. */
export function* isPassword(
  password: string,
  { hash, user_id }: PasswordAuthenticator,
): Asking<boolean> {
  const { matches } = yield* ask('verify_password', { password, hash, user_id })
  return matches
}
