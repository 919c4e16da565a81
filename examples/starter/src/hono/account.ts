import { requireSession } from '@gatehouse/adapter-hono'
import { type AuthContext, getUser } from '@gatehouse/core'
import { Hono } from 'hono'

/** Routes for users who have signed in. */
export function accountRoutes(auth: AuthContext): Hono {
  const app = new Hono()
  app.get('/me', requireSession(auth), async (c) => {
    const { standard_attributes } = await getUser(auth, c.get('session').user_id)
    return c.json({ email: standard_attributes.email })
  })
  return app
}
