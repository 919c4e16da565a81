import type { WrittenPeriods } from './authenticator.ts'
import type { WrittenRecoveryLimits, WrittenVerificationLimits } from './rate-limits.ts'

/** How addresses are proven. */
export interface WrittenVerification {
  readonly claims?: {
    readonly email?: {
      /** Default `true`. */
      readonly enabled?: boolean
      /** Whether a sign-up needs it (default `true`). */
      readonly required?: boolean
      /** What a message holds (default `code`). */
      readonly otp_form?: 'code' | 'link'
    }
    readonly phone_number?: {
      /** Default `true`. */
      readonly enabled?: boolean
      /** Whether a sign-up needs it (default `true`). */
      readonly required?: boolean
    }
  }
  /** Whether any or all addresses make a user `is_verified` (default `any`). */
  readonly criteria?: 'any' | 'all'
  /** How long a code is good (default `5m`). */
  readonly code_valid_period?: string
  readonly rate_limits?: {
    readonly email?: WrittenVerificationLimits
    readonly sms?: WrittenVerificationLimits
  }
}

/** How people get back in. */
export interface WrittenForgotPassword {
  /** Default `true`. */
  readonly enabled?: boolean
  readonly valid_periods?: WrittenPeriods
  /** The older form of `valid_periods`, for codes and links. */
  readonly code_valid_period?: string
  /** Whether an account recovery ends all sessions (default `true`). */
  readonly revoke_sessions?: boolean
  /** Whether an account recovery unlocks the account (default `false`). */
  readonly reset_lockout?: boolean
  readonly rate_limits?: {
    readonly email?: WrittenRecoveryLimits
    readonly sms?: WrittenRecoveryLimits
  }
}
