import { type Ask, askAny, type Q } from '../../flow/asking.ts'
import type { BaseQuestions } from '../../flow/questions.ts'
import type { UsedBefore } from '../../limits/attempt.ts'
import type { LimitQuestions } from '../../limits/limit-questions.ts'

/** The questions of rules about TOTP. */
export interface TotpQuestions {
  /** Compares a code. Returns its time step, `undefined` if it is wrong; no code of a stored authenticator is accepted twice. */
  readonly verify_totp: Q<
    | { readonly authenticator_id: string; readonly code: string }
    | { readonly sealed_secret: string; readonly code: string },
    number | UsedBefore | undefined
  >
  /** A new TOTP secret in Base32, and the same sealed. */
  readonly new_totp_secret: Q<undefined, { readonly secret: string; readonly sealed: string }>
  /** Opens a sealed secret. */
  readonly open_totp_secret: Q<{ readonly sealed: string }, string>
}

export const ask: Ask<BaseQuestions & LimitQuestions & TotpQuestions> = askAny
