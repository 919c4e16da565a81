import { type Ask, askAny, type Q } from '../../flow/asking.ts'
import type { BaseQuestions } from '../../flow/questions.ts'

/** What rules ask of ID tokens. */
export interface IdTokenQuestions {
  /** The user an ID token names, which may have expired; `undefined` if it is no sound one. */
  readonly id_token_user: Q<{ readonly token: string }, string | undefined>
}

export const ask: Ask<BaseQuestions & IdTokenQuestions> = askAny
