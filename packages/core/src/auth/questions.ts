import type { Instant } from '../clock.ts'
import type { AnswerOf, Asking as AskingAny, AskOf } from './asking.ts'
import type { Channel, OtpForm } from './flow-definition.ts'
import type { OtpPurpose } from './flow-state.ts'
import type { Account, ClaimName, Identified, IdentityRecord } from './records.ts'

/** A use of a rate limit: one bucket and whom it counts. */
export interface BucketUse {
  /** The `bucket_name` of errors. */
  readonly bucket: string
  /** The name and the group of the limit in errors; absent for cooldowns. */
  readonly limit?: { readonly name: string; readonly group: string }
  /** What it counts by: an address, a user, an IP address; part of the key. */
  readonly subject: readonly string[]
  readonly period_ms: number
  readonly burst: number
}

/** What takes part in the lockout of accounts. */
export type LockoutMethod = 'password' | 'totp' | 'oob_otp' | 'recovery_code'

/** How a code stands, for who waits for it. */
export interface OtpStatus {
  /** The end of the cooldown; in the past if there is none. */
  readonly can_resend_at: Instant
  /** Whether its link was approved and not consumed. */
  readonly is_approved: boolean
  /** Whether too many wrong codes have ended it. */
  readonly is_revoked: boolean
  readonly delivery: 'sending' | 'sent' | 'failed'
}

/** Names a code: two flows with the same address share it. */
export interface OtpKey {
  readonly purpose: OtpPurpose
  readonly channel: Channel
  readonly target: string
}

interface Q<Ask, Answer> {
  readonly ask: Ask
  readonly answer: Answer
}

/** All that the rules of flows ask, by name: what is asked, and what is answered. */
export interface FlowQuestions {
  /** All about a user; `undefined` if there is none. */
  readonly account: Q<{ readonly user_id: string }, Account | undefined>
  /** The identity of a login ID. */
  readonly login_id: Q<
    { readonly type: 'email' | 'phone' | 'username'; readonly unique_key: string },
    Identified<IdentityRecord> | undefined
  >
  /** Every identity that asserts a claim. */
  readonly claim: Q<
    { readonly name: ClaimName; readonly value: string },
    readonly Identified<IdentityRecord>[]
  >
  readonly hash_password: Q<{ readonly password: string }, string>
  /** Without a hash the same work is done, and the answer is no. */
  readonly verify_password: Q<
    { readonly password: string; readonly hash: string | undefined },
    { readonly matches: boolean; readonly needs_rehash: boolean }
  >
  /** 0 to 4; `undefined` where nothing can tell. */
  readonly password_strength: Q<{ readonly password: string }, number | undefined>
  /** Whether a password is one of those a policy does not allow again. */
  readonly password_history: Q<
    {
      readonly user_id: string
      readonly password: string
      readonly size: number
      readonly days: number
    },
    boolean
  >
  /** Takes one of each bucket, or of none. Fails with `RateLimited`. */
  readonly spend: Q<{ readonly uses: readonly BucketUse[] }, void>
  /** Gives back what was taken. */
  readonly refund: Q<{ readonly uses: readonly BucketUse[] }, void>
  /** Fails with `AccountLockout` while a lock is in force. */
  readonly check_lockout: Q<{ readonly user_id: string; readonly method: LockoutMethod }, void>
  /** Counts a failure; fails with `AccountLockout` if it is the one that locks. */
  readonly count_failure: Q<{ readonly user_id: string; readonly method: LockoutMethod }, void>
  /** Fails with `RateLimited` while a new code may not be asked for. */
  readonly check_cooldown: Q<OtpKey, void>
  readonly otp_status: Q<OtpKey, OtpStatus>
  /** Consumes a code if it matches, or only compares it. `code_id` names the code that is out, for consuming it later. */
  readonly verify_otp: Q<
    OtpKey & { readonly form: OtpForm; readonly code: string; readonly consume: boolean },
    {
      readonly outcome: 'matches' | 'differs' | 'used' | 'revoked'
      readonly code_id: string | null
    }
  >
  /** Consumes a code whose link was approved. */
  readonly check_link: Q<OtpKey, boolean>
  /** Reserves a recovery code for this flow if it is the user's and not spent. Answers its hash. */
  readonly reserve_recovery_code: Q<
    { readonly user_id: string; readonly code: string },
    string | undefined
  >
  /** The hashes under which recovery codes are stored. */
  readonly hash_recovery_codes: Q<{ readonly codes: readonly string[] }, readonly string[]>
  /**
   * Compares a code. Answers the time step it is of, `undefined` if it is wrong; no code of a stored authenticator is accepted
   * twice.
   */
  readonly verify_totp: Q<
    | { readonly authenticator_id: string; readonly code: string }
    | { readonly sealed_secret: string; readonly code: string },
    number | undefined
  >
  /** A new TOTP secret in Base32, and the same sealed. */
  readonly new_totp_secret: Q<undefined, { readonly secret: string; readonly sealed: string }>
  /** The secret that was sealed. */
  readonly open_totp_secret: Q<{ readonly sealed: string }, string>
  /** Whether the request carries a device token of the user. */
  readonly device_token: Q<{ readonly user_id: string }, 'valid' | 'unknown' | 'absent'>
  /** Whether the user has sessions beside the one of this request, of a client. */
  readonly other_sessions: Q<
    { readonly user_id: string; readonly client_id: string | null },
    boolean
  >
  /** Random bytes. */
  readonly random: Q<{ readonly size: number }, Uint8Array>
  /** The id of somebody who does not exist: for the same text the same one, which nobody can foresee. */
  readonly stand_in_id: Q<{ readonly text: string }, string>
  /** A new UUID. */
  readonly uuid: Q<undefined, string>
  /** Tells who listens; holds no secret. */
  readonly event: Q<
    { readonly type: string; readonly payload: Readonly<Record<string, unknown>> },
    void
  >
}

/** Rules of a flow. */
export type Asking<T> = AskingAny<FlowQuestions, T>

/** Asks one question. */
export function* ask<Name extends keyof FlowQuestions>(
  name: Name,
  question: AskOf<FlowQuestions[Name]>,
): Asking<AnswerOf<FlowQuestions[Name]>> {
  const answer = yield { name, ask: question } as never
  return answer as AnswerOf<FlowQuestions[Name]>
}
