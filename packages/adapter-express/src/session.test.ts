import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAuth, createUser } from '@gatehouse/core'
import { createScryptHasher } from '@gatehouse/core/auth'
import { createMemoryStorage } from '@gatehouse/store-memory'
import express from 'express'
import { expect, it } from 'vitest'
import { expressAdapter, optionalSession, requireSession, signOut } from './index.ts'

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
  const app = express()
  app.get('/me', requireSession(auth), (_request, response) => {
    response.json(response.locals.session.amr)
  })
  app.use(
    '/shop',
    express.Router().get('/admin', requireSession(auth, { aal: 2 }), (_request, response) => {
      response.end()
    }),
  )
  app.get('/', optionalSession(auth), (_request, response) => {
    response.json(response.locals.session?.amr ?? null)
  })
  app.post('/logout', async (request, response) => {
    await signOut(auth, request, response)
    response.status(204).end()
  })
  app.use(expressAdapter(auth.routes, { subject: (request) => ({ id: request.ip ?? '' }) }))
  return app
}

it('admits and names whoever is signed in, until they sign out', async () => {
  const server = createServer(await createApp())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const get = (path: string, cookie = '', accept = '*/*') =>
    fetch(`${origin}${path}`, { headers: { cookie, accept }, redirect: 'manual' })
  try {
    expect([(await get('/me')).status, await (await get('/')).json()]).toEqual([401, null])
    const page = await get('/shop/admin?x=1', '', 'text/html')
    expect([page.status, page.headers.get('location')]).toEqual([
      302,
      '/login?return_to=%2Fshop%2Fadmin%3Fx%3D1',
    ])
    const batch_input = [
      { identification: 'email', login_id: user.email },
      { authentication: 'primary_password', password: user.password },
    ]
    const answer = await fetch(`${origin}/api/v1/authentication_flows`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ type: 'login', name: 'default', batch_input }),
    })
    const cookies = answer.headers.getSetCookie()
    const cookie = cookies.map((one) => one.split(';')[0]).join('; ')
    expect(await (await get('/me', cookie)).json()).toContain('pwd')
    expect(await (await get('/', cookie)).json()).toContain('pwd')
    const refused = await get('/shop/admin', cookie)
    expect([refused.status, await refused.json()]).toMatchObject([
      403,
      { error: { reason: 'ReauthenticationRequired', info: { missing: ['mfa'] } } },
    ])
    const left = await fetch(`${origin}/logout`, { method: 'POST', headers: { cookie } })
    expect(left.headers.getSetCookie()).toHaveLength(2)
    expect((await get('/me', cookie)).status).toBe(401)
  } finally {
    server.close()
    server.closeAllConnections()
  }
})
