import type { VerifiedJwt } from '../../external-jwt/external-jwt.ts'
import { type Ask, askAny, type Q } from '../../flow/asking.ts'
import type { BaseQuestions } from '../../flow/questions.ts'

/** The questions of rules about tokens of other issuers. */
export interface ExternalJwtQuestions {
  /** A verified token; `undefined` if it is not valid. Fails with `ExternalJWTFailedToFetchJWKs`. */
  readonly external_jwt: Q<{ readonly token: string }, VerifiedJwt | undefined>
}

export const ask: Ask<BaseQuestions & ExternalJwtQuestions> = askAny
