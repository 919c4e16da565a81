import { type Ask, askAny, type Q } from '../../flow/asking.ts'
import type { BaseQuestions } from '../../flow/questions.ts'

/** The questions of rules about ID tokens. */
export interface IdTokenQuestions {
  /** The user of an ID token, which may have expired; `undefined` if the token is invalid. */
  readonly id_token_user: Q<{ readonly token: string }, string | undefined>
}

export const ask: Ask<BaseQuestions & IdTokenQuestions> = askAny
