import { decodeInput, rawText } from '../../input/decode.ts'
import type { Write } from '../../storage/storage.ts'
import { sessionCollection } from '../accounts/session-record.ts'
import { userCollection, userGuard } from '../accounts/user-record.ts'
import type { AuthContext } from '../context.ts'
import { findSessionById } from './find-session.ts'

/** The precondition that a session still counts; `undefined` if it has ended, or its user may not sign in. */
export async function sessionCheck(auth: AuthContext, id: string): Promise<Write | undefined> {
  const session = await findSessionById(auth, id, auth.clock.now())
  return session && { collection: sessionCollection, id, check: session.version }
}

/**
 * The writes to commit with what a session gives out and what outlasts it, such as access for an app: it is stored only while the session
 * counts, and a concurrent commit that ends everything of the user sees it. `undefined` if the session has ended, or its user may not
 * sign in.
 */
export async function sessionGuard(
  auth: AuthContext,
  sessionId: string,
): Promise<readonly Write[] | undefined> {
  const id = decodeInput('sessionId', rawText, sessionId)
  const session = await findSessionById(auth, id, auth.clock.now())
  const user = session && (await userCollection.get(auth.storage, session.value.user_id))
  if (session === undefined || user === undefined) return undefined
  return [{ collection: sessionCollection, id, check: session.version }, userGuard(user)]
}
