import {
  type AuthEvent,
  accountRoutes,
  deleteUser,
  fetchHandler,
  identifyRequests,
  startAuth,
  userRoutes,
} from '@gatehouse/core'
import {
  anonymizeUser,
  exportAccount,
  getSession,
  impersonateUser,
  listSessions,
} from '@gatehouse/core/auth'
import { driveFlow } from '@gatehouse/core/testing'
import * as client from 'openid-client'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { disownSignIn } from '../../../core/src/auth/sessions/disown-sign-in.ts'
import {
  authorize,
  clients,
  origin,
  startWorld,
  type World,
  type WorldOptions,
} from '../../test/world.fixture.ts'
import type { OidcOptions } from '../config/options.ts'
import { modelCollections } from '../models/model-record.ts'
import { appCollection, idOfApp, maxApps } from './authorized-app.ts'

const api = 'https://api.example.com'

const oidc: Partial<OidcOptions> = {
  clients: [{ ...clients.asking, resources: [api] }, clients.web, clients.spa],
  resources: [
    {
      identifier: api,
      name: { en: 'Harbor API', de: 'Hafen-API' },
      scopes: ['berths:read'],
      descriptions: { 'berths:read': { en: 'See berths', de: 'Liegeplätze ansehen' } },
    },
  ],
}

/** A world whose accounts can be seen by people and by operators, and its events. */
async function start(
  config: WorldOptions['config'] = {},
): Promise<World & { readonly events: AuthEvent[]; deliver(): void; send: Send }> {
  const events: AuthEvent[] = []
  const onEvent = (event: AuthEvent): void => {
    if (event.type.startsWith('oidc.')) events.push(event)
  }
  const world = await startWorld({ oidc, config, auth: { onEvent, authorize: () => true } })
  // A process that starts delivers at once what is stored, and looks for more every second.
  const deliver = (): void => {
    const running = startAuth(world.auth)
    onTestFinished(() => running.stop())
  }
  const handle = fetchHandler([
    ...accountRoutes(world.auth),
    ...identifyRequests(userRoutes(world.auth), async () => ({ id: 'ops', kind: 'user' })),
  ])
  const send: Send = async (method, path, headers = {}) => {
    const answer = await handle(new Request(`${origin}${path}`, { method, headers }))
    const text = await answer.text()
    return { status: answer.status, body: text === '' ? {} : JSON.parse(text) }
  }
  return { ...world, events, deliver, send }
}

type Send = (
  method: string,
  path: string,
  headers?: Readonly<Record<string, string>>,
) => Promise<{ readonly status: number; readonly body: Readonly<Record<string, unknown>> }>

/** Signs in for an app, lets it in, and redeems its code. */
async function letIn(world: World, clientId: string, browser = world.browser()) {
  const configuration = await world.configuration(clientId)
  const { url, verifier, state } = await authorize(configuration, {
    scope: clientId === 'asking' ? 'openid email offline_access berths:read' : 'openid email',
    ...(clientId === 'asking' ? { resource: api, prompt: 'consent' } : {}),
  })
  let page = await browser.open(url)
  if (page.url.pathname === '/login') page = await browser.signIn(page)
  if (page.text !== '') page = await browser.send(page, { decision: 'allow' })
  const tokens = await client.authorizationCodeGrant(configuration, page.url, {
    pkceCodeVerifier: verifier,
    expectedState: state,
  })
  const refresh = () => client.refreshTokenGrant(configuration, tokens.refresh_token ?? '')
  return { configuration, browser, tokens, refresh, cookie: browser.cookies('/') }
}

const invalidGrant = expect.objectContaining({ error: 'invalid_grant' })

