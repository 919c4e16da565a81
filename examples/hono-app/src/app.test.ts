import { readFileSync } from 'node:fs'
import { createAlerts, createSilence } from '@gatehouse/core'
import { createManualClock } from '@gatehouse/core/testing'
import { createMemoryStorage } from '@gatehouse/store-memory'
import { expect, it } from 'vitest'
import { createApp } from './app.ts'

const config = readFileSync(new URL('../alertmanager.yml', import.meta.url), 'utf8')

function createShop() {
  const clock = createManualClock()
  const alerts = createAlerts({ storage: createMemoryStorage({ clock }), clock, config })
  const app = createApp(alerts)
  const order = (amount: number) =>
    app.request('/orders', {
      method: 'POST',
      body: JSON.stringify({ amount }),
      headers: { 'Content-Type': 'application/json' },
    })
  return { alerts, app, clock, order }
}

it('a paid order is kept and alerts nobody', async () => {
  const { app, order } = createShop()
  expect((await order(20)).status).toBe(201)
  expect(await (await app.request('/orders')).json()).toEqual([{ id: 1, amount: 20 }])
  expect(await (await app.request('/api/v2/alerts')).json()).toEqual([])
})

it('a refused payment is an alert for the team of the shop', async () => {
  const { app, order } = createShop()
  expect((await order(5_000)).status).toBe(402)
  expect(await (await app.request('/api/v2/alerts')).json()).toMatchObject([
    {
      labels: { alertname: 'PaymentFailed', shop: 'main' },
      annotations: { summary: 'a payment of 5000 was refused' },
      receivers: [{ name: 'shop-team' }],
      status: { state: 'active' },
    },
  ])
})

it('a silence that is made in code is seen through the API', async () => {
  const { alerts, app, clock, order } = createShop()
  const id = await createSilence(alerts, {
    matchers: [{ name: 'alertname', value: 'Payment.*', isRegex: true }],
    endsAt: clock.now() + 60_000,
    createdBy: 'ann',
    comment: 'the bank is down for an hour',
  })
  await order(5_000)
  const listed = async (): Promise<unknown> => (await app.request('/api/v2/alerts')).json()
  expect(await listed()).toMatchObject([{ status: { state: 'suppressed', silencedBy: [id] } }])
  clock.advance(60_000)
  expect(await listed()).toMatchObject([{ status: { state: 'active', silencedBy: [] } }])
})

it('a path that neither has is answered by the app', async () => {
  const { app } = createShop()
  expect((await app.request('/nope')).status).toBe(404)
})
