import type { Instant } from '../../../time/clock.ts'
import type { Channel, OtpForm } from '../../config/flow-definition.ts'
import { type Ask, askAny, type Q } from '../../flow/asking.ts'
import type { BaseQuestions } from '../../flow/questions.ts'
import type { OtpPurpose } from '../../flow/state.ts'
import type { LimitQuestions } from '../../limits/limit-questions.ts'

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

/** What rules ask of codes and links. */
export interface OtpQuestions {
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
}

export const ask: Ask<BaseQuestions & LimitQuestions & OtpQuestions> = askAny
