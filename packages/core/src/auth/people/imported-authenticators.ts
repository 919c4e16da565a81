import type { Instant } from '../../time/clock.ts'
import type { Identified } from '../accounts/account.ts'
import type { AuthenticatorRecord } from '../accounts/authenticator-record.ts'
import type { AuthContext } from '../context.ts'
import { passkeyId } from '../kinds/passkey/passkey.ts'
import { readTarget, sealedSecret } from './add-authenticator.ts'
import type { DecodedPassword, DecodedUser } from './imported-user.ts'

/** A user who is about to be stored. */
export interface ImportedAbout {
  readonly userId: string
  readonly now: Instant
  /** When the user was created, perhaps in another system. */
  readonly createdAt: Instant
}

/**
 * The authenticators of an imported user. Password hashes stay as they are.
 *
 * @throws {GatehouseError} `ValidationFailed`
 */
export function importedAuthenticators(
  auth: AuthContext,
  { password, passkeys = [], mfa = {} }: DecodedUser,
  about: ImportedAbout,
): readonly Identified<AuthenticatorRecord>[] {
  const { userId, now } = about
  const base = { user_id: userId, created_at: now, updated_at: now }
  const made: Identified<AuthenticatorRecord>[] = []
  const add = (record: AuthenticatorRecord): void => {
    made.push({ ...record, id: auth.ids.random() })
  }
  if (password !== undefined) add(passwordOf(password, 'primary', about))
  if (mfa.password !== undefined) add(passwordOf(mfa.password, 'secondary', about))
  if (mfa.email !== undefined) {
    const target = readTarget(auth, 'oob_otp_email', mfa.email, '/mfa/email')
    add({ ...base, type: 'oob_otp_email', kind: 'secondary', target })
  }
  if (mfa.phone_number !== undefined) {
    const target = readTarget(auth, 'oob_otp_sms', mfa.phone_number, '/mfa/phone_number')
    add({ ...base, type: 'oob_otp_sms', kind: 'secondary', target })
  }
  if (mfa.totp !== undefined) {
    const { secret, display_name = `TOTP @ ${new Date(now).toISOString()}` } = mfa.totp
    const sealed_secret = sealedSecret(auth, secret, '/mfa/totp/secret')
    add({ ...base, type: 'totp', kind: 'secondary', sealed_secret, display_name, last_step: null })
  }
  for (const {
    display_name = `Passkey @ ${new Date(now).toISOString()}`,
    ...passkey
  } of passkeys) {
    const id = passkeyId(passkey.credential_id)
    made.push({ ...base, ...passkey, id, type: 'passkey', kind: 'primary', display_name })
  }
  return made
}

function passwordOf(
  { password_hash: hash, set_at, expire_after: end }: DecodedPassword,
  kind: AuthenticatorRecord['kind'],
  { userId, now }: ImportedAbout,
): AuthenticatorRecord {
  const at = set_at ?? now
  const expire_after = end ?? null
  return {
    type: 'password',
    kind,
    user_id: userId,
    created_at: at,
    updated_at: at,
    hash,
    expire_after,
  }
}