describe('the apps of an account', () => {
  it('are listed in words of the language of the page, and taken back with all their tokens', async () => {
    const { send, events, deliver, ...world } = await start()
    const { cookie, browser, refresh } = await letIn(world, 'asking')
    vi.setSystemTime(Date.now() + 60_000)
    const { refresh: kept } = await letIn(world, 'web', browser)
    const listed = await send('GET', '/api/v1/account/apps?ui_locales=de', { cookie })
    expect(listed).toEqual({
      status: 200,
      body: {
        result: {
          items: [
            {
              client_id: 'web',
              name: 'Harbor Board',
              scopes: [],
              resources: [],
              access: [],
              authorized_at: '2026-03-04T10:01:00.000Z',
              last_used_at: '2026-03-04T10:01:00.000Z',
            },
            {
              client_id: 'asking',
              name: 'Weather Notes',
              scopes: ['openid', 'email', 'offline_access'],
              resources: [{ identifier: api, scopes: ['berths:read'] }],
              access: [
                { items: expect.arrayContaining(['Ihre E-Mail-Adresse']) },
                { api: expect.stringContaining('Hafen-API'), items: ['Liegeplätze ansehen'] },
              ],
              authorized_at: '2026-03-04T10:00:00.000Z',
              last_used_at: '2026-03-04T10:00:00.000Z',
            },
          ],
        },
      },
    })
    const byBrowser = { cookie, 'accept-language': 'fr-CH, en' }
    const { body } = await send('GET', '/api/v1/account/apps', byBrowser)
    expect(JSON.stringify(body)).toContain('Votre adresse e-mail')

    const end = () => send('DELETE', '/api/v1/account/apps/asking', { cookie })
    expect(await end()).toMatchObject({ status: 200 })
    expect((await end()).body.error).toMatchObject({ code: 404, reason: 'AppNotFound' })
    await expect(refresh()).rejects.toEqual(invalidGrant)
    expect((await kept()).access_token).not.toBe('')
    deliver()
    await vi.waitFor(() => expect(events).toHaveLength(3), { timeout: 30_000 })
    expect(events.find(({ type }) => type === 'oidc.app.revoked')).toMatchObject({
      payload: {
        user: { id: world.userId },
        app: { client_id: 'asking', name: 'Weather Notes' },
      },
      context: { triggered_by: 'user', user_id: world.userId },
    })
    expect(events.find(({ type }) => type === 'oidc.app.authorized')).toMatchObject({
      context: { triggered_by: 'user' },
    })
    const { body: metrics } = await world.auth.metrics.expose(null)
    expect(metrics).toContain('gatehouse_oidc_apps_authorized_total 2')
    expect(metrics).toContain('gatehouse_oidc_apps_revoked_total 1')
  })

  it('are seen by their own user alone, and not taken back by an operator who acts as the user', async () => {
    const { send, ...world } = await start()
    await letIn(world, 'asking')
    expect((await send('GET', '/api/v1/account/apps')).status).toBe(401)
    expect((await send('DELETE', '/api/v1/account/apps/asking')).status).toBe(401)
    const { token } = await impersonateUser(world.auth, world.userId, {
      operator: 'ops',
      reason: 'ticket 4711',
    })
    const acting = { cookie: `session=${token}` }
    const seen = await send('GET', '/api/v1/account/apps', acting)
    expect(seen.body).toMatchObject({ result: { items: [{ client_id: 'asking' }] } })
    const refused = await send('DELETE', '/api/v1/account/apps/asking', acting)
    expect(refused.body.error).toMatchObject({ code: 403, reason: 'Impersonated' })
    expect(await world.oidc.listApps(world.userId)).toHaveLength(1)
  })

  it('are in the export of the account', async () => {
    const { send: _, ...world } = await start()
    await letIn(world, 'asking')
    const [listed] = await listSessions(world.auth, world.userId)
    const session = await getSession(world.auth, listed?.id ?? '')
    const data = await exportAccount(world.auth, session ?? expect.fail('no session'))
    expect(data.apps).toMatchObject([{ client_id: 'asking', name: 'Weather Notes' }])
  })

  it('may have ids that are URLs, and names that they gave themselves', async () => {
    const { send, ...world } = await start()
    const { cookie } = await letIn(world, 'web')
    const clientId = 'https://tool.example/oauth/client.json?v=1'
    const app = {
      user_id: world.userId,
      client_id: clientId,
      name: 'Tool\u202e\n of mine',
      scopes: ['openid'],
      resources: {},
      authorized_at: 0,
      last_used_at: 0,
    }
    await world.auth.storage.commit([appCollection.write(idOfApp(world.userId, clientId), app)])
    const { body } = await send('GET', '/api/v1/account/apps', { cookie })
    const shown = expect.objectContaining({ client_id: clientId, name: 'Tool of mine' })
    expect(body).toMatchObject({ result: { items: expect.arrayContaining([shown]) } })
    const place = `/api/v1/account/apps/${encodeURIComponent(clientId)}`
    expect((await send('DELETE', place, { cookie })).status).toBe(200)
    expect(await world.oidc.listApps(world.userId)).toMatchObject([{ clientId: 'web' }])
  })
})

