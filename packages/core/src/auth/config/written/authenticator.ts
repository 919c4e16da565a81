/** How long codes and links are good. */
export interface WrittenPeriods {
  /** Default `5m`. */
  readonly code?: string
  /** Default `20m`. */
  readonly link?: string
}

interface WrittenCodes {
  /** How many of them a user may have (default 99). */
  readonly maximum?: number
  readonly valid_periods?: WrittenPeriods
  /** The older form of `valid_periods.code`. */
  readonly code_valid_period?: string
}

/** What passwords and codes are like. */
export interface WrittenAuthenticator {
  readonly password?: {
    readonly policy?: WrittenPolicy
    /** Whether a password that the policy no longer allows must be changed at the next login (default `true`). */
    readonly force_change?: boolean
    readonly expiry?: {
      readonly force_change?: {
        /** Default `false`. */
        readonly enabled?: boolean
        /** How old a password may be. Needed with `enabled`. */
        readonly duration_since_last_update?: string
      }
    }
  }
  readonly totp?: {
    /** How many of them a user may have (default 99). */
    readonly maximum?: number
    /** What apps show beside the code (default: the host of the public origin). */
    readonly issuer?: string
  }
  /** Codes by message. */
  readonly oob_otp?: {
    readonly email?: WrittenCodes & {
      /** Default `code`. */
      readonly email_otp_mode?: 'code' | 'login_link'
    }
    readonly sms?: WrittenCodes & {
      /** Default `whatsapp_sms`. */
      readonly phone_otp_mode?: 'sms' | 'whatsapp_sms' | 'whatsapp'
    }
  }
}

interface WrittenPolicy {
  /** In characters (default 8). */
  readonly min_length?: number
  /** Default `false`. */
  readonly uppercase_required?: boolean
  /** Default `false`. */
  readonly lowercase_required?: boolean
  /** Default `false`. */
  readonly alphabet_required?: boolean
  /** Default `false`. */
  readonly digit_required?: boolean
  /** Default `false`. */
  readonly symbol_required?: boolean
  /** From 0 (any) to 5. More than 0 needs the option `passwordStrength`. */
  readonly minimum_guessable_level?: number
  /** Words that no password may hold (default none). */
  readonly excluded_keywords?: readonly string[]
  /** How many earlier passwords cannot be used again (default 0). */
  readonly history_size?: number
  /** For how many days earlier passwords cannot be used again (default 0). */
  readonly history_days?: number
}
