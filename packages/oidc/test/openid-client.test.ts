import { text as readText } from 'node:stream/consumers'
import { createSession, startAuth } from '@gatehouse/core'
import { listSessions } from '@gatehouse/core/auth'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import * as client from 'openid-client'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { OidcClient } from '../src/index.ts'
import {
  type Asked,
  ask,
  callback,
  createPerson,
  type Live,
  listen,
  type Person,
  secret,
  startLive,
} from './live.fixture.ts'

const bye = 'https://app.example.com/bye'
const api = 'https://api.example.com'

const web: OidcClient = {
  clientId: 'web',
  name: 'Harbor Board',
  type: 'web',
  clientSecret: secret,
  redirectUris: [callback],
  postLogoutRedirectUris: [bye],
  consent: 'never',
  resources: [api],
}
const spa: OidcClient = {
  clientId: 'spa',
  name: 'Shop',
  type: 'spa',
  redirectUris: [callback],
  consent: 'never',
}
const native: OidcClient = {
  clientId: 'native',
  name: 'Command line',
  type: 'native',
  redirectUris: ['http://127.0.0.1/callback'],
}
const robot: OidcClient = {
  clientId: 'robot',
  name: 'Robot',
  type: 'service',
  clientSecret: secret,
  resources: [api],
}
const resources = [{ identifier: api, scopes: ['orders:read', 'orders:write'] }]

/** Starts a server with these clients. */
const start = (...clients: readonly OidcClient[]): Promise<Live> =>
  startLive({ oidc: { clients, resources, deviceFlow: true } })

/** Signs a person in for an app, and redeems the code. */
async function signIn(
  configuration: client.Configuration,
  person: Person,
  { url, checks }: Asked,
): Promise<Awaited<ReturnType<typeof client.authorizationCodeGrant>>> {
  const page = await person.open(url)
  const back = page.url.pathname === '/login' ? await person.signIn(page) : page
  return client.authorizationCodeGrant(configuration, back.url, checks)
}

/** A browser whose person has signed in by these means. */
async function personWith(live: Live, amr: readonly string[]): Promise<Person> {
  const person = createPerson()
  const { cookies } = await createSession(live.auth, live.userId, { amr: [...amr] })
  person.keep(live.origin, cookies)
  return person
}

