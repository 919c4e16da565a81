import { createSession, disableUser } from '@gatehouse/core'
import * as client from 'openid-client'
import { describe, expect, it, vi } from 'vitest'
import {
  authorize,
  callback,
  clients,
  origin,
  startWorld,
  type World,
} from '../test/world.fixture.ts'
import type { OidcOptions } from './config/options.ts'
import { countRequest } from './limits.ts'
import { createModelAdapter } from './models/model-adapter.ts'
import { providerConfig } from './provider/provider-config.ts'

const form = { 'content-type': 'application/x-www-form-urlencoded' }
const api = 'https://api.example.com'

const oidc: Partial<OidcOptions> = {
  clients: [
    { ...clients.web, resources: [api] },
    clients.asking,
    clients.spa,
    clients.service,
    { ...clients.native, redirectUris: ['com.example.harbor:/callback'] },
  ],
  resources: [{ identifier: api, scopes: ['read'] }],
  registration: 'open',
}

/** The tokens of the person for an app that nobody is asked about. */
async function tokensFor(
  world: World,
  clientId: string,
  more: Readonly<Record<string, string>> = {},
) {
  const browser = world.browser()
  browser.keep((await createSession(world.auth, world.userId, { amr: ['pwd'] })).cookies)
  const configuration = await world.configuration(clientId)
  const { url, verifier, state } = await authorize(configuration, more)
  const { url: back } = await browser.open(url)
  const checks = { pkceCodeVerifier: verifier, expectedState: state }
  return client.authorizationCodeGrant(configuration, back, checks, more)
}

