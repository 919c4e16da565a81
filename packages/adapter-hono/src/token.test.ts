import { createTokenVerifier, protectedResourceRoutes } from '@gatehouse/core/auth'
import { Hono } from 'hono'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { expect, it } from 'vitest'
import { honoAdapter, requireToken } from './index.ts'

const issuer = 'https://auth.example.com'
const resource = 'https://api.example.com/mcp'
const { privateKey, publicKey } = await generateKeyPair('ES256')
const jwk = { ...(await exportJWK(publicKey)), kty: 'EC' }

const sign = (scope: string) =>
  new SignJWT({ scope })
    .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt' })
    .setIssuer(issuer)
    .setAudience(resource)
    .setSubject('maya')
    .setExpirationTime('5m')
    .sign(privateKey)

function createApp(): Hono {
  const verifier = createTokenVerifier({ issuer, audience: resource, keys: () => [jwk] })
  const needed = { audience: resource, scope: 'orders:read', resourceMetadata: true }
  const app = new Hono()
  app.get('/mcp', requireToken(verifier, needed), (c) => c.json(c.get('token').sub))
  app.get('/own', requireToken(verifier, { refuse: (c, { reason }) => c.text(reason, 418) }), (c) =>
    c.text(c.get('token').sub),
  )
  app.route('/', honoAdapter(protectedResourceRoutes({ resource, authorizationServers: [issuer] })))
  return app
}

it('admits access tokens, and leads clients without one to the authorization server', async () => {
  const app = createApp()
  const get = async (path: string, token?: string) =>
    app.request(path, token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } })
  expect(await (await get('/mcp', await sign('orders:read x'))).json()).toBe('maya')
  const few = await get('/mcp', await sign('x'))
  expect([few.status, few.headers.get('www-authenticate')]).toEqual([
    403,
    expect.stringContaining('error="insufficient_scope"'),
  ])
  const none = await get('/mcp')
  expect(none.status).toBe(401)
  const [, url = ''] =
    /resource_metadata="([^"]+)"/.exec(none.headers.get('www-authenticate') ?? '') ?? []
  const metadata = await get(new URL(url).pathname)
  expect(await metadata.json()).toMatchObject({ resource, authorization_servers: [issuer] })
  expect((await get('/own', 'x')).status).toBe(418)
})
