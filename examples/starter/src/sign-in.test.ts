import { expect, it } from 'vitest'
import { createTestApp } from './services.fixture.ts'

const email = 'maya@example.com'
const password = 'tidal-lantern-42'
const flows = '/api/v1/authentication_flows'

type App = ReturnType<typeof createTestApp>

async function signUp({ mails, post }: App): Promise<void> {
  const input = { identification: 'email', login_id: email }
  const asked = await post(flows, { type: 'signup', name: 'default', input })
  const { result } = (await asked.json()) as { result: { state_token: string } }
  const batch_input = [
    { code: mails.codeTo(email) },
    { authentication: 'primary_password', new_password: password },
  ]
  await post(`${flows}/states/input`, { state_token: result.state_token, batch_input })
}

it('admits a user who has signed up, until they sign out', async () => {
  const app = createTestApp()
  expect((await app.get('/me')).status).toBe(401)
  await signUp(app)
  expect(await (await app.get('/me')).json()).toEqual({ email })
  expect((await app.post('/api/v1/account/sign-out', {})).status).toBe(200)
  expect((await app.get('/me')).status).toBe(401)
})

it('has pages to sign in, sign up, and recover an account', async () => {
  const { get } = createTestApp()
  for (const page of ['/login', '/signup', '/recovery']) {
    const answer = await get(page)
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('My app')])
  }
})

it('asks a user to sign in again after a month', async () => {
  const app = createTestApp()
  await signUp(app)
  app.clock.advance(30 * 24 * 3_600_000)
  expect((await app.get('/me')).status).toBe(401)
})