async function register(world: World, metadata: object): Promise<Readonly<Record<string, string>>> {
  const answer = await world.fetch(`${origin}/oidc/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ redirect_uris: [callback], ...metadata }),
  })
  expect(answer.status).toBe(201)
  return (await answer.json()) as Readonly<Record<string, string>>
}

describe('introspection', () => {
  it('tells an API about access tokens, and an app that registered itself only about its own', async () => {
    const world = await startWorld({ oidc })
    const { access_token: token, refresh_token: refresh = '' } = await tokensFor(world, 'web')
    const isActive = async (id: string, asked: string): Promise<boolean> => {
      const { active } = await client.tokenIntrospection(await world.configuration(id), asked)
      return active
    }
    expect(await isActive('service', token)).toBe(true)
    expect(await isActive('service', refresh)).toBe(false)
    expect(await isActive('web', refresh)).toBe(true)
    expect(await isActive('spa', token)).toBe(false)
    const { client_id = '', client_secret = '' } = await register(world, {})
    const answer = await world.fetch(`${origin}/oidc/introspect`, {
      method: 'POST',
      headers: form,
      body: String(new URLSearchParams({ client_id, client_secret, token })),
    })
    expect([answer.status, await answer.json()]).toEqual([200, { active: false }])
  })

  it('finds no token active of a user who was disabled', async () => {
    const world = await startWorld({ oidc })
    const { access_token: token, refresh_token: refresh = '' } = await tokensFor(world, 'web')
    await disableUser(world.auth, world.userId)
    const configuration = await world.configuration('web')
    for (const one of [token, refresh]) {
      expect(await client.tokenIntrospection(configuration, one)).toEqual({ active: false })
    }
  })
})

it('a token of an app that was taken back is refused at once in the same process', async () => {
  const world = await startWorld({ oidc })
  const { access_token: token } = await tokensFor(world, 'web', {
    scope: 'openid read',
    resource: api,
  })
  const check = { token, audience: api, scope: 'read' }
  expect(await world.oidc.verifyToken(check)).toMatchObject({ sub: world.userId })
  await world.oidc.revokeApp(world.userId, 'web')
  await expect(world.oidc.verifyToken(check)).rejects.toMatchObject({ reason: 'InvalidToken' })
})

describe('limits', () => {
  it('count all addresses of a network as one', async () => {
    const { auth } = await startWorld({ oidc })
    for (let host = 1; host <= 20; host++) {
      await countRequest(auth, 'device', `2001:db8:1:2::${host.toString(16)}`)
    }
    const next = (address: string) => countRequest(auth, 'device', address)
    await expect(next('2001:db8:1:2:ffff::1')).rejects.toMatchObject({ reason: 'RateLimited' })
    await next('2001:db8:1:3::1')
  })
})

it('a page in a sandbox reads no answer for an app on a device', async () => {
  const world = await startWorld({ oidc })
  const answer = await world.fetch(`${origin}/oidc/token`, {
    method: 'POST',
    headers: { ...form, origin: 'null' },
    body: 'client_id=native&grant_type=authorization_code&code=x&redirect_uri=x',
  })
  expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([400, null])
})

it('no address that an app names is fetched without the guard against private addresses', async () => {
  const { auth, oidc: server } = await startWorld({ oidc })
  const { fetch } = providerConfig(auth, server.settings, { keys: [] })
  const asked = vi.spyOn(globalThis, 'fetch').mockResolvedValue(new Response())
  await expect(fetch?.('https://tool.example/client.json', {})).rejects.toThrow(TypeError)
  expect(asked).not.toHaveBeenCalled()
})

it('a proof that its client has dated ahead counts once, too', async () => {
  const { auth } = await startWorld({ oidc })
  const proofs = createModelAdapter(auth)('ReplayDetection')
  const use = () => proofs.upsert('proof', { jti: 'proof', kind: 'ReplayDetection' }, 300)
  await use()
  vi.setSystemTime(Date.now() + 599_000)
  await expect(use()).rejects.toMatchObject({ error: 'invalid_grant' })
})

it('an app that authenticates by a key must say so for an hour at most', async () => {
  const world = await startWorld({ oidc })
  const keys = { name: 'ECDSA', namedCurve: 'P-256' }
  const pair = await crypto.subtle.generateKey(keys, true, ['sign', 'verify'])
  const key = await crypto.subtle.exportKey('jwk', pair.publicKey)
  const { client_id: id = '' } = await register(world, {
    token_endpoint_auth_method: 'private_key_jwt',
    jwks: { keys: [{ ...key, alg: 'ES256', use: 'sig' }] },
  })
  const push = async (lifetime: number) => {
    const configuration = await client.discovery(
      new URL(origin),
      id,
      undefined,
      client.PrivateKeyJwt(pair.privateKey, {
        [client.modifyAssertion]: (_header, payload) => {
          payload.exp = Math.floor(Date.now() / 1_000) + lifetime
        },
      }),
      { [client.customFetch]: (url, init) => world.fetch(url, init as RequestInit) },
    )
    const { url } = await authorize(configuration)
    return client.buildAuthorizationUrlWithPAR(configuration, url.searchParams)
  }
  expect((await push(60)).searchParams.get('request_uri')).toMatch(/^urn:/)
  for (const lifetime of [3_700, 1e12, 1e300]) {
    await expect(push(lifetime)).rejects.toMatchObject({ error: 'invalid_client' })
  }
})

it('a machine gets no scopes of people', async () => {
  const world = await startWorld({ oidc })
  const configuration = await world.configuration('service')
  const asked = { scope: 'openid email offline_access' }
  const { access_token: token, scope } = await client.clientCredentialsGrant(configuration, asked)
  expect(scope).toBeUndefined()
  expect(await client.tokenIntrospection(configuration, token)).not.toHaveProperty('scope')
})

it('a document of an app makes the server fetch no other but its keys, and these not for ever', async () => {
  const world = await startWorld({ oidc: { ...oidc, clientIdMetadata: true } })
  const client_id = 'https://tool.example/client.json'
  const document = {
    client_id,
    redirect_uris: ['https://tool.example/callback'],
    token_endpoint_auth_method: 'private_key_jwt',
    jwks_uri: 'https://victim.example/keys',
    sector_identifier_uri: 'https://victim.example/sector',
  }
  const asked = vi
    .spyOn(globalThis, 'fetch')
    .mockImplementation(async (url) => Response.json(url === client_id ? document : { keys: [] }))
  const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const now = Math.floor(Date.now() / 1_000)
  const claims = { iss: client_id, sub: client_id, aud: origin, exp: now + 60, jti: 'one' }
  const fields = {
    client_id,
    token: 'x',
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: `${encoded({ alg: 'ES256' })}.${encoded(claims)}.AAAA`,
  }
  for (let count = 0; count < 50; count++) {
    const answer = await world.fetch(`${origin}/oidc/introspect`, {
      method: 'POST',
      headers: form,
      body: String(new URLSearchParams(fields)),
    })
    expect(answer.status).toBe(401)
  }
  const urls = asked.mock.calls.map(([url]) => String(url))
  expect(new Set(urls)).toEqual(new Set([client_id, document.jwks_uri]))
  expect(urls.length).toBe(30)
})
