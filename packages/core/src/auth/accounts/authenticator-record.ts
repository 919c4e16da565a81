import { defineCollection, type TypedCollection } from '../../storage/collection.ts'
import {
  anything,
  flag,
  instant,
  listOf,
  nullable,
  number,
  objectOf,
  oneOf,
  type RecordCheck,
  type RecordFields,
  text,
  variantsOf,
} from '../../storage/record-check.ts'
import type { Json } from '../../storage/storage.ts'
import type { Instant } from '../../time/clock.ts'
import type { StoredPasskey } from '../webauthn/passkeys.ts'

interface AuthenticatorBase {
  readonly user_id: string
  readonly kind: 'primary' | 'secondary'
  readonly created_at: Instant
  readonly updated_at: Instant
}

export interface PasswordAuthenticator extends AuthenticatorBase {
  readonly type: 'password'
  /** Includes the algorithm and its parameters. */
  readonly hash: string
  readonly expire_after: Instant | null
}

export interface OobOtpAuthenticator extends AuthenticatorBase {
  readonly type: 'oob_otp_email' | 'oob_otp_sms'
  /** The normalised address. */
  readonly target: string
}

export interface TotpAuthenticator extends AuthenticatorBase {
  readonly type: 'totp'
  /** The Base32 secret, sealed under the host's key. */
  readonly sealed_secret: string
  readonly display_name: string
  /** The time step of the last accepted code; codes up to it are refused. */
  readonly last_step: number | null
}

/** A passkey. Its id is derived from the credential's id, so that a credential belongs to one user only. */
export interface PasskeyAuthenticator extends AuthenticatorBase, StoredPasskey {
  readonly type: 'passkey'
  readonly display_name: string
}

/** An authenticator of a custom kind. */
export interface CustomAuthenticator extends AuthenticatorBase {
  readonly type: 'custom'
  /** The name of the kind. */
  readonly authentication: string
  readonly data: Json
}

/** An authenticator of a user. */
export type AuthenticatorRecord =
  | PasswordAuthenticator
  | OobOtpAuthenticator
  | TotpAuthenticator
  | PasskeyAuthenticator
  | CustomAuthenticator

type OfAnyAuthenticator = 'type' | 'user_id' | 'kind' | 'created_at' | 'updated_at'

const ofAnyAuthenticator: RecordFields<Pick<AuthenticatorRecord, OfAnyAuthenticator>> = {
  type: text,
  user_id: text,
  kind: oneOf(['primary', 'secondary']),
  created_at: instant,
  updated_at: instant,
}

const oobOtp = objectOf<OobOtpAuthenticator>({ ...ofAnyAuthenticator, target: text })

/** Checks a stored authenticator. */
const authenticatorCheck: RecordCheck = variantsOf<AuthenticatorRecord['type']>({
  password: objectOf<PasswordAuthenticator>({
    ...ofAnyAuthenticator,
    hash: text,
    expire_after: nullable(instant),
  }),
  oob_otp_email: oobOtp,
  oob_otp_sms: oobOtp,
  totp: objectOf<TotpAuthenticator>({
    ...ofAnyAuthenticator,
    sealed_secret: text,
    display_name: text,
    last_step: nullable(number),
  }),
  passkey: objectOf<PasskeyAuthenticator>({
    ...ofAnyAuthenticator,
    display_name: text,
    credential_id: text,
    public_key: text,
    sign_count: number,
    transports: listOf(text),
    aaguid: text,
    is_backed_up: flag,
  }),
  custom: objectOf<CustomAuthenticator>({
    ...ofAnyAuthenticator,
    authentication: text,
    data: anything,
  }),
})

/** Authenticators by their id. */
export const authenticatorCollection: TypedCollection<AuthenticatorRecord> = defineCollection({
  name: 'auth_authenticators',
  fields: { user_id: 'text' },
  check: authenticatorCheck,
})
