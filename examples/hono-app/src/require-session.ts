import { type AuthContext, resolveSession, type Session } from '@gatehouse/core'
import type { MiddlewareHandler } from 'hono'
import { createMiddleware } from 'hono/factory'

/** Admits signed-in users; `c.get('session')` is their session. */
export function requireSession(
  auth: AuthContext,
): MiddlewareHandler<{ Variables: { session: Session } }> {
  return createMiddleware(async (c, next) => {
    const session = await resolveSession(auth, c.req.raw)
    if (session === undefined) return c.json({ error: 'sign in first' }, 401)
    c.set('session', session)
    return next()
  })
}
