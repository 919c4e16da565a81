import { type AuthContext, resolveSession } from '@gatehouse/core'
import type { RequestHandler } from 'express'

/** Admits signed-in users; `response.locals.session` is their session. */
export function requireSession(auth: AuthContext): RequestHandler {
  return async (request, response, next) => {
    const headers = { get: (name: string) => request.get(name) ?? null }
    const session = await resolveSession(auth, { headers })
    if (session === undefined) {
      response.status(401).json({ error: 'sign in first' })
      return
    }
    response.locals.session = session
    next()
  }
}
