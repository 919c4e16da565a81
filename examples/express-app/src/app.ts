import { expressAdapter } from '@gatehouse/adapter-express'
import { type AlertsContext, listAlerts } from '@gatehouse/core'
import express, { type Express } from 'express'

/** A small app with a page of its own and the alert API below `/monitoring`. It had a body parser before. */
export function createApp(alerts: AlertsContext): Express {
  const app = express()
  app.use(express.json())

  app.get('/health', async (_request, response) => {
    const firing = await listAlerts(alerts, { filter: ['severity="page"'], silenced: false })
    response.status(firing.length > 0 ? 503 : 200).json({ firing: firing.length })
  })

  app.use('/monitoring', expressAdapter(alerts.routes))
  return app
}
