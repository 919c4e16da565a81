import type { Instant } from '../../../time/clock.ts'
import type { Channel, OtpForm } from '../../config/flow-definition.ts'
import { type Ask, askAny, type Q } from '../../flow/asking.ts'
import type { BaseQuestions } from '../../flow/questions.ts'
import type { MessageKind, OtpPurpose } from '../../flow/state.ts'
import type { LimitQuestions } from '../../limits/limit-questions.ts'

/** The status of a code, for the client that waits for it. */
export interface OtpStatus {
  /** The end of the cooldown; in the past if there is none. */
  readonly can_resend_at: Instant
  /** Whether the link of this flow was approved and not consumed. */
  readonly is_approved: boolean
  /** Whether too many wrong codes have revoked it. */
  readonly is_revoked: boolean
  /**
   * Whether this flow waits for a message that it was not sent: the cooldown of an earlier one was running. A code of that one is
   * good here too, unless it was used.
   */
  readonly is_unsent: boolean
  readonly delivery: 'sending' | 'sent' | 'failed'
}

/** What a code is asked about by. Flows with the same address share the newest code that is typed, but not a link. */
export interface OtpKey {
  readonly purpose: OtpPurpose
  readonly channel: Channel
  readonly target: string
  readonly form: OtpForm
  readonly message: MessageKind
  /** @see accountOfCode */
  readonly account_id: string | null
}

/** The questions of rules about codes and links. */
export interface OtpQuestions {
  /** Fails with `RateLimited` during the cooldown of a new code. */
  readonly check_cooldown: Q<OtpKey, void>
  readonly otp_status: Q<OtpKey, OtpStatus>
  /** Consumes a code if it matches, or only compares it. `code_id` identifies the code, for consuming it later. */
  readonly verify_otp: Q<
    OtpKey & { readonly code: string; readonly consume: boolean },
    {
      readonly outcome: 'matches' | 'differs' | 'used' | 'revoked'
      readonly code_id: string | null
    }
  >
  /** Takes the first try of the code that was sent for this flow. `false` if there is none, or it was tried here. */
  readonly first_try: Q<OtpKey, boolean>
  /** Takes the approval of the link of this flow, which the commit of what it allows spends. */
  readonly check_link: Q<OtpKey, boolean>
}

export const ask: Ask<BaseQuestions & LimitQuestions & OtpQuestions> = askAny
