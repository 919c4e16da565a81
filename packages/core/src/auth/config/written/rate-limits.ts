/** How often something may happen: `burst` times at once, and as often again in `period`. */
export interface WrittenRateLimit {
  /** Without it the default counts. */
  readonly enabled: boolean
  /** As `1m`. A limit that is enabled needs it. */
  readonly period?: string
  /** Default 1. */
  readonly burst?: number
}

/** Limits of attempts. */
export interface WrittenAttemptLimits {
  /** By address (default: as `general`, which is 60 in `1m`). */
  readonly per_ip?: WrittenRateLimit
  /** By user and address (default: as `general`, which is 10 in `1m`). */
  readonly per_user_per_ip?: WrittenRateLimit
  /** By user, whatever the address (default: as `general`, which is 50 in `1h`). */
  readonly per_user?: WrittenRateLimit
}

export interface WrittenAddressLimit {
  /** By address. */
  readonly per_ip?: WrittenRateLimit
}

/** Limits of the codes of account recovery, where nobody is known yet. */
export interface WrittenRecoveryLimits {
  /** Codes asked for, by address (default: none). */
  readonly trigger_per_ip?: WrittenRateLimit
  /** How long until a code can be sent again (default `1m`). */
  readonly trigger_cooldown?: string
  /** How many wrong codes end a code; 0 for any number (default 10). */
  readonly max_failed_attempts_revoke_otp?: number
  /** Codes tried, by address (default 60 in `1m`). */
  readonly validate_per_ip?: WrittenRateLimit
  /** Codes tried, by where they were sent or by user (default 50 in `1h`). */
  readonly validate_per_user?: WrittenRateLimit
}

/** Limits of the codes that prove an address. */
export interface WrittenVerificationLimits extends WrittenRecoveryLimits {
  /** Codes asked for, by user (default: none). */
  readonly trigger_per_user?: WrittenRateLimit
}

/** Limits of the codes that somebody signs in with. */
export interface WrittenOtpLimits extends WrittenVerificationLimits {
  /** Codes tried, by user and address (default: as `general`). */
  readonly validate_per_user_per_ip?: WrittenRateLimit
}