describe('one app more than a person may have let in', () => {
  /** Notes apps as let in, the later ones as used later, all after now. */
  async function fill(
    { auth: { storage }, userId }: Pick<World, 'auth' | 'userId'>,
    count: number,
  ) {
    const writes = Array.from({ length: count }, (_, index) => {
      const client_id = `https://tool.example/${index}`
      const at = Date.now() + 1_000 + index
      const times = { authorized_at: at, last_used_at: at }
      const app = { user_id: userId, client_id, scopes: ['openid'], resources: {}, ...times }
      return appCollection.write(idOfApp(userId, client_id), app)
    })
    for (let from = 0; from < writes.length; from += 100) {
      await storage.commit(writes.slice(from, from + 100))
    }
    vi.setSystemTime(Date.now() + 60_000)
  }

  it('takes the place of the one that was least recently used, with its tokens', async () => {
    const { send: _, events, deliver, ...world } = await start()
    const { browser, refresh } = await letIn(world, 'web')
    await fill(world, maxApps - 1)
    await letIn(world, 'asking', browser)
    const ids = (await world.oidc.listApps(world.userId)).map(({ clientId }) => clientId)
    expect(ids).toHaveLength(maxApps)
    expect(ids[0]).toBe('asking')
    expect(ids).not.toContain('web')
    expect(ids).toContain('https://tool.example/0')
    await expect(refresh()).rejects.toEqual(invalidGrant)
    deliver()
    await vi.waitFor(() => expect(events).toHaveLength(3), { timeout: 30_000 })
    expect(events.find(({ type }) => type === 'oidc.app.revoked')).toMatchObject({
      payload: { app: { client_id: 'web' }, by: 'limit' },
      context: { triggered_by: 'system' },
    })
  })

  it('ends a few of those that are too many, not all at once', async () => {
    const { send: _, events: _events, ...world } = await start()
    await fill(world, maxApps + 50)
    await letIn(world, 'asking')
    const ids = (await world.oidc.listApps(world.userId)).map(({ clientId }) => clientId)
    expect(ids).toHaveLength(maxApps + 50 - 10 + 1)
    expect(ids).not.toContain('https://tool.example/9')
    expect(ids).toContain('https://tool.example/10')
  })
})

describe('operators', () => {
  it('list the apps of a user and take them back, by their names in the event', async () => {
    const { send, events, deliver, ...world } = await start()
    const { refresh } = await letIn(world, 'asking')
    const apps = `/gatehouse/v1/users/${world.userId}/apps`
    const { body } = await send('GET', `${apps}?uiLocales=de`)
    expect(body.items).toMatchObject([
      {
        clientId: 'asking',
        authorizedAt: '2026-03-04T10:00:00.000Z',
        access: [{}, { items: ['Liegeplätze ansehen'] }],
      },
    ])
    expect((await send('DELETE', `${apps}/asking`)).status).toBe(200)
    expect((await send('DELETE', `${apps}/asking`)).body).toMatchObject({ reason: 'AppNotFound' })
    expect((await send('GET', '/gatehouse/v1/users/nobody/apps')).body).toMatchObject({
      reason: 'UserNotFound',
    })
    await expect(refresh()).rejects.toEqual(invalidGrant)
    deliver()
    await vi.waitFor(() => expect(events).toHaveLength(2), { timeout: 30_000 })
    expect(events.find(({ type }) => type === 'oidc.app.revoked')).toMatchObject({
      context: { triggered_by: 'admin_api', operator: 'ops' },
    })
  })
})

