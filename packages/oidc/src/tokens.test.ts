import { type AuthEvent, disableUser, revokeSession, startAuth, updateUser } from '@gatehouse/core'
import { listSessions } from '@gatehouse/core/auth'
import { createMemoryStorage } from '@gatehouse/store-memory'
import { createRemoteJWKSet, customFetch, jwtVerify } from 'jose'
import * as client from 'openid-client'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  authorize,
  callback,
  clients,
  email,
  origin,
  startWorld,
  type World,
} from '../test/world.fixture.ts'
import { oidcCollections } from './collections.ts'

const api = 'https://api.example.com'
const apiScopes = { identifier: api, scopes: ['orders:read', 'orders:write'] }

const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
})
const secret = clients.web.clientSecret

/** Signs in for an app, and redeems its code. */
async function tokensFor(
  world: World,
  clientId: string,
  parameters: Readonly<Record<string, string>> = {},
  { redeem = {}, handle }: { redeem?: Record<string, string>; handle?: client.DPoPHandle } = {},
) {
  const configuration = await world.configuration(clientId)
  const { url, verifier, state } = await authorize(configuration, parameters)
  const browser = world.browser()
  let page = await browser.signIn(await browser.open(url))
  if (page.text !== '') page = await browser.send(page, { decision: 'allow' })
  const tokens = await client.authorizationCodeGrant(
    configuration,
    page.url,
    { pkceCodeVerifier: verifier, expectedState: state },
    redeem,
    handle === undefined ? {} : { DPoP: handle },
  )
  return { configuration, browser, tokens, refresh: tokens.refresh_token ?? '' }
}

/** What an API reads in a token, if it trusts the published keys. */
async function readToken(world: World, token: string, audience: string) {
  const keys = createRemoteJWKSet(new URL(`${origin}/oidc/jwks`), {
    [customFetch]: (url, init) => world.fetch(url, init as RequestInit),
  })
  const options = { issuer: origin, audience, typ: 'at+jwt', currentDate: new Date() }
  return jwtVerify(token, keys, options)
}

const refused = (error: string) => expect.objectContaining({ error })

describe('refresh tokens', () => {
  it('are replaced by each use; a used one ends all tokens of the grant', async () => {
    const world = await startWorld()
    const { configuration, refresh } = await tokensFor(world, 'spa')
    const second = await client.refreshTokenGrant(configuration, refresh)
    expect(second.refresh_token).not.toBe(refresh)
    const third = await client.refreshTokenGrant(configuration, second.refresh_token ?? '')
    await expect(client.refreshTokenGrant(configuration, refresh)).rejects.toEqual(
      refused('invalid_grant'),
    )
    await expect(
      client.refreshTokenGrant(configuration, third.refresh_token ?? ''),
    ).rejects.toEqual(refused('invalid_grant'))
    const { status } = await world.fetch(`${origin}/oidc/userinfo`, {
      headers: { authorization: `Bearer ${third.access_token}` },
    })
    expect(status).toBe(401)
  })

  it('are given to one of several requests at the same time, and then end', async () => {
    const world = await startWorld()
    const { configuration, refresh } = await tokensFor(world, 'spa')
    const outcomes = await Promise.allSettled(
      Array.from({ length: 5 }, () => client.refreshTokenGrant(configuration, refresh)),
    )
    const given = outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    expect(given.length).toBeLessThanOrEqual(1)
    for (const { refresh_token: next = '' } of given) {
      await expect(client.refreshTokenGrant(configuration, next)).rejects.toEqual(
        refused('invalid_grant'),
      )
    }
  })

  it('end with the session, unless the app may act while the person is away', async () => {
    const world = await startWorld()
    const bound = await tokensFor(world, 'web')
    const scope = 'openid offline_access'
    const offline = await tokensFor(world, 'web', { scope, prompt: 'consent' })
    expect(offline.tokens.scope).toContain('offline_access')
    for (const { id } of await listSessions(world.auth, world.userId)) {
      await revokeSession(world.auth, id)
    }
    await expect(client.refreshTokenGrant(bound.configuration, bound.refresh)).rejects.toEqual(
      refused('invalid_grant'),
    )
    const next = await client.refreshTokenGrant(offline.configuration, offline.refresh)
    expect(next.access_token).not.toBe('')
    await disableUser(world.auth, world.userId)
    await expect(
      client.refreshTokenGrant(offline.configuration, next.refresh_token ?? ''),
    ).rejects.toEqual(refused('invalid_grant'))
  })

  it('belong to their client', async () => {
    const world = await startWorld()
    const { refresh } = await tokensFor(world, 'web')
    const other = await world.configuration('asking')
    await expect(client.refreshTokenGrant(other, refresh)).rejects.toEqual(refused('invalid_grant'))
  })
})

