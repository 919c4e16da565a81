import { type Ask, askAny, type Q } from '../../flow/asking.ts'
import type { BaseQuestions } from '../../flow/questions.ts'
import type { LimitQuestions } from '../../limits/limit-questions.ts'

/** The questions of rules about recovery codes. */
export interface RecoveryCodeQuestions {
  /** Reserves a recovery code for this flow if it belongs to the user and is not spent. Returns its hash. */
  readonly reserve_recovery_code: Q<
    { readonly user_id: string; readonly code: string },
    string | undefined
  >
  /** The hashes under which recovery codes are stored. */
  readonly hash_recovery_codes: Q<{ readonly codes: readonly string[] }, readonly string[]>
}

export const ask: Ask<BaseQuestions & LimitQuestions & RecoveryCodeQuestions> = askAny
