import { readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import { createAlerts, createAuth, createWebhooks } from '@gatehouse/core'
import { createScryptHasher } from '@gatehouse/core/auth'
import { createMemoryStorage } from '@gatehouse/store-memory'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createApp } from './app.ts'

const file = (name: string): string => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8')
let server: Server
let url: string

beforeEach(async () => {
  const storage = createMemoryStorage()
  const alerts = createAlerts({ storage, config: file('alertmanager.yml') })
  const auth = createAuth({
    storage,
    config: file('authgear.yaml'),
    secrets: [{ id: 'test', key: 'a key for tests, of 32 bytes or more' }],
    hasher: createScryptHasher({ N: 1_024 }), // cheap, for tests
  })
  const webhooks = createWebhooks({
    storage,
    config: file('webhooks.yaml'),
    environment: { PATH: process.env.PATH, GARDEN_TOKEN: 'a token for tests' },
  })
  await new Promise<void>((resolve) => {
    server = createApp({ alerts, auth, webhooks }).listen(0, '127.0.0.1', () => resolve())
  })
  const address = server.address()
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
})
afterEach(() => {
  server.close()
})

function post(path: string, body: unknown, headers = {}): Promise<Response> {
  return fetch(url + path, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'Content-Type': 'application/json', ...headers },
  })
}

it('the app is healthy until a page fires', async () => {
  expect((await fetch(`${url}/health`)).status).toBe(200)
  const labels = { alertname: 'DoorOpen', severity: 'page', house: 'a' }
  expect((await post('/monitoring/api/v2/alerts', [{ labels }])).status).toBe(200)
  const health = await fetch(`${url}/health`)
  expect([health.status, await health.json()]).toEqual([503, { firing: 1 }])
})

it('an alert of an unreachable house is listed below the sub-path with the alert that inhibits it', async () => {
  await post('/monitoring/api/v2/alerts', [
    { labels: { alertname: 'HouseDown', house: 'a' } },
    { labels: { alertname: 'DoorOpen', severity: 'page', house: 'a' } },
    { labels: { alertname: 'DoorOpen', severity: 'page', house: 'b' } },
  ])
  const filter = encodeURIComponent('severity="page"')
  const inhibited = await fetch(`${url}/monitoring/api/v2/alerts?active=false&filter=${filter}`)
  expect(await inhibited.json()).toMatchObject([
    { labels: { house: 'a' }, receivers: [{ name: 'on-call' }], status: { state: 'suppressed' } },
  ])
})

it('serves the alert API only below its sub-path', async () => {
  expect((await fetch(`${url}/api/v2/alerts`)).status).toBe(404)
  expect((await fetch(`${url}/monitoring/api/v2/status`)).status).toBe(200)
})

it('refuses a page for signed-in users until a user has signed up', async () => {
  expect((await fetch(`${url}/me`)).status).toBe(401)
  const input = {
    identification: 'username',
    login_id: 'Maya',
    authentication: 'primary_password',
    new_password: 'tidal-lantern-42',
  }
  const signup = await post('/api/v1/authentication_flows', {
    type: 'signup',
    name: 'default',
    input,
  })
  expect(await signup.json()).toMatchObject({ result: { action: { type: 'finished' } } })
  const cookie = signup.headers.getSetCookie().map((text) => text.split(';')[0])
  const me = await fetch(`${url}/me`, { headers: { cookie: cookie.join('; ') } })
  expect([me.status, await me.json()]).toEqual([200, { name: 'maya' }])
  expect((await fetch(`${url}/me`, { headers: { cookie: 'session=guessed' } })).status).toBe(401)
})

it('waters a bed for who has the token, behind the body parser of the app', async () => {
  const bearer = { Authorization: 'Bearer a token for tests' }
  const answer = await post('/webhook/water', { bed: 'roses' }, bearer)
  expect([answer.status, await answer.json()]).toEqual([
    200,
    expect.objectContaining({ status: 'succeeded', stdout: 'watering roses\n' }),
  ])
  expect((await post('/webhook/water', { bed: 'roses; reboot' }, bearer)).status).toBe(422)
  expect((await post('/webhook/water', { bed: 'roses' })).status).toBe(401)
})
