import { expressAdapter, requireSession } from '@gatehouse/adapter-express'
import {
  type AlertsContext,
  type AuthContext,
  getUser,
  listAlerts,
  type WebhooksContext,
} from '@gatehouse/core'
import express, { type Express } from 'express'

/** The services of the app. */
export interface HouseServices {
  readonly alerts: AlertsContext
  readonly auth: AuthContext
  readonly webhooks: WebhooksContext
}

/** A small app with pages of its own, the alert API below `/monitoring`, sign-in flows, and webhooks. It already had a body parser. */
export function createApp({ alerts, auth, webhooks }: HouseServices): Express {
  const app = express()
  app.use(express.json())

  app.get('/health', async (_request, response) => {
    const firing = await listAlerts(alerts, { filter: ['severity="page"'], silenced: false })
    response.status(firing.length > 0 ? 503 : 200).json({ firing: firing.length })
  })

  app.get('/me', requireSession(auth), async (_request, response) => {
    const user = await getUser(auth, response.locals.session.user_id)
    response.json({ name: user.standard_attributes.preferred_username })
  })

  app.use('/monitoring', expressAdapter(alerts.routes))
  app.use(expressAdapter([...auth.routes, ...webhooks.routes]))
  return app
}
