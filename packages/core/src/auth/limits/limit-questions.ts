import { type Ask, askAny, type Q } from '../flow/asking.ts'
import type { BaseQuestions } from '../flow/questions.ts'

/** A use of a rate limit: its bucket and subject. */
export interface BucketUse {
  /** The `bucket_name` of errors. */
  readonly bucket: string
  /** The name and the group of the limit in errors; absent for cooldowns. */
  readonly limit?: { readonly name: string; readonly group: string }
  /** The subject of the limit: an email address, a user, an IP address. Part of the key. */
  readonly subject: readonly string[]
  readonly period_ms: number
  readonly burst: number
  /** How many tokens it takes (default 1). */
  readonly weight?: number
  /** Strangers can use it up, so a browser that this user has signed in with has a bucket of its own beside it. */
  readonly user_id?: string
  /** All browsers of the user share that bucket, which pays for messages: more sessions must not send more of them. */
  readonly is_joint?: true
  /** A right secret gives back all of its tokens: it limits failures in a row. */
  readonly is_reset?: true
}

/** The methods whose failures can lock an account. */
export type LockoutMethod = 'password' | 'totp' | 'oob_otp' | 'recovery_code'

/** The questions of rules about rate limits, lockouts and bot protection. */
export interface LimitQuestions {
  /**
   * Takes tokens of all buckets, or of none, and answers with the uses to give back. A browser that is known to the user of a
   * bucket takes from its own if the shared one is empty. Fails with `RateLimited`.
   */
  readonly spend: Q<{ readonly uses: readonly BucketUse[] }, readonly BucketUse[]>
  /** Gives tokens back. `isProven`: because the secret was right, which resets some buckets (default false). */
  readonly refund: Q<{ readonly uses: readonly BucketUse[]; readonly isProven?: boolean }, void>
  /** Fails with `AccountLockout` while a lock is in force. */
  readonly check_lockout: Q<{ readonly user_id: string; readonly method: LockoutMethod }, void>
  /** Counts a failure; fails with `AccountLockout` if it is the one that locks. */
  readonly count_failure: Q<{ readonly user_id: string; readonly method: LockoutMethod }, void>
  /**
   * Verifies a response for bot protection, and remembers a success for the flow. Fails with `BotProtectionVerificationFailed`,
   * `BotProtectionVerificationServiceUnavailable`.
   */
  readonly verify_bot_protection: Q<{ readonly response: string }, void>
}

export const ask: Ask<BaseQuestions & LimitQuestions> = askAny
