import type { Answers } from '../../flow/asking.ts'
import type { FlowRun } from '../../flow/run.ts'
import type { ExternalJwtQuestions } from './external-jwt-questions.ts'

/** Answers the questions of rules about tokens of other issuers. */
export const externalJwtAnswers = ({ auth }: FlowRun): Answers<ExternalJwtQuestions> => ({
  external_jwt: ({ token }) =>
    auth.externalJwt?.verify(auth.config.current.external_jwt.issuers, token),
})
