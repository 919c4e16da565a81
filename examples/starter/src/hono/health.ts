import type { AlertsContext } from '@gatehouse/core'
import type { Handler } from 'hono'
import { countCritical } from '../alerts.ts'

/** For load balancers: 503 while a critical alert fires. */
export const health =
  (alerts: AlertsContext): Handler =>
  async (c) => {
    const firing = await countCritical(alerts)
    return c.json({ firing }, firing > 0 ? 503 : 200)
  }
