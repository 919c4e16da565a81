import type { Json } from '../../storage/storage.ts'
import type { Instant } from '../../time/clock.ts'
import type { OAuthProviderType } from '../oauth-client/oauth-provider.ts'
import type { StoredPasskey } from '../webauthn/passkeys.ts'

/** Attributes of a user by name, as OpenID Connect names them; custom ones start with `x_`. */
export type Attributes = { readonly [name: string]: Json }

/** A user. The id is a UUID. */
export interface UserRecord {
  readonly created_at: Instant
  readonly updated_at: Instant
  readonly last_login_at: Instant | null
  readonly is_disabled: boolean
  readonly disable_reason: string | null
  /** From then on the user counts as deleted; who asked for it. */
  readonly delete_at: Instant | null
  readonly delete_by: 'admin' | 'user' | null
  readonly is_anonymized: boolean
  readonly anonymize_at: Instant | null
  readonly account_valid_from: Instant | null
  readonly account_valid_until: Instant | null
  /** Until then a missing second factor may be set up at sign-in. */
  readonly mfa_grace_end: Instant | null
  /** Wants not to be asked any more whether to make a passkey. */
  readonly opt_out_passkey: boolean
  readonly standard_attributes: Attributes
  readonly custom_attributes: Attributes
}

/** What identities are looked up by beside their own key. */
export type ClaimName = 'email' | 'phone_number' | 'preferred_username'

/** A claim with its value. */
export interface ClaimValue {
  readonly claim: ClaimName
  readonly value: string
}

interface IdentityBase {
  readonly user_id: string
  readonly created_at: Instant
  /** The claims it asserts, as far as it asserts them; each is a declared field. */
  readonly email?: string
  readonly phone_number?: string
  readonly preferred_username?: string
}

/** An address or name that somebody signs in with. */
export interface LoginIdIdentity extends IdentityBase {
  readonly type: 'login_id'
  readonly login_id_type: 'email' | 'phone' | 'username'
  /** The key of the configuration it belongs to. */
  readonly login_id_key: string
  /** As typed, trimmed. */
  readonly original: string
  readonly normalized: string
  readonly unique_key: string
}

/** An account of an identity provider. */
export interface OAuthIdentity extends IdentityBase {
  readonly type: 'oauth'
  readonly provider_type: OAuthProviderType
  readonly provider_alias: string
  /** The provider's name for its user. */
  readonly subject: string
  readonly unique_key: string
  /** Standard claims as of the last sign-in; none where the configuration keeps none. */
  readonly claims: Attributes
}

/** What somebody has who has not said who they are. */
export interface AnonymousIdentity extends IdentityBase {
  readonly type: 'anonymous'
  readonly unique_key: string
}

/** An identity of a kind that the host has passed in. */
export interface CustomIdentity extends IdentityBase {
  readonly type: 'custom'
  /** The name of the kind. */
  readonly identification: string
  readonly unique_key: string
  readonly data: Json
}

/** An identity of a user. `unique_key` is what no other of its kind has. */
export type IdentityRecord = LoginIdIdentity | OAuthIdentity | AnonymousIdentity | CustomIdentity

interface AuthenticatorBase {
  readonly user_id: string
  readonly kind: 'primary' | 'secondary'
  readonly created_at: Instant
  readonly updated_at: Instant
}

export interface PasswordAuthenticator extends AuthenticatorBase {
  readonly type: 'password'
  /** Self-describing. */
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
  /** The time step of the last accepted code: none up to it is accepted again. */
  readonly last_step: number | null
}

/** A passkey. Its id is made of the credential's, so that no credential is anybody else's too. */
export interface PasskeyAuthenticator extends AuthenticatorBase, StoredPasskey {
  readonly type: 'passkey'
  readonly display_name: string
}

/** An authenticator of a kind that the host has passed in. */
export interface CustomAuthenticator extends AuthenticatorBase {
  readonly type: 'custom'
  /** The name of the kind. */
  readonly authentication: string
  readonly data: Json
}

/** What a user can show. */
export type AuthenticatorRecord =
  | PasswordAuthenticator
  | OobOtpAuthenticator
  | TotpAuthenticator
  | PasskeyAuthenticator
  | CustomAuthenticator

/** An address that was proven to be the user's. */
export interface VerifiedClaimRecord {
  readonly user_id: string
  readonly name: ClaimName
  readonly value: string
  readonly channel: 'email' | 'sms' | 'whatsapp' | null
  readonly created_at: Instant
}

/** A recovery code, by its HMAC. */
export interface RecoveryCodeRecord {
  readonly user_id: string
  readonly created_at: Instant
  readonly consumed_at: Instant | null
  /** The flow that has reserved it, and until when. */
  readonly reserved_by: string | null
  readonly reserved_until: Instant | null
}

/** A password that was in use. */
export interface PasswordHistoryRecord {
  readonly user_id: string
  readonly hash: string
  readonly created_at: Instant
}

/** A session of a user; the id is the first part of its token. */
export interface SessionRecord {
  readonly user_id: string
  readonly client_id: string | null
  readonly token_hash: string
  readonly created_at: Instant
  readonly authenticated_at: Instant
  readonly last_accessed_at: Instant
  readonly last_accessed_ip: string | null
  readonly last_accessed_user_agent: string | null
  /** What was shown in it, sorted. */
  readonly amr: readonly string[]
  /** When each of `amr` was shown last; for `mfa`, since when the second of its factors is (default `authenticated_at`). */
  readonly amr_at?: { readonly [reference: string]: Instant }
  /** A passkey has made sure who its user is. */
  readonly user_verified?: true
}

/** A record with its id. */
export type Identified<T> = T & { readonly id: string }

/** All that is stored about one user and matters to a flow. */
export interface Account {
  readonly user: Identified<UserRecord>
  /** In the order in which they were made. */
  readonly identities: readonly Identified<IdentityRecord>[]
  readonly authenticators: readonly Identified<AuthenticatorRecord>[]
  readonly verified_claims: readonly VerifiedClaimRecord[]
  /** How many recovery codes are left. */
  readonly recovery_codes: number
}
