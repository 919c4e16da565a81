import { readFileSync } from 'node:fs'
import { createAlerts, createAuth, createSilence, createWebhooks } from '@gatehouse/core'
import { createScryptHasher } from '@gatehouse/core/auth'
import { createManualClock, createMessageOutbox } from '@gatehouse/core/testing'
import { createMemoryStorage } from '@gatehouse/store-memory'
import { expect, it } from 'vitest'
import { createApp } from './app.ts'

const file = (name: string): string => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8')
const email = 'maya@example.com'
const password = 'tidal-lantern-42'

function createShop() {
  const clock = createManualClock()
  const storage = createMemoryStorage({ clock })
  const mails = createMessageOutbox()
  const alerts = createAlerts({ storage, clock, config: file('alertmanager.yml') })
  const auth = createAuth({
    storage,
    clock,
    config: file('authgear.yaml'),
    secrets: [{ id: 'test', key: 'a key for tests, of 32 bytes or more' }],
    senders: mails.senders,
    hasher: createScryptHasher({ N: 1_024 }), // cheap, for tests
  })
  const webhooks = createWebhooks({
    storage,
    clock,
    config: file('webhooks.yaml'),
    environment: { PATH: process.env.PATH, SUPPLIER_TOKEN: 'a token for tests' },
  })
  const app = createApp({ alerts, auth, webhooks })
  let cookie = ''

  /** Sends cookies back as a browser does. */
  const post = async (path: string, body: unknown, more = {}): Promise<Response> => {
    const headers = { 'Content-Type': 'application/json', cookie, ...more }
    const answer = await app.request(path, { method: 'POST', body: JSON.stringify(body), headers })
    const given = answer.headers.getSetCookie().map((text) => text.split(';')[0])
    if (given.length > 0) cookie = given.join('; ')
    return answer
  }
  const get = async (path: string): Promise<Response> => app.request(path, { headers: { cookie } })

  const flows = '/api/v1/authentication_flows'
  const signUp = async (): Promise<void> => {
    const input = { identification: 'email', login_id: email }
    const asked = await post(flows, { type: 'signup', name: 'default', input })
    const { result } = (await asked.json()) as { result: { state_token: string } }
    const batch_input = [
      { code: mails.codeTo(email) },
      { authentication: 'primary_password', new_password: password },
    ]
    await post(`${flows}/states/input`, { state_token: result.state_token, batch_input })
  }
  return {
    alerts,
    clock,
    get,
    post,
    signUp,
    order: (amount: number) => post('/orders', { amount }),
  }
}

it('refuses an order without a session', async () => {
  const { get, order } = createShop()
  expect((await order(20)).status).toBe(401)
  expect((await get('/me')).status).toBe(401)
})

it('takes orders from a new user until they log out', async () => {
  const { get, order, post, signUp } = createShop()
  await signUp()
  expect(await (await get('/me')).json()).toEqual({ email, amr: ['pwd', 'x_primary_password'] })
  expect((await order(20)).status).toBe(201)
  expect(await (await get('/orders')).json()).toMatchObject([{ id: 1, amount: 20 }])
  expect((await post('/logout', {})).status).toBe(204)
  expect((await get('/orders')).status).toBe(401)
})

it('asks a user to sign in again after a month', async () => {
  const { clock, get, post, signUp } = createShop()
  await signUp()
  clock.advance(30 * 24 * 3_600_000)
  expect((await get('/me')).status).toBe(401)
  const input = {
    identification: 'email',
    login_id: email,
    authentication: 'primary_password',
    password,
  }
  await post('/api/v1/authentication_flows', { type: 'login', name: 'default', input })
  expect((await get('/me')).status).toBe(200)
})

it('a paid order posts no alert', async () => {
  const { get, order, signUp } = createShop()
  await signUp()
  expect((await order(20)).status).toBe(201)
  expect(await (await get('/api/v2/alerts')).json()).toEqual([])
})

it("a refused payment alerts the shop's team", async () => {
  const { get, order, signUp } = createShop()
  await signUp()
  expect((await order(5_000)).status).toBe(402)
  expect(await (await get('/api/v2/alerts')).json()).toMatchObject([
    {
      labels: { alertname: 'PaymentFailed', shop: 'main' },
      annotations: { summary: 'a payment of 5000 was refused' },
      receivers: [{ name: 'shop-team' }],
      status: { state: 'active' },
    },
  ])
})

it('a silence created in code is visible through the API', async () => {
  const { alerts, clock, get, order, signUp } = createShop()
  await signUp()
  const id = await createSilence(alerts, {
    matchers: [{ name: 'alertname', value: 'Payment.*', isRegex: true }],
    endsAt: clock.now() + 60_000,
    createdBy: 'ann',
    comment: 'the bank is down for an hour',
  })
  await order(5_000)
  const listed = async (): Promise<unknown> => (await get('/api/v2/alerts')).json()
  expect(await listed()).toMatchObject([{ status: { state: 'suppressed', silencedBy: [id] } }])
  clock.advance(60_000)
  expect(await listed()).toMatchObject([{ status: { state: 'active', silencedBy: [] } }])
})

it('a supplier with the token restocks an article', async () => {
  const { post } = createShop()
  const bearer = { Authorization: 'Bearer a token for tests' }
  const answer = await post('/webhook/restock', { article: 'lamp-7' }, bearer)
  expect([answer.status, await answer.json()]).toEqual([
    200,
    expect.objectContaining({ status: 'succeeded', stdout: 'restocking lamp-7\n' }),
  ])
  expect((await post('/webhook/restock', { article: 'lamp 7; id' }, bearer)).status).toBe(422)
  expect((await post('/webhook/restock', { article: 'lamp-7' })).status).toBe(401)
})

it('the app answers unknown paths', async () => {
  const { get } = createShop()
  expect((await get('/nope')).status).toBe(404)
})