describe('events', () => {
  it('say which apps people let in and take back, and which tokens came again, without the tokens', async () => {
    const found: AuthEvent[] = []
    const onEvent = (event: AuthEvent): void => {
      if (event.type.startsWith('oidc.')) found.push(event)
    }
    const world = await startWorld({ auth: { onEvent } })
    const { configuration, refresh } = await tokensFor(world, 'asking')
    const { refresh_token: next = '' } = await client.refreshTokenGrant(configuration, refresh)
    await expect(client.refreshTokenGrant(configuration, refresh)).rejects.toThrow()
    await world.oidc.revokeApp(world.userId, 'asking')
    // A process that starts delivers at once what is stored.
    const running = startAuth(world.auth)
    onTestFinished(() => running.stop())
    await vi.waitFor(() => expect(found).toHaveLength(3), { timeout: 30_000 })
    expect(new Set(found.map(({ type }) => type))).toEqual(
      new Set(['oidc.app.authorized', 'oidc.token.reused', 'oidc.app.revoked']),
    )
    for (const { payload, context } of found) {
      expect(payload).toMatchObject({ app: { client_id: 'asking' } })
      expect(context.user_id).toBe(world.userId)
    }
    const all = JSON.stringify(found)
    for (const token of [refresh, next]) expect(all).not.toContain(token)
  })
})

describe('access tokens for an API', () => {
  const oidc = {
    resources: [{ ...apiScopes, accessTokenSeconds: 120 }],
    clients: [
      { ...clients.web, resources: [api] },
      { ...clients.service, resources: [api], scopes: ['orders:read'] },
      clients.spa,
    ],
  }

  it('are JWTs with the scopes of that API, for no other audience', async () => {
    const world = await startWorld({ oidc })
    const parameters = { resource: api, scope: 'openid orders:read unknown' }
    const { tokens } = await tokensFor(world, 'web', parameters, { redeem: { resource: api } })
    const { payload, protectedHeader } = await readToken(world, tokens.access_token, api)
    expect(protectedHeader).toMatchObject({ alg: 'ES256', typ: 'at+jwt' })
    expect(payload).toMatchObject({
      sub: world.userId,
      client_id: 'web',
      scope: 'orders:read',
      exp: (payload.iat ?? 0) + 120,
    })
    const userinfo = await world.fetch(`${origin}/oidc/userinfo`, {
      headers: { authorization: `Bearer ${tokens.access_token}` },
    })
    expect(userinfo.status).toBe(401)
  })

  it('are refused to clients that may not ask for the API', async () => {
    const world = await startWorld({ oidc })
    const { url } = await authorize(await world.configuration('spa'), { resource: api })
    const page = await world.browser().open(url)
    expect(page.url.searchParams.get('error')).toBe('invalid_target')
  })

  it('are given to machines with their secret, for their scopes', async () => {
    const world = await startWorld({ oidc })
    const configuration = await world.configuration('service')
    const asked = { resource: api, scope: 'orders:read' }
    const { access_token: token } = await client.clientCredentialsGrant(configuration, asked)
    const { payload } = await readToken(world, token, api)
    expect(payload).toMatchObject({ sub: 'service', client_id: 'service', scope: 'orders:read' })
    const more = { ...asked, scope: 'orders:read orders:write' }
    const less = await client.clientCredentialsGrant(configuration, more)
    expect(less.scope).toBe('orders:read')
    const wrong = await world.fetch(`${origin}/oidc/token`, {
      method: 'POST',
      headers: basic('service', 'not-the-secret'),
      body: new URLSearchParams({ grant_type: 'client_credentials', ...asked }),
    })
    expect([wrong.status, await wrong.json()]).toEqual([401, refused('invalid_client')])
    expect(JSON.stringify(world.logged)).not.toContain('not-the-secret')
  })
})

describe('the secret of a client', () => {
  it('may be one of two while one replaces the other, in the header or in the body', async () => {
    const next = 'another-secret-of-24-characters-or-more'
    const service = { ...clients.service, clientSecret: [next, secret], resources: [api] }
    const world = await startWorld({ oidc: { clients: [service], resources: [apiScopes] } })
    const grant = { grant_type: 'client_credentials', resource: api, scope: 'orders:read' }
    const ask = async (headers: Record<string, string>, body: Record<string, string>) => {
      const form = new URLSearchParams({ ...grant, ...body })
      const answer = await world.fetch(`${origin}/oidc/token`, {
        method: 'POST',
        headers,
        body: form,
      })
      return answer.status
    }
    expect(await ask(basic('service', secret), {})).toBe(200)
    expect(await ask(basic('service', next), {})).toBe(200)
    expect(await ask({}, { client_id: 'service', client_secret: next })).toBe(200)
    expect(await ask({}, { client_id: 'service' })).toBe(401)
    world.oidc.update({
      clients: [{ ...service, clientSecret: next }],
      resources: [apiScopes],
    })
    expect(await ask(basic('service', secret), {})).toBe(401)
    expect(await ask(basic('service', next), {})).toBe(200)
  })
})

