import { maxOfAKind } from '../accounts/accounts.ts'
import { sessionCollection } from '../accounts/session-record.ts'
import type { AuthRun } from '../context.ts'
import type { Answers } from '../flow/asking.ts'
import type { BaseQuestions } from '../flow/questions.ts'
import { sessionIdOf, sessionTokenOf, toSession } from '../flow/session/session.ts'
import { findSession, findSessionById } from './find-session.ts'

type SessionQuestions = Pick<BaseQuestions, 'session' | 'other_sessions'>

/** Answers the questions of rules about sessions. */
export function sessionAnswers(run: AuthRun): Answers<SessionQuestions> {
  const { auth, now } = run
  const token = sessionTokenOf(run)
  return {
    async session(named) {
      const record =
        named === undefined
          ? token && (await findSession(auth, token, now))
          : await findSessionById(auth, named.id, now)
      // Flows prove who the person is; an operator who acts as a user is not that user.
      if (!record || record.value.impersonated_by !== undefined) return undefined
      const { factors, own } = record.value
      return {
        ...toSession(record.id, record.value, auth.config.current),
        ...(factors === undefined ? {} : { factors }),
        ...(own === undefined ? {} : { own }),
      }
    },
    async other_sessions({ user_id: id, client_id }) {
      const own = token === null ? undefined : sessionIdOf(token)
      const query = { by: 'user_id', equals: id, limit: maxOfAKind } as const
      const found = await sessionCollection.find(auth.storage, query)
      return found.some((one) => one.id !== own && one.value.client_id === client_id)
    },
  }
}
