import type { Answers } from '../../flow/asking.ts'
import type { FlowRun } from '../../flow/run.ts'
import type { IdTokenQuestions } from './id-token-questions.ts'

/** Answers the questions of rules about ID tokens. */
export const idTokenAnswers = ({ auth }: FlowRun): Answers<IdTokenQuestions> => ({
  async id_token_user({ token }) {
    const user = await auth.idTokenVerifier?.(token)
    return typeof user === 'string' ? { user_id: user } : user
  },
})
