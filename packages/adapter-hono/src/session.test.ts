import { createAuth, createUser } from '@gatehouse/core'
import { createScryptHasher } from '@gatehouse/core/auth'
import { createMemoryStorage } from '@gatehouse/store-memory'
import { Hono } from 'hono'
import { expect, it } from 'vitest'
import { honoAdapter, optionalSession, requireSession, signOut } from './index.ts'

const user = { email: 'maya@example.com', password: 'tidal-lantern-42' }

async function createApp() {
  const auth = createAuth({
    storage: createMemoryStorage(),
    config: { id: 'test', http: { public_origin: 'http://localhost' } },
    secrets: [{ id: 'k1', key: 'a key for tests, of 32 bytes or more' }],
    hasher: createScryptHasher({ N: 16, r: 1, p: 1 }),
    logger: false,
  })
  await createUser(auth, user)
  const app = new Hono()
    .get('/me', requireSession(auth), (c) => c.json(c.get('session').amr))
    .get('/own', requireSession(auth, { refuse: (c, { reason }) => c.text(reason, 418) }), (c) =>
      c.text(''),
    )
    .route(
      '/shop',
      new Hono().get('/admin', requireSession(auth, { aal: 2 }), (c) => c.text('')),
    )
    .get('/', optionalSession(auth), (c) => c.json(c.get('session')?.amr ?? null))
    .post('/logout', async (c) => {
      await signOut(auth, c)
      return c.body(null, 204)
    })
    .route('/', honoAdapter(auth.routes))
  return app
}

/** Logs in over plain HTTP, and returns the cookies as a browser would send them. */
async function logIn(app: Hono): Promise<string> {
  const batch_input = [
    { identification: 'email', login_id: user.email },
    { authentication: 'primary_password', password: user.password },
  ]
  const answer = await app.request('/api/v1/authentication_flows', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ type: 'login', name: 'default', batch_input }),
  })
  expect(answer.status).toBe(200)
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
}

it('admits and names whoever is signed in, until they sign out', async () => {
  const app = (await createApp()) as unknown as Hono
  const get = async (path: string, cookie = '', accept = '*/*') =>
    app.request(path, { headers: { cookie, accept } })
  expect([(await get('/me')).status, await (await get('/')).json()]).toEqual([401, null])
  const page = await get('/shop/admin?x=1', '', 'text/html')
  expect([page.status, page.headers.get('location')]).toEqual([
    302,
    '/login?return_to=%2Fshop%2Fadmin%3Fx%3D1',
  ])
  const own = await get('/own')
  expect([own.status, await own.text()]).toEqual([418, 'NotAuthenticated'])

  const cookie = await logIn(app)
  expect(await (await get('/me', cookie)).json()).toContain('pwd')
  expect(await (await get('/', cookie)).json()).toContain('pwd')

  const refused = await get('/shop/admin', cookie)
  expect([refused.status, await refused.json()]).toMatchObject([
    403,
    { error: { reason: 'ReauthenticationRequired', info: { missing: ['mfa'] } } },
  ])

  const left = await app.request('/logout', { method: 'POST', headers: { cookie } })
  expect(left.headers.getSetCookie()).toHaveLength(2)
  for (const cleared of left.headers.getSetCookie()) expect(cleared).toContain('Max-Age=0')
  expect((await get('/me', cookie)).status).toBe(401)
})
