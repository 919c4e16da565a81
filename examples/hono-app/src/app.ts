import { honoAdapter, requireSession, signOut } from '@gatehouse/adapter-hono'
import {
  type AlertsContext,
  type AuthContext,
  getUser,
  postAlerts,
  type WebhooksContext,
} from '@gatehouse/core'
import { Hono } from 'hono'

/** The services of the shop. */
export interface ShopServices {
  readonly alerts: AlertsContext
  readonly auth: AuthContext
  readonly webhooks: WebhooksContext
}

interface Order {
  readonly id: number
  readonly amount: number
  readonly user: string
}

/** A small shop for signed-in users. It posts an alert when a payment fails, and serves all three services beside its own routes. */
export function createApp({ alerts, auth, webhooks }: ShopServices): Hono {
  const app = new Hono()
  const signedIn = requireSession(auth)
  const orders: Order[] = []

  app.get('/me', signedIn, async (c) => {
    const { user_id, amr } = c.get('session')
    const { standard_attributes } = await getUser(auth, user_id)
    return c.json({ email: standard_attributes.email, amr })
  })

  app.post('/logout', async (c) => {
    await signOut(auth, c)
    return c.body(null, 204)
  })

  app.get('/orders', signedIn, (c) => {
    const { user_id: user } = c.get('session')
    return c.json(orders.filter((order) => order.user === user))
  })

  app.post('/orders', signedIn, async (c) => {
    const { amount } = await c.req.json<{ amount: number }>()
    if (!isPaid(amount)) {
      const labels = { alertname: 'PaymentFailed', shop: 'main', severity: 'critical' }
      const annotations = { summary: `a payment of ${amount} was refused` }
      await postAlerts(alerts, [{ labels, annotations }])
      return c.json({ error: 'the payment was refused' }, 402)
    }
    const order = { id: orders.length + 1, amount, user: c.get('session').user_id }
    orders.push(order)
    return c.json(order, 201)
  })

  app.route('/', honoAdapter([...alerts.routes, ...auth.routes, ...webhooks.routes]))
  return app
}

/** The bank of this example refuses amounts above 1000. */
function isPaid(amount: number): boolean {
  return amount <= 1_000
}
