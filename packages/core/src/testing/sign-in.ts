import type { AuthContext } from '../auth/context.ts'
import type { NewUser } from '../auth/people/create-user.ts'
import type { CreateSessionOptions, OpenedSession } from '../auth/sessions/create-session.ts'
import { cookieHeader } from './cookie-header.ts'

/** A session for a test. */
export interface SignedIn extends OpenedSession {
  /** The `Cookie` header of a browser with the session. */
  readonly cookie: string
}

/**
 * Signs a user in for a test, without a flow.
 *
 * @param user the id of a user, or a user to create.
 * @throws {GatehouseError} as `createUser` and `createSession` do.
 * @example
 * const { cookie } = await signIn(auth, { email: 'maya@example.com' })
 * const answer = await app.request('/orders', { headers: { cookie } })
 */
export async function signIn(
  auth: AuthContext,
  user: string | NewUser,
  options: CreateSessionOptions = {},
): Promise<SignedIn> {
  const [{ createUser }, { createSession }] = await Promise.all([
    import('../auth/people/create-user.ts'),
    import('../auth/sessions/create-session.ts'),
  ])
  const id = typeof user === 'object' ? await createUser(auth, user) : user
  const opened = await createSession(auth, id, options)
  return { ...opened, cookie: cookieHeader(opened.cookies) }
}
