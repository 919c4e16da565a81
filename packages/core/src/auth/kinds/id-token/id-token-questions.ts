import { type Ask, askAny, type Q } from '../../flow/asking.ts'
import type { BaseQuestions } from '../../flow/questions.ts'
import type { IdTokenUser } from './id-token-verifier.ts'

/** The questions of rules about ID tokens. */
export interface IdTokenQuestions {
  /** The user of an ID token, which may have expired; `undefined` if the token is invalid. */
  readonly id_token_user: Q<{ readonly token: string }, IdTokenUser | undefined>
}

export const ask: Ask<BaseQuestions & IdTokenQuestions> = askAny
