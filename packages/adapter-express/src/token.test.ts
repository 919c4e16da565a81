import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createTokenVerifier, protectedResourceRoutes } from '@gatehouse/core/auth'
import express from 'express'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { expect, it } from 'vitest'
import { expressAdapter, requireToken } from './index.ts'

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

function createApp() {
  const verifier = createTokenVerifier({ issuer, audience: resource, keys: () => [jwk] })
  const needed = { audience: resource, scope: 'orders:read', resourceMetadata: true }
  const app = express()
  app.get('/mcp', requireToken(verifier, needed), (_request, response) => {
    response.json(response.locals.token.sub)
  })
  app.use(
    '/own',
    express.Router().get(
      '/orders',
      requireToken(verifier, {
        refuse: (_request, response, { reason }) => void response.status(418).send(reason),
      }),
      (_request, response) => {
        response.send(response.locals.token.sub)
      },
    ),
  )
  app.use(expressAdapter(protectedResourceRoutes({ resource, authorizationServers: [issuer] })))
  return app
}

it('admits access tokens, and leads clients without one to the authorization server', async () => {
  const server = createServer(createApp())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const get = (path: string, token?: string) =>
    fetch(
      `${origin}${path}`,
      token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } },
    )
  try {
    expect(await (await get('/mcp', await sign('orders:read x'))).json()).toBe('maya')
    const few = await get('/mcp', await sign('x'))
    expect([few.status, few.headers.get('www-authenticate')]).toEqual([
      403,
      expect.stringContaining('error="insufficient_scope"'),
    ])
    const none = await get('/mcp')
    const challenge = none.headers.get('www-authenticate') ?? ''
    expect([none.status, challenge]).toEqual([401, expect.stringMatching(/^Bearer .*, DPoP /)])
    const [, url = ''] = /resource_metadata="([^"]+)"/.exec(challenge) ?? []
    const metadata = await get(new URL(url).pathname)
    expect(await metadata.json()).toMatchObject({ resource, authorization_servers: [issuer] })
    const own = await get('/own/orders', 'x')
    expect([own.status, await own.text()]).toEqual([418, 'InvalidToken'])
  } finally {
    server.close()
    server.closeAllConnections()
  }
})