describe('DPoP', () => {
  it('binds tokens to a key, and takes each proof once', async () => {
    const world = await startWorld({
      oidc: { clients: [{ ...clients.spa, requireDpop: true }] },
    })
    const configuration = await world.configuration('spa')
    const handle = client.getDPoPHandle(configuration, await client.randomDPoPKeyPair())
    const { tokens, refresh } = await tokensFor(world, 'spa', {}, { handle })
    expect(tokens.token_type).toBe('dpop')
    const options = { DPoP: handle }
    const claims = await client.fetchUserInfo(
      configuration,
      tokens.access_token,
      world.userId,
      options,
    )
    expect(claims.email).toBe(email)
    const bearer = await world.fetch(`${origin}/oidc/userinfo`, {
      headers: { authorization: `Bearer ${tokens.access_token}` },
    })
    expect(bearer.status).toBe(401)
    await expect(client.refreshTokenGrant(configuration, refresh)).rejects.toMatchObject({
      status: 400,
    })
    const other = client.getDPoPHandle(configuration, await client.randomDPoPKeyPair())
    await expect(
      client.refreshTokenGrant(configuration, refresh, undefined, { DPoP: other }),
    ).rejects.toEqual(refused('invalid_grant'))
    const next = await client.refreshTokenGrant(configuration, refresh, undefined, options)
    expect(next.token_type).toBe('dpop')
  })
})

describe('pushed authorization requests', () => {
  it('begin a request with nothing in the address, once', async () => {
    const world = await startWorld({ oidc: { clients: [{ ...clients.web, requirePar: true }] } })
    const configuration = await world.configuration('web')
    const direct = await authorize(configuration)
    const refusal = await world.browser().open(direct.url)
    expect(refusal.url.searchParams.get('error')).toBe('invalid_request')
    const verifier = client.randomPKCECodeVerifier()
    const url = await client.buildAuthorizationUrlWithPAR(configuration, {
      redirect_uri: callback,
      scope: 'openid',
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    })
    expect([...url.searchParams.keys()].toSorted()).toEqual(['client_id', 'request_uri'])
    const browser = world.browser()
    const back = await browser.signIn(await browser.open(url))
    const tokens = await client.authorizationCodeGrant(configuration, back.url, {
      pkceCodeVerifier: verifier,
    })
    expect(tokens.access_token).not.toBe('')
    expect((await browser.open(url)).status).toBe(400)
  })
})

describe('revocation and introspection', () => {
  it('tell a resource server whether a token is valid, and end it', async () => {
    const world = await startWorld()
    const { configuration, tokens, refresh } = await tokensFor(world, 'web')
    const { access_token: token } = tokens
    expect(await client.tokenIntrospection(configuration, token)).toMatchObject({
      active: true,
      client_id: 'web',
      sub: world.userId,
      scope: 'openid email',
    })
    const other = await world.configuration('spa')
    expect(await client.tokenIntrospection(other, token)).toEqual({ active: false })
    await client.tokenRevocation(configuration, refresh)
    expect(await client.tokenIntrospection(configuration, token)).toEqual({ active: false })
    await expect(client.refreshTokenGrant(configuration, refresh)).rejects.toEqual(
      refused('invalid_grant'),
    )
  })

  it('do not let one client end the tokens of another', async () => {
    const world = await startWorld()
    const { configuration, tokens } = await tokensFor(world, 'web')
    const other = await world.configuration('asking')
    await client.tokenRevocation(other, tokens.access_token).catch(() => undefined)
    const still = await client.tokenIntrospection(configuration, tokens.access_token)
    expect(still.active).toBe(true)
  })
})

describe('the claims of a person', () => {
  it('are those of the scopes: attributes, roles, groups, and what the program adds', async () => {
    const attributes = ['x_role', 'x_groups', 'x_berth'].map((name, index) => ({
      id: `000${index}`,
      pointer: `/${name}`,
      type: 'string',
    }))
    const world = await startWorld({
      config: { user_profile: { custom_attributes: { attributes } } },
      oidc: {
        clients: [clients.web],
        scopes: { harbor: { claims: ['x_berth', 'x_tide'] } },
        claims: async (_user, { scopes, client: { clientId } }) => ({
          x_tide: `${clientId}: ${scopes.join(' ')}`,
          x_hidden: 'no scope names it',
        }),
      },
    })
    await updateUser(world.auth, world.userId, {
      standard_attributes: { name: 'Maya Lindqvist', locale: 'sv' },
      custom_attributes: { x_role: 'admin', x_groups: 'crew', x_berth: 'B4' },
    })
    const read = async (scope: string) => {
      const { configuration, tokens } = await tokensFor(world, 'web', { scope })
      return client.fetchUserInfo(configuration, tokens.access_token, world.userId)
    }
    expect(await read('openid roles groups')).toEqual({
      sub: world.userId,
      roles: ['admin'],
      groups: ['crew'],
    })
    expect(await read('openid profile harbor')).toEqual({
      sub: world.userId,
      name: 'Maya Lindqvist',
      locale: 'sv',
      updated_at: expect.any(Number),
      x_berth: 'B4',
      x_tide: 'web: openid profile harbor',
    })
    expect(await read('openid')).toEqual({ sub: world.userId })
  })
})

