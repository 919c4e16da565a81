import type { Answers } from '../../flow/asking.ts'
import type { FlowRun } from '../../flow/run.ts'
import type { IdTokenQuestions } from './id-token-questions.ts'
import type { IdTokenVerifier } from './id-token-verifier.ts'

interface IdTokenPorts {
  readonly idTokenVerifier: IdTokenVerifier | undefined
}

/** Answers the questions of rules about ID tokens. */
export const idTokenAnswers = ({ auth }: FlowRun<IdTokenPorts>): Answers<IdTokenQuestions> => ({
  async id_token_user({ token }) {
    const user = await auth.idTokenVerifier?.(token)
    return typeof user === 'string' ? { user_id: user } : user
  },
})