describe('openid-client, over HTTP', () => {
  it('signs a person in for an app with a secret, reads the claims, and refreshes', async () => {
    const live = await start(web)
    const person = createPerson()
    const configuration = await live.discover('web')
    const tokens = await signIn(configuration, person, await ask(configuration))
    const claims = tokens.claims()
    expect(claims).toMatchObject({ iss: live.origin, aud: 'web', sub: live.userId, acr: 'aal1' })
    const info = await client.fetchUserInfo(configuration, tokens.access_token, live.userId)
    expect(info).toMatchObject({ sub: live.userId, email: 'maya@example.com' })
    const refreshed = await client.refreshTokenGrant(configuration, tokens.refresh_token ?? '')
    expect(refreshed.refresh_token).not.toBe(tokens.refresh_token)
    expect(refreshed.claims()?.sub).toBe(live.userId)
    // A token that was used before is a stolen one, so nothing of the sign-in counts any more.
    for (const token of [tokens.refresh_token, refreshed.refresh_token]) {
      await expect(client.refreshTokenGrant(configuration, token ?? '')).rejects.toMatchObject({
        error: 'invalid_grant',
      })
    }
    for (const word of [secret, tokens.access_token, tokens.id_token ?? '', 'tidal-lantern']) {
      expect(live.log()).not.toContain(word)
    }
  })

  it('sends the secret in the body, too', async () => {
    const live = await start(web)
    const configuration = await live.discover('web', client.ClientSecretPost(secret))
    const tokens = await signIn(configuration, createPerson(), await ask(configuration))
    expect(tokens.claims()?.sub).toBe(live.userId)
  })

  it('signs a person in for a page without a secret, which other origins cannot do', async () => {
    const live = await start(spa)
    const configuration = await live.discover('spa', client.None())
    const tokens = await signIn(configuration, createPerson(), await ask(configuration))
    expect(tokens.claims()?.aud).toBe('spa')
    const { token_endpoint: endpoint = '' } = configuration.serverMetadata()
    const body = new URLSearchParams({ grant_type: 'refresh_token', client_id: 'spa' })
    const allowed = async (origin: string): Promise<string | null> => {
      const answer = await fetch(endpoint, { method: 'POST', body, headers: { origin } })
      return answer.headers.get('access-control-allow-origin')
    }
    expect(await allowed('https://app.example.com')).toBe('https://app.example.com')
    expect(await allowed('https://evil.example')).toBeNull()
  })

  it('signs a person in for a program that listens on a port of this machine', async () => {
    const live = await start(native)
    const answered: string[] = []
    const listener = await listen('127.0.0.1', (request, response) => {
      answered.push(request.url ?? '')
      response.end('You may close this window.')
    })
    const person = createPerson()
    const configuration = await live.discover('native', client.None())
    const { url, checks } = await ask(configuration, { redirect_uri: `${listener}/callback` })
    const consent = await person.signIn(await person.open(url))
    expect(consent.text).toContain('Command line')
    const page = await person.press(consent, { decision: 'allow' })
    expect(page.text).toBe('You may close this window.')
    const back = new URL(answered[0] ?? '', listener)
    const tokens = await client.authorizationCodeGrant(configuration, back, checks)
    expect(tokens.claims()?.sub).toBe(live.userId)
  })

  it('pushes its request, and has to if the client is set up so', async () => {
    const live = await start({ ...web, requirePar: true })
    const configuration = await live.discover('web')
    const pushed = await ask(configuration, {}, client.buildAuthorizationUrlWithPAR)
    expect([...pushed.url.searchParams.keys()].sort()).toEqual(['client_id', 'request_uri'])
    const tokens = await signIn(configuration, createPerson(), pushed)
    expect(tokens.claims()?.sub).toBe(live.userId)
    const open = await createPerson().open((await ask(configuration)).url)
    expect(open.url.searchParams.get('error')).toBe('invalid_request')
  })

  it('binds its tokens to a key, which everybody else lacks', async () => {
    const live = await start({ ...web, requireDpop: true })
    const configuration = await live.discover('web')
    const handle = async () =>
      client.getDPoPHandle(configuration, await client.randomDPoPKeyPair('ES256'))
    const DPoP = await handle()
    const { url, checks } = await ask(configuration)
    const person = createPerson()
    const back = await person.signIn(await person.open(url))
    const tokens = await client.authorizationCodeGrant(configuration, back.url, checks, undefined, {
      DPoP,
    })
    expect(tokens.token_type).toBe('dpop')
    const read = (given: object) =>
      client.fetchUserInfo(configuration, tokens.access_token, live.userId, given)
    expect(await read({ DPoP })).toMatchObject({ sub: live.userId })
    await expect(read({ DPoP: await handle() })).rejects.toMatchObject({ status: 401 })
    await expect(read({})).rejects.toMatchObject({ status: 401 })
    const refresh = (given: object) =>
      client.refreshTokenGrant(configuration, tokens.refresh_token ?? '', undefined, given)
    await expect(refresh({})).rejects.toMatchObject({ error: 'invalid_grant' })
    expect((await refresh({ DPoP })).token_type).toBe('dpop')
  })

  it('gets a token for an API, which verifies it by the published keys', async () => {
    const live = await start(web, robot)
    const configuration = await live.discover('web')
    const parameters = { scope: 'openid orders:read', resource: api }
    const tokens = await signIn(configuration, createPerson(), await ask(configuration, parameters))
    const keys = createRemoteJWKSet(new URL(configuration.serverMetadata().jwks_uri ?? ''))
    const { payload } = await jwtVerify(tokens.access_token, keys, {
      issuer: live.origin,
      audience: api,
      typ: 'at+jwt',
    })
    expect(payload).toMatchObject({ sub: live.userId, client_id: 'web', scope: 'orders:read' })
    const other = await ask(configuration, { ...parameters, resource: 'https://other.example' })
    const refused = await createPerson().open(other.url)
    expect(refused.url.searchParams.get('error')).toBe('invalid_target')
  })

  it('gets a token for a machine, by the credentials of the client alone', async () => {
    const live = await start(robot)
    const configuration = await live.discover('robot')
    const tokens = await client.clientCredentialsGrant(configuration, {
      resource: api,
      scope: 'orders:write',
    })
    const keys = createRemoteJWKSet(new URL(configuration.serverMetadata().jwks_uri ?? ''))
    const { payload } = await jwtVerify(tokens.access_token, keys, { audience: api })
    expect(payload).toMatchObject({ sub: 'robot', client_id: 'robot', scope: 'orders:write' })
    expect(tokens.refresh_token).toBeUndefined()
    const stranger = await live.discover('robot', client.ClientSecretBasic(`${secret}!`))
    await expect(client.clientCredentialsGrant(stranger, { resource: api })).rejects.toMatchObject({
      status: 401,
      cause: [{ parameters: { error: 'invalid_client' } }],
    })
  })

  it('lets a device in, whose code a person enters elsewhere', async () => {
    const live = await start(native)
    const configuration = await live.discover('native', client.None())
    const begun = await client.initiateDeviceAuthorization(configuration, { scope: 'openid email' })
    expect(begun.verification_uri).toBe(`${live.origin}/oidc/device`)
    const person = createPerson()
    const entered = await person.open(begun.verification_uri_complete ?? '')
    expect(entered.text).toContain(begun.user_code)
    const confirm = await person.press(entered, { user_code: begun.user_code })
    const login = await person.press(confirm, {})
    const consent = await person.signIn(login)
    const done = await person.press(consent, { decision: 'allow' })
    expect([done.status, done.text.includes('Command line')]).toEqual([200, true])
    // The device may ask at once: this is the first time.
    const tokens = await client.pollDeviceAuthorizationGrant(configuration, {
      ...begun,
      interval: 1,
    })
    expect(tokens.claims()?.sub).toBe(live.userId)
  })

  it('asks about a token, and ends it', async () => {
    const live = await start(web)
    const configuration = await live.discover('web')
    const tokens = await signIn(configuration, createPerson(), await ask(configuration))
    const isActive = async (token: string): Promise<boolean> =>
      (await client.tokenIntrospection(configuration, token)).active
    const { access_token: access, refresh_token: refresh = '' } = tokens
    expect(await client.tokenIntrospection(configuration, access)).toMatchObject({
      active: true,
      client_id: 'web',
      sub: live.userId,
      scope: 'openid email',
    })
    expect(await isActive(refresh)).toBe(true)
    // What came with it ends, too. @see RFC 7009, section 2.1
    await client.tokenRevocation(configuration, access)
    expect([await isActive(access), await isActive(refresh)]).toEqual([false, false])
    await expect(client.refreshTokenGrant(configuration, refresh)).rejects.toMatchObject({
      error: 'invalid_grant',
    })
  })

  it('signs out here, and tells the other app, from behind', async () => {
    const told: string[] = []
    const receiver = await listen('127.0.0.1', (request, response) => {
      void readText(request).then((body) => {
        told.push(new URLSearchParams(body).get('logout_token') ?? '')
        response.end()
      })
    })
    const live = await start(web, { ...spa, backchannelLogoutUri: `${receiver}/logout` })
    const running = startAuth(live.auth)
    onTestFinished(() => running.stop())
    const person = createPerson()
    const configuration = await live.discover('web')
    const tokens = await signIn(configuration, person, await ask(configuration))
    const shop = await live.discover('spa', client.None())
    const shopTokens = await signIn(shop, person, await ask(shop))
    const url = client.buildEndSessionUrl(configuration, {
      post_logout_redirect_uri: bye,
      id_token_hint: tokens.id_token ?? '',
      state: 'from the board',
    })
    const page = await person.open(url)
    expect(page.text).toContain('Harbor Board')
    const left = await person.press(page, { logout: 'yes' })
    expect(left.url.href).toBe(`${bye}?state=from+the+board`)
    expect(await listSessions(live.auth, live.userId)).toEqual([])
    await expect.poll(() => told.length).toBe(1)
    const keys = createRemoteJWKSet(new URL(configuration.serverMetadata().jwks_uri ?? ''))
    const { payload } = await jwtVerify(told[0] ?? '', keys, {
      issuer: live.origin,
      audience: 'spa',
      typ: 'logout+jwt',
    })
    expect(payload).toMatchObject({
      events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
    })
    expect(payload.sid).toBe(shopTokens.claims()?.sid)
    await expect(
      client.refreshTokenGrant(shop, shopTokens.refresh_token ?? ''),
    ).rejects.toMatchObject({ error: 'invalid_grant' })
    const none = await person.open((await ask(shop, { prompt: 'none' })).url)
    expect(none.url.searchParams.get('error')).toBe('login_required')
  })

  it('asks for a fresh sign-in, for an age of it, and for a second factor', async () => {
    const live = await start(web)
    const configuration = await live.discover('web')
    const known = await personWith(live, ['pwd'])
    const at = async (parameters: Readonly<Record<string, string>>, person = known) =>
      (await person.open((await ask(configuration, parameters)).url)).url
    expect((await at({ prompt: 'login' })).pathname).toBe('/login')
    expect((await at({ max_age: '0' })).pathname).toBe('/login')
    expect((await at({ max_age: '600' })).searchParams.get('code')).not.toBeNull()
    expect((await at({ acr_values: 'aal2' })).pathname).toBe('/login')
    const strong = await personWith(live, ['pwd', 'otp', 'mfa'])
    const back = await at({ acr_values: 'aal2', prompt: 'none' }, strong)
    expect(back.searchParams.get('code')).not.toBeNull()
    const stranger = await at({ prompt: 'none' }, createPerson())
    expect(stranger.searchParams.get('error')).toBe('login_required')
  })

  it('keeps a refresh token after the sign-out only if it has asked for offline access', async () => {
    const live = await start(web)
    const configuration = await live.discover('web')
    const person = createPerson()
    const brief = await signIn(configuration, person, await ask(configuration))
    const offline = await ask(configuration, { scope: 'openid offline_access', prompt: 'consent' })
    const lasting = await signIn(configuration, person, offline)
    const page = await person.open(client.buildEndSessionUrl(configuration))
    const left = await person.press(page, { logout: 'yes' })
    expect(left.status).toBe(200)
    await expect(
      client.refreshTokenGrant(configuration, brief.refresh_token ?? ''),
    ).rejects.toMatchObject({ error: 'invalid_grant' })
    const after = await client.refreshTokenGrant(configuration, lasting.refresh_token ?? '')
    expect(after.refresh_token).toBeDefined()
  })
})
