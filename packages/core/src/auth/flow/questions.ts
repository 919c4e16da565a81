import type { Json } from '../../storage/storage.ts'
import type { Instant } from '../../time/clock.ts'
import type { Account, ClaimName, Identified, IdentityRecord } from '../accounts/records.ts'
import type { Channel, OtpForm } from '../config/flow-definition.ts'
import type {
  OAuthAuthorization,
  OAuthProfile,
  OAuthProviderStatus,
  OAuthRedemption,
} from '../oauth-client/oauth-client.ts'
import type { Passkeys, StoredPasskey } from '../webauthn/passkeys.ts'
import type { AnswerOf, Asking as AskingAny, AskOf } from './asking.ts'
import type { Session } from './session/session.ts'
import type { FlowSnapshot, OtpPurpose } from './state.ts'

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
  /** How many tokens it takes (default 1). */
  readonly weight?: number
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

/** How a browser finds a passkey. */
export type PasskeyHandle = Pick<StoredPasskey, 'credential_id' | 'transports'>

/** A use of a passkey that was sound. */
export interface PasskeyUse {
  readonly user_id: string
  readonly authenticator_id: string
  /** Whether the authenticator has made sure that it was its user. */
  readonly is_user_verified: boolean
}

interface Q<Ask, Answer> {
  readonly ask: Ask
  readonly answer: Answer
}

/** All that the rules of flows ask, by name: what is asked, and what is answered. */
export interface FlowQuestions {
  /** All about a user; `undefined` if there is none. */
  readonly account: Q<{ readonly user_id: string }, Account | undefined>
  /** The identity of a key. @see `keyOfIdentity` */
  readonly identity: Q<{ readonly key: string }, Identified<IdentityRecord> | undefined>
  /** Every identity that asserts a claim. */
  readonly claim: Q<
    { readonly name: ClaimName; readonly value: string },
    readonly Identified<IdentityRecord>[]
  >
  readonly hash_password: Q<{ readonly password: string }, string>
  /** Without a hash the same work is done, and the answer is no. With `user_id` it counts to the share of that account. */
  readonly verify_password: Q<
    { readonly password: string; readonly hash: string | undefined; readonly user_id?: string },
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
  /** The session of the request, if its user may still sign in. */
  readonly session: Q<undefined, Session | undefined>
  /** The user an ID token names, which may have expired; `undefined` if it is no sound one. */
  readonly id_token_user: Q<{ readonly token: string }, string | undefined>
  /** Random bytes. */
  readonly random: Q<{ readonly size: number }, Uint8Array>
  /** The id of somebody who does not exist: for the same text the same one, which nobody can foresee. */
  readonly stand_in_id: Q<{ readonly text: string }, string>
  /** A new UUID. */
  readonly uuid: Q<undefined, string>
  readonly oauth_status: Q<{ readonly alias: string }, OAuthProviderStatus>
  /** The address of a provider that a browser is sent to. Fails with `OAuthProtocolError`. */
  readonly oauth_authorization_url: Q<OAuthAuthorization & { readonly alias: string }, string>
  /** Redeems a code, once. Fails with `OAuthError`, `OAuthProtocolError`. */
  readonly oauth_redeem: Q<OAuthRedemption & { readonly alias: string }, OAuthProfile>
  /** What a browser is asked to make a passkey with; never the same twice. */
  readonly passkey_creation_options: Q<
    Omit<Parameters<Passkeys['creationOptions']>[1], 'challenge'>,
    { readonly [name: string]: Json }
  >
  /** What a browser is asked to use one with; without `allow` whichever its user chooses. */
  readonly passkey_request_options: Q<
    { readonly allow?: readonly PasskeyHandle[] },
    { readonly [name: string]: Json }
  >
  /**
   * The passkey that a browser has made, and the id it is stored under; `undefined` if the response is not sound. Good once: fails with
   * `WebAuthnSessionNotFound`, and with `InvariantViolated` if somebody has it.
   */
  readonly verify_passkey_creation: Q<
    { readonly response: { readonly [name: string]: Json } },
    { readonly id: string; readonly passkey: StoredPasskey } | undefined
  >
  /** The use of a passkey, of that user if one is named; `undefined` if it is not sound. Good once: fails with `WebAuthnSessionNotFound`. */
  readonly verify_passkey: Q<
    {
      readonly response: { readonly [name: string]: Json }
      readonly user_id: string | undefined
    },
    PasskeyUse | undefined
  >
  /** What a kind of the host's own asks of the world outside. */
  readonly port: Q<{ readonly name: string; readonly ask: Json }, Json>
  /** Asks the host's hook at a point of the flow. Answers what is to be remembered of it; fails with `HookDisallowed` and its like. */
  readonly hook: Q<
    { readonly type: string; readonly state: FlowSnapshot },
    { readonly [name: string]: Json }
  >
  /**
   * Has looked at what shows that somebody is no machine, and remembers it for the flow. Fails with
   * `BotProtectionVerificationFailed`, `BotProtectionVerificationServiceUnavailable`.
   */
  readonly verify_bot_protection: Q<{ readonly response: string }, void>
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
