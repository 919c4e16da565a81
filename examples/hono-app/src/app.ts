import { honoAdapter } from '@gatehouse/adapter-hono'
import { type AlertsContext, postAlerts } from '@gatehouse/core'
import { Hono } from 'hono'

interface Order {
  readonly id: number
  readonly amount: number
}

/** A small shop. It posts an alert when a payment fails, and serves the alert API beside its own routes. */
export function createApp(alerts: AlertsContext): Hono {
  const app = new Hono()
  const orders: Order[] = []

  app.get('/orders', (c) => c.json(orders))

  app.post('/orders', async (c) => {
    const { amount } = await c.req.json<{ amount: number }>()
    if (!isPaid(amount)) {
      const labels = { alertname: 'PaymentFailed', shop: 'main', severity: 'critical' }
      const annotations = { summary: `a payment of ${amount} was refused` }
      await postAlerts(alerts, [{ labels, annotations }])
      return c.json({ error: 'the payment was refused' }, 402)
    }
    const order = { id: orders.length + 1, amount }
    orders.push(order)
    return c.json(order, 201)
  })

  app.route('/', honoAdapter(alerts.routes))
  return app
}

/** The bank of this example refuses what is above 1000. */
function isPaid(amount: number): boolean {
  return amount <= 1_000
}
