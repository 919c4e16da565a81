import type { Answers } from '../../flow/asking.ts'
import type { FlowRun } from '../../flow/run.ts'
import type { IdTokenQuestions } from './id-token-questions.ts'

/** Answers the questions of rules about ID tokens. */
export const idTokenAnswers = ({ auth }: FlowRun): Answers<IdTokenQuestions> => ({
  id_token_user: ({ token }) => auth.idTokenVerifier?.(token),
})
