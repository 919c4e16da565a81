import type { WrittenAddressLimit, WrittenAttemptLimits, WrittenOtpLimits } from './rate-limits.ts'

/** By what people sign in, and how often they may try. Lists are in the order in which they are offered. */
export interface WrittenAuthentication {
  /** Default `oauth`, `login_id`. The last three are never offered. */
  readonly identities?: readonly (
    | 'login_id'
    | 'oauth'
    | 'passkey'
    | 'anonymous'
    | 'biometric'
    | 'siwe'
    | 'ldap'
  )[]
  /** Default `password`. */
  readonly primary_authenticators?: readonly (
    | 'password'
    | 'passkey'
    | 'oob_otp_email'
    | 'oob_otp_sms'
  )[]
  /** Default `totp`. */
  readonly secondary_authenticators?: readonly (
    | 'password'
    | 'oob_otp_email'
    | 'oob_otp_sms'
    | 'totp'
  )[]
  /** Whether a second factor is asked for: never, of users who have one, or always (default `if_exists`). */
  readonly secondary_authentication_mode?: 'disabled' | 'if_exists' | 'required'
  /** Further identifications whose generated logins ask for a second factor (default none). */
  readonly secondary_applies_to?: readonly ('oauth' | 'passkey' | 'select_account')[]
  /** How long users without a second factor are let in although one is required. */
  readonly secondary_authentication_grace_period?: {
    /** Default `false`. */
    readonly enabled?: boolean
    /** RFC 3339 (default: it does not end). */
    readonly end_at?: string
  }
  /** Devices that need no second factor again. */
  readonly device_token?: {
    /** Default `false`. */
    readonly disabled?: boolean
    /** Default 30. */
    readonly expire_in_days?: number
    /** Whether a changed password ends the trust in devices (default `true`). */
    readonly revoke_on_password_change?: boolean
    /** Whether an account recovery ends the trust in devices (default `true`). */
    readonly revoke_on_password_reset?: boolean
  }
  readonly recovery_code?: {
    /** Default `false`. */
    readonly disabled?: boolean
    /** From 10 to 50 (default 16). */
    readonly count?: number
    /** Read, without effect: codes are kept as digests. */
    readonly list_enabled?: boolean
  }
  /** Whether nobody can sign up (default `false`). */
  readonly public_signup_disabled?: boolean
  /** Where answers do not say whether an account is there (default `off`). */
  readonly enumeration_protection?: 'off' | 'login' | 'strict'
  readonly rate_limits?: WrittenRateLimits
  /** When an account is locked (default: never). */
  readonly lockout?: WrittenLockout
}

interface WrittenRateLimits {
  /** What counts where the others say nothing. */
  readonly general?: WrittenAttemptLimits
  readonly password?: WrittenAttemptLimits
  /** Of codes by message. */
  readonly oob_otp?: { readonly email?: WrittenOtpLimits; readonly sms?: WrittenOtpLimits }
  readonly totp?: WrittenAttemptLimits
  readonly recovery_code?: WrittenAttemptLimits
  readonly device_token?: WrittenAttemptLimits
  readonly passkey?: WrittenAddressLimit
  /** Default 10 in `1m`. */
  readonly signup?: WrittenAddressLimit
  /** Default 60 in `1m`. */
  readonly signup_anonymous?: WrittenAddressLimit
  /** How often it may be asked whether an account is there (default 10 in `1m`). */
  readonly account_enumeration?: WrittenAddressLimit
}

/** Without any of the methods all of them take part. */
interface WrittenLockout {
  /** How many failures lock an account; 0 for any number. */
  readonly max_attempts?: number
  /** How long failures count. Needed with `max_attempts`. */
  readonly history_duration?: string
  /** How long the first lock is. Needed with `max_attempts`. */
  readonly minimum_duration?: string
  /** How long a lock is at most. Needed with `max_attempts`. */
  readonly maximum_duration?: string
  /** By how much each lock is longer than the one before (default 1). */
  readonly backoff_factor?: number
  /** Needed with `max_attempts`. */
  readonly lockout_type?: 'per_user' | 'per_user_per_ip'
  readonly password?: WrittenMethod
  readonly totp?: WrittenMethod
  readonly oob_otp?: WrittenMethod
  readonly recovery_code?: WrittenMethod
}

interface WrittenMethod {
  /** Default `false`. */
  readonly enabled?: boolean
}
