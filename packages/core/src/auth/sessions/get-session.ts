import { decodeInput, rawText } from '../../input/decode.ts'
import type { AuthContext } from '../context.ts'
import { type Session, toSession } from '../flow/session/session.ts'
import { findSessionById } from './find-session.ts'

/**
 * The session with an id; `undefined` if there is none, it has ended, or its user may not sign in. Does not record an access: the id is
 * not proof of a session.
 */
export async function getSession(auth: AuthContext, id: string): Promise<Session | undefined> {
  const record = await findSessionById(auth, decodeInput('id', rawText, id), auth.clock.now())
  return record && toSession(record.id, record.value, auth.config.current)
}
