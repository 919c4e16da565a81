import { requireSession } from '@gatehouse/adapter-express'
import { type AuthContext, getUser } from '@gatehouse/core'
import { Router } from 'express'

/** Routes for users who have signed in. */
export function accountRoutes(auth: AuthContext): Router {
  const router = Router()
  router.get('/me', requireSession(auth), async (_request, response) => {
    const { standard_attributes } = await getUser(auth, response.locals.session.user_id)
    response.json({ email: standard_attributes.email })
  })
  return router
}