describe('an app that revokes its own refresh token', () => {
  it('is taken back once it has no other', async () => {
    const { send: _, events, deliver, ...world } = await start()
    const first = await letIn(world, 'asking')
    const second = await letIn(world, 'asking')
    await client.tokenRevocation(first.configuration, first.tokens.refresh_token ?? '')
    expect((await second.refresh()).access_token).not.toBe('')
    expect(await world.oidc.listApps(world.userId)).toHaveLength(1)
    const third = await letIn(world, 'asking', second.browser)
    await client.tokenRevocation(third.configuration, third.tokens.refresh_token ?? '')
    deliver()
    await vi.waitFor(() => expect(events.map(({ type }) => type)).toContain('oidc.app.revoked'), {
      timeout: 30_000,
    })
    expect(events.find(({ type }) => type === 'oidc.app.revoked')).toMatchObject({
      payload: { app: { client_id: 'asking' }, by: 'client' },
      context: { triggered_by: 'system' },
    })
    expect(await world.oidc.listApps(world.userId)).toEqual([])
  })
})

describe('the end of a user', () => {
  it.each([
    ['deleted', deleteUser],
    ['anonymized', anonymizeUser],
  ])('who is %s takes grants, tokens and apps along', async (_, end) => {
    const { send: _send, ...world } = await start()
    const { refresh } = await letIn(world, 'asking')
    const { storage } = world.auth
    await end(world.auth, world.userId)
    const left = await Promise.all(
      [appCollection, modelCollections.Grant, modelCollections.Session].map((one) =>
        one.find(storage, { by: 'user_id', equals: world.userId, limit: 9 }),
      ),
    )
    expect(left).toEqual([[], [], []])
    const tokens = await modelCollections.RefreshToken.find(storage, { by: 'id', limit: 9 })
    expect(tokens).toEqual([])
    await expect(refresh()).rejects.toEqual(invalidGrant)
  })
})

describe('a stranger who was in the account', () => {
  it('keeps no app there after the owner has proven the address', async () => {
    const {
      send: _,
      events,
      deliver,
      ...world
    } = await start({
      authentication: {
        identities: ['login_id'],
        primary_authenticators: ['password', 'oob_otp_email'],
      },
      verification: { claims: { email: { required: false } } },
    })
    const login_id = 'lena@example.com'
    const identify = { identification: 'email', login_id }
    const theirs = await driveFlow(world.auth, 'signup', [
      identify,
      { authentication: 'primary_password', new_password: 'mine-mine-4242' },
    ])
    const browser = world.browser()
    browser.keep(theirs.cookies)
    const { refresh } = await letIn(world, 'asking', browser)
    const byCode = { authentication: 'primary_oob_otp_email', index: 1 }
    const { state } = await driveFlow(world.auth, 'login', [identify, byCode])
    expect(state.action.type).toBe('finished')
    const all = { by: 'id', limit: 9 } as const
    const { storage } = world.auth
    for (const collection of [modelCollections.Grant, modelCollections.RefreshToken]) {
      expect(await collection.find(storage, all)).toEqual([])
    }
    expect(await appCollection.find(storage, all)).toEqual([])
    await expect(refresh()).rejects.toEqual(invalidGrant)
    deliver()
    await vi.waitFor(() => expect(events).toHaveLength(2), { timeout: 30_000 })
    expect(events.find(({ type }) => type === 'oidc.app.revoked')).toMatchObject({
      payload: { app: { client_id: 'asking', name: 'Weather Notes' } },
      context: { triggered_by: 'user' },
    })
  })

  it('keeps no app there after the owner has said that a sign-in was not theirs', async () => {
    const { send: _, events, deliver, ...world } = await start()
    const { refresh: kept } = await letIn(world, 'web')
    vi.setSystemTime(Date.now() + 60_000)
    const at = Date.now()
    const { refresh } = await letIn(world, 'asking')
    await disownSignIn(world.auth, { user_id: world.userId, at })
    await expect(refresh()).rejects.toEqual(invalidGrant)
    expect((await kept()).access_token).not.toBe('')
    expect(await world.oidc.listApps(world.userId)).toMatchObject([{ clientId: 'web' }])
    deliver()
    await vi.waitFor(() => expect(events.at(-1)?.type).toBe('oidc.app.revoked'), {
      timeout: 30_000,
    })
    expect(events.at(-1)).toMatchObject({
      payload: { app: { client_id: 'asking' } },
      context: { triggered_by: 'system' },
    })
  })
})
