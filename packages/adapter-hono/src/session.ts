import type { AuthContext, Session } from '@gatehouse/core/auth'
import type { Context, MiddlewareHandler } from 'hono'

/** Loaded when it is needed, because most of the service comes with it. */
const operations = () => import('@gatehouse/core/auth')

/** Options of {@link requireSession}. */
export interface RequireSessionOptions {
  /** Answers requests without a session (default: 401 with a JSON error). A page may redirect to its sign-in page. */
  refuse?: ((c: Context) => Response | Promise<Response>) | undefined
}

/**
 * A middleware that admits signed-in users: `c.get('session')` is their session.
 *
 * @example
 * app.get('/me', requireSession(auth), (c) => c.json(c.get('session').user_id))
 */
export function requireSession(
  auth: AuthContext,
  { refuse = sayWhy }: RequireSessionOptions = {},
): MiddlewareHandler<{ Variables: { session: Session } }> {
  return async (c, next) => {
    const session = await sessionOf(auth, c)
    if (session === undefined) return refuse(c)
    c.set('session', session)
    return next()
  }
}

/**
 * A middleware that looks up who is signed in, and lets every request pass: `c.get('session')` is the session, or `undefined`.
 *
 * @example
 * app.get('/', optionalSession(auth), (c) => c.text(c.get('session') === undefined ? 'hello' : 'welcome back'))
 */
export function optionalSession(
  auth: AuthContext,
): MiddlewareHandler<{ Variables: { session: Session | undefined } }> {
  return async (c, next) => {
    c.set('session', await sessionOf(auth, c))
    return next()
  }
}

/**
 * Ends the session of a request, if it has one, and has the browser forget its cookies. Call it from a POST route: links must not
 * sign people out.
 *
 * @example
 * app.post('/logout', async (c) => {
 *   await signOut(auth, c)
 *   return c.body(null, 204)
 * })
 */
export async function signOut(auth: AuthContext, c: Context): Promise<void> {
  const { formatSetCookie, logout } = await operations()
  for (const cookie of await logout(auth, c.req.raw)) {
    c.header('Set-Cookie', formatSetCookie(cookie), { append: true })
  }
}

async function sessionOf(auth: AuthContext, c: Context): Promise<Session | undefined> {
  const { resolveSession } = await operations()
  return resolveSession(auth, c.req.raw)
}

const sayWhy = (c: Context): Response => c.json({ error: 'sign in first' }, 401)
