import { type Ask, askAny, type Q } from '../../flow/asking.ts'
import type { BaseQuestions } from '../../flow/questions.ts'
import type { LimitQuestions } from '../../limits/limit-questions.ts'

/** The questions of rules about passwords. */
export interface PasswordQuestions {
  readonly hash_password: Q<{ readonly password: string }, string>
  /** Without a hash the same work is done, and the answer is no. With `user_id` it counts to the share of that account. */
  readonly verify_password: Q<
    { readonly password: string; readonly hash: string | undefined; readonly user_id?: string },
    { readonly matches: boolean; readonly needs_rehash: boolean }
  >
  /** 0 to 4; `undefined` without a `passwordStrength`. */
  readonly password_strength: Q<{ readonly password: string }, number | undefined>
  /** Whether it is known from a leak; no without a port that knows. */
  readonly password_leaked: Q<{ readonly password: string }, boolean>
  /** Whether the policy forbids reusing a password. */
  readonly password_history: Q<
    {
      readonly user_id: string
      readonly password: string
      readonly size: number
      readonly days: number
    },
    boolean
  >
}

export const ask: Ask<BaseQuestions & LimitQuestions & PasswordQuestions> = askAny
