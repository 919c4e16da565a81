import type { Json } from '../../storage/storage.ts'
import type { Instant } from '../../time/clock.ts'
import type { OAuthProviderType } from '../oauth-client/oauth-provider.ts'
import type { StoredPasskey } from '../webauthn/passkeys.ts'

/** Attributes of a user by their OpenID Connect names; custom ones start with `x_`. */
export type Attributes = { readonly [name: string]: Json }

/** A user. The id is a UUID. */
export interface UserRecord {
  readonly created_at: Instant
  readonly updated_at: Instant
  readonly last_login_at: Instant | null
  readonly is_disabled: boolean
  readonly disable_reason: string | null
  /** From then on the user counts as deleted; `delete_by` is who asked for it. */
  readonly delete_at: Instant | null
  readonly delete_by: 'admin' | 'user' | null
  readonly is_anonymized: boolean
  readonly anonymize_at: Instant | null
  readonly account_valid_from: Instant | null
  readonly account_valid_until: Instant | null
  /** Until then a user without a second factor may enrol one at login. */
  readonly mfa_grace_end: Instant | null
  /** The user does not want to be offered a passkey again. */
  readonly opt_out_passkey: boolean
  readonly standard_attributes: Attributes
  readonly custom_attributes: Attributes
}

/** The claims that identities can be found by, beside their own key. */
export type ClaimName = 'email' | 'phone_number' | 'preferred_username'

/** A claim with its value. */
export interface ClaimValue {
  readonly claim: ClaimName
  readonly value: string
}

interface IdentityBase {
  readonly user_id: string
  readonly created_at: Instant
  /** When its claims last changed (default `created_at`). */
  readonly updated_at?: Instant
  /** The claims it asserts; each is a declared field. */
  readonly email?: string
  readonly phone_number?: string
  readonly preferred_username?: string
}

/** An address or name that a user signs in with. */
export interface LoginIdIdentity extends IdentityBase {
  readonly type: 'login_id'
  readonly login_id_type: 'email' | 'phone' | 'username'
  /** The key of the configuration that it belongs to. */
  readonly login_id_key: string
  /** As typed, without surrounding whitespace. */
  readonly original: string
  readonly normalized: string
  readonly unique_key: string
  /** Whether a flow has created it without a proof of its address; `false` if the host has created it (default unknown). */
  readonly is_unproven?: boolean
}

/** A user's account at an identity provider. */
export interface OAuthIdentity extends IdentityBase {
  readonly type: 'oauth'
  readonly provider_type: OAuthProviderType
  readonly provider_alias: string
  /** The provider's id of the user. */
  readonly subject: string
  readonly unique_key: string
  /** Standard claims as of the last login; empty if the configuration stores none. */
  readonly claims: Attributes
  /** All claims as the provider last sent them, such as `sub`, `upn` and `exp` (default none). */
  readonly profile?: Attributes
}

/** The identity of an anonymous user. */
export interface AnonymousIdentity extends IdentityBase {
  readonly type: 'anonymous'
  readonly unique_key: string
}

/** An identity of a custom kind. */
export interface CustomIdentity extends IdentityBase {
  readonly type: 'custom'
  /** The name of the kind. */
  readonly identification: string
  readonly unique_key: string
  readonly data: Json
}

/** An identity of a user. `unique_key` is unique among identities of its kind. */
export type IdentityRecord = LoginIdIdentity | OAuthIdentity | AnonymousIdentity | CustomIdentity

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

/** A verified address of a user. */
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

/** An earlier password. */
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
  /** How the user authenticated, sorted. */
  readonly amr: readonly string[]
  /** When each of `amr` was last shown; for `mfa`, since when there have been two factors (default `authenticated_at`). */
  readonly amr_at?: { readonly [reference: string]: Instant }
  /** Set after a passkey with user verification. */
  readonly user_verified?: true
  /** When each factor was last shown (default unknown). @see `factorOf` */
  readonly factors?: { readonly [factor: string]: Instant }
  /** The identities and authenticators that were used or set up in it, by id (default unknown). */
  readonly own?: readonly string[]
}

/** A record with its id. */
export type Identified<T> = T & { readonly id: string }

/** The stored data of a user that flows need. */
export interface Account {
  readonly user: Identified<UserRecord>
  /** In order of creation. */
  readonly identities: readonly Identified<IdentityRecord>[]
  readonly authenticators: readonly Identified<AuthenticatorRecord>[]
  readonly verified_claims: readonly VerifiedClaimRecord[]
  /** The number of unused recovery codes. */
  readonly recovery_codes: number
}