describe('requests of browsers to the token endpoint', () => {
  const preflight = (world: World, from: string, path = 'token') =>
    world.fetch(`${origin}/oidc/${path}`, {
      method: 'OPTIONS',
      headers: { origin: from, 'access-control-request-method': 'POST' },
    })

  it('may come from the origin of a redirect URI of an app without a secret, and no other', async () => {
    const world = await startWorld()
    const ask = async (from: string, id: string) => {
      const answer = await world.fetch(`${origin}/oidc/token`, {
        method: 'POST',
        headers: { origin: from, 'content-type': 'application/x-www-form-urlencoded' },
        body: `grant_type=refresh_token&refresh_token=x&client_id=${id}`,
      })
      return answer.headers.get('access-control-allow-origin')
    }
    expect(await ask('https://app.example.com', 'spa')).toBe('https://app.example.com')
    expect(await ask('https://evil.example', 'spa')).toBeNull()
    expect((await preflight(world, 'https://app.example.com')).status).toBe(204)
  })
})

describe('the endpoints', () => {
  it('describe themselves, for all', async () => {
    const world = await startWorld()
    const answers = await Promise.all(
      ['openid-configuration', 'oauth-authorization-server'].map(async (name) => {
        const answer = await world.fetch(`${origin}/.well-known/${name}`)
        expect(answer.headers.get('cache-control')).toBe('public, max-age=300')
        return answer.json()
      }),
    )
    expect(answers[0]).toEqual(answers[1])
    expect(answers[0]).toMatchObject({
      issuer: origin,
      authorization_endpoint: `${origin}/oidc/authorize`,
      token_endpoint: `${origin}/oidc/token`,
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      id_token_signing_alg_values_supported: ['RS256', 'ES256'],
    })
    for (const off of ['registration_endpoint', 'device_authorization_endpoint']) {
      expect(answers[0]).not.toHaveProperty(off)
    }
  })

  it('publish public keys only', async () => {
    const world = await startWorld()
    const answer = await world.fetch(`${origin}/oidc/jwks`)
    const { keys } = (await answer.json()) as { keys: { alg: string }[] }
    expect(keys.map(({ alg }) => alg)).toEqual(['RS256', 'ES256'])
    for (const key of keys) expect(key).not.toHaveProperty('d')
  })

  it.each(['/oidc/register', '/oidc/device_authorization', '/oidc/device'])(
    'do not have %s unless it is on',
    async (path) => {
      const world = await startWorld()
      const { status } = await world.fetch(`${origin}${path}`, { method: 'POST' })
      expect(status).toBe(404)
    },
  )

  it('refuse other methods, longer bodies and too many requests', async () => {
    const world = await startWorld()
    const wrong = await world.fetch(`${origin}/oidc/token`, { method: 'PUT' })
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'POST, OPTIONS'])
    const long = await world.fetch(`${origin}/oidc/token`, {
      method: 'POST',
      body: 'x'.repeat(70_000),
    })
    expect(long.status).toBe(413)
    const head = await world.fetch(`${origin}/oidc/jwks`, { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
    const statuses = []
    for (let sent = 0; sent < 602; sent++) {
      statuses.push((await world.fetch(`${origin}/oidc/token`, { method: 'POST' })).status)
    }
    expect(statuses.at(-1)).toBe(429)
    vi.setSystemTime(Date.now() + 60_000)
    expect((await world.fetch(`${origin}/oidc/token`, { method: 'POST' })).status).toBe(400)
  })

  it('store nothing that could be used by a reader of the database', async () => {
    const storage = createMemoryStorage()
    const world = await startWorld({ storage })
    const { tokens, refresh, browser } = await tokensFor(world, 'web')
    const records = await Promise.all(
      oidcCollections.map((one) => storage.find(one, { by: 'id', limit: 1_000 })),
    )
    const stored = JSON.stringify(records)
    expect(records.flat().length).toBeGreaterThan(4)
    for (const token of [tokens.access_token, refresh, secret]) {
      expect(stored).not.toContain(token)
    }
    const [, session = ''] = /oidc_session=([^;]+)/.exec(browser.cookies('/oidc/authorize')) ?? []
    expect(session).not.toBe('')
    expect(stored).not.toContain(session)
  })
})
