import type { AlertsContext } from '@gatehouse/core'
import type { RequestHandler } from 'express'
import { countCritical } from '../alerts.ts'

/** For load balancers: 503 while a critical alert fires. */
export const health =
  (alerts: AlertsContext): RequestHandler =>
  async (_request, response) => {
    const firing = await countCritical(alerts)
    response.status(firing > 0 ? 503 : 200).json({ firing })
  }
