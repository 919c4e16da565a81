import { createAlerts, createAuth, createUser } from '@gatehouse/core'
import { fetchRoute } from '@gatehouse/core/adapter'
import {
  type AuthContext,
  createApiKey,
  createScryptHasher,
  createSession,
} from '@gatehouse/core/auth'
import { createMemoryStorage } from '@gatehouse/store-memory'
import { describe, expect, it } from 'vitest'
import { createNextAdapter, type NextAdapter, type NextAdapterOptions } from './next-adapter.ts'

const user = { email: 'maya@example.com', password: 'tidal-lantern-42' }

interface Services {
  readonly auth: AuthContext
}

function createServices(): Services {
  const auth = createAuth({
    storage: createMemoryStorage(),
    config: {
      id: 'test',
      http: { public_origin: 'http://localhost' },
      api_keys: { scopes: ['a:read'] },
    },
    secrets: [{ id: 'k1', key: 'a key for tests, of 32 bytes or more' }],
    hasher: createScryptHasher({ N: 16, r: 1, p: 1 }),
    logger: false,
  })
  return { auth }
}

/** What Next.js throws to redirect. */
class Redirected extends Error {}

let worlds = 0

/** An adapter in the place of Next.js, with the headers of the request under way. */
function world(given: Partial<NextAdapterOptions<Services>> = {}) {
  let headers = new Headers()
  let starts = 0
  const set: unknown[] = []
  const platform = {
    headers: async () => headers,
    cookies: async () => ({ set: (...cookie: unknown[]) => set.push(cookie) }),
    redirect: (address: string): never => {
      throw new Redirected(address)
    },
  }
  worlds += 1
  const options = {
    start: () => {
      starts += 1
      return createServices()
    },
    routes: ({ auth }: Services) => auth.routes,
    name: `world ${worlds}`,
    ...given,
  }
  return {
    adapter: createNextAdapter(platform, options),
    platform,
    again: () => createNextAdapter(platform, options),
    startsOf: () => starts,
    set,
    /** Makes a request the one under way. */
    arrive: (given: Record<string, string>) => {
      headers = new Headers(given)
    },
  }
}

async function logIn({ handlers, services }: NextAdapter<Services>): Promise<string> {
  await createUser(services().auth, user)
  const batch_input = [
    { identification: 'email', login_id: user.email },
    { authentication: 'primary_password', password: user.password },
  ]
  const answer = await handlers.POST(
    new Request('http://localhost/api/v1/authentication_flows', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ type: 'login', name: 'default', batch_input }),
    }),
  )
  expect(answer.status).toBe(200)
  const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split(';')[0])
  return cookies.join('; ')
}

const page = (url: string, cookie = ''): Request =>
  new Request(`http://localhost${url}`, { headers: { cookie, accept: 'text/html' } })

describe('the services of a process', () => {
  it('start with the first request, once for all copies of the module', async () => {
    const { adapter, again, startsOf } = world()
    expect(startsOf()).toBe(0)
    const path = 'http://localhost/api/v1/authentication_flows'
    expect((await adapter.handlers.POST(new Request(path, { method: 'POST' }))).status).toBe(400)
    expect(again().services()).toBe(adapter.services())
    expect(startsOf()).toBe(1)
    expect(world().adapter.services()).not.toBe(adapter.services())
  })

  it('start with the next request if they could not start', () => {
    let attempts = 0
    const start = () => {
      attempts += 1
      if (attempts === 1) throw new Error('no key')
      return createServices()
    }
    const { adapter } = world({ start })
    expect(() => adapter.services()).toThrow('no key')
    expect(adapter.services().auth.config.current.id).toBe('test')
  })

  it('give way to those of a test, in all copies of the module', async () => {
    const { adapter, again, arrive, startsOf } = world()
    const own = createServices()
    adapter.replaceServices(own)
    expect(again().services()).toBe(own)
    const cookie = await logIn(adapter)
    arrive({ cookie })
    expect(await again().currentSession()).toBeDefined()
    adapter.replaceServices(createServices())
    expect(await again().currentSession()).toBeUndefined()
    expect((await again().proxy()(page('/', cookie)))?.status).toBe(302)
    expect(startsOf()).toBe(0)
  })

  it('are not started where Next.js ends the rendering, as in a build', async () => {
    let starts = 0
    const start = () => {
      starts += 1
      return createServices()
    }
    const bailOut = async (): Promise<never> => {
      throw new Error('dynamic')
    }
    const redirect = (): never => {
      throw new Redirected()
    }
    const adapter = createNextAdapter(
      { headers: bailOut, cookies: bailOut, redirect },
      { start, routes: () => [], name: 'build' },
    )
    for (const ask of [adapter.currentSession, adapter.requireSession, adapter.signOut]) {
      await expect(ask()).rejects.toThrow('dynamic')
    }
    expect(starts).toBe(0)
  })
})

describe('services without sign-in', () => {
  const config = { route: { receiver: 'team' }, receivers: [{ name: 'team' }] }

  it('are served, and have no sessions', async () => {
    const { platform } = world()
    const adapter = createNextAdapter(platform, {
      start: () => ({ alerts: createAlerts({ storage: createMemoryStorage(), config }) }),
      routes: ({ alerts }) => alerts.routes,
      name: 'alerts alone',
    })
    const answer = await adapter.handlers.GET(new Request('http://localhost/api/v2/alerts'))
    expect([answer.status, await answer.json()]).toEqual([200, []])
    await expect(adapter.currentSession()).rejects.toThrow('start() returned no auth service')
  })
})

describe('the handlers', () => {
  it('serve the routes at their path, and know what a trusted proxy says', async () => {
    const seen = fetchRoute('PATCH', '/seen', async (_request, info) => Response.json(info))
    const { adapter } = world({ routes: () => [seen], basePath: '/auth' })
    const headers = { 'x-forwarded-for': '192.0.2.7', 'x-forwarded-proto': 'https' }
    const ask = (path: string, method: keyof NextAdapter<Services>['handlers']) =>
      adapter.handlers[method](new Request(`http://localhost${path}`, { method, headers }))
    expect(await (await ask('/auth/seen', 'PATCH')).json()).toMatchObject({
      path: '/seen',
      mountPath: '/auth',
      secure: true,
      peer: { address: '192.0.2.7' },
    })
    for (const method of ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'POST', 'PUT'] as const) {
      expect((await ask('/auth/seen', method)).status).toBe(404)
    }
  })
})

describe('a session', () => {
  it('is that of the request under way, until it is signed out', async () => {
    const { adapter, arrive, set } = world()
    expect(await adapter.currentSession()).toBeUndefined()
    const cookie = await logIn(adapter)
    arrive({ cookie })
    const session = await adapter.currentSession()
    expect(session?.amr).toContain('pwd')
    expect(await adapter.requireSession()).toEqual(session)

    await adapter.signOut()
    expect(set.length).toBeGreaterThan(0)
    for (const one of set) {
      expect(one).toEqual([
        expect.any(String),
        '',
        expect.objectContaining({ path: '/', httpOnly: true, maxAge: 0 }),
      ])
    }
    expect(set).toContainEqual(['session', '', expect.objectContaining({ sameSite: 'lax' })])
    expect(await adapter.currentSession()).toBeUndefined()
  })

  it('is asked for by the sign-in page, which leads back', async () => {
    const { adapter, arrive } = world()
    arrive({ accept: '*/*' })
    await expect(adapter.requireSession({ returnTo: '/orders?page=2' })).rejects.toEqual(
      new Redirected('/login?return_to=%2Forders%3Fpage%3D2'),
    )
    await expect(
      adapter.requireSession({ returnTo: '/a', signIn: 'https://id.example/login' }),
    ).rejects.toEqual(
      new Redirected('https://id.example/login?return_to=http%3A%2F%2Flocalhost%2Fa'),
    )
    await expect(adapter.requireSession({ signIn: false })).rejects.toMatchObject({
      kind: 'Unauthorized',
      reason: 'NotAuthenticated',
    })
    arrive({ cookie: await logIn(adapter) })
    await expect(adapter.requireSession({ aal: 2 })).rejects.toEqual(
      new Redirected('/login?return_to=%2F&prompt=login'),
    )
    await expect(adapter.requireSession({ aal: 2, signIn: false })).rejects.toMatchObject({
      kind: 'Forbidden',
      reason: 'ReauthenticationRequired',
    })
  })

  it('without a needed role ends in an error, or as the app decides', async () => {
    const { adapter, arrive } = world()
    arrive({ cookie: await logIn(adapter) })
    await expect(adapter.requireSession({ roles: ['admin'] })).rejects.toMatchObject({
      name: 'GatehouseError',
      kind: 'Forbidden',
      reason: 'AccessControlViolated',
    })
    const refuse = ({ reason }: { reason: string }): never => {
      throw new Error(`own ${reason}`)
    }
    await expect(adapter.requireSession({ roles: ['admin'], refuse })).rejects.toThrow(
      'own AccessControlViolated',
    )
  })

  it('refuses options that are not known', async () => {
    const { adapter } = world()
    const options = { maxAge: 5 } as object
    await expect(adapter.requireSession(options)).rejects.toMatchObject({ reason: 'InvalidInput' })
  })
})

describe('a route handler for signed-in users', () => {
  it('gets the session and what Next.js passes; others get 401, 403 or the sign-in page', async () => {
    const { adapter } = world()
    const handler = adapter.withSession<{ params: string }>((request, { user_id }, { params }) =>
      Response.json([request.method, user_id, params]),
    )
    const context = { params: 'p' }
    const program = (cookie = '') => new Request('http://localhost/me', { headers: { cookie } })
    const refused = await handler(program(), context)
    expect([refused.status, await refused.json()]).toMatchObject([
      401,
      { error: { reason: 'NotAuthenticated' } },
    ])
    expect((await handler(page('/me'), context)).headers.get('location')).toBe(
      '/login?return_to=%2Fme',
    )
    const userId = await createUser(adapter.services().auth, { preferred_username: 'noor' })
    const { token } = await createSession(adapter.services().auth, userId, { amr: ['pwd'] })
    const admitted = await handler(program(`session=${token}`), context)
    expect(await admitted.json()).toEqual(['GET', userId, 'p'])
    const read = adapter.withSession((_request, session) => Response.json(session.id), {
      apiKeyScopes: ['a:read'],
    })
    const { key, api_key } = await createApiKey(adapter.services().auth, {
      service: 'b',
      name: 'n',
      scopes: ['a:read'],
    })
    const asked = new Request('http://localhost/me', {
      headers: { authorization: `Bearer ${key}` },
    })
    expect(await (await read(asked, context)).json()).toBe(api_key.id)
    expect((await handler(asked, context)).status).toBe(401)
    const strict = adapter.withSession(() => new Response(), { aal: 2 })
    expect((await strict(program(`session=${token}`), context)).status).toBe(403)
  })
})

describe('the proxy', () => {
  it('lets signed-in users pass, and leads others to sign in and back', async () => {
    const { adapter } = world()
    const proxy = adapter.proxy()
    const away = await proxy(page('/account?tab=2'))
    expect([away?.status, away?.headers.get('location')]).toEqual([
      302,
      'http://localhost/login?return_to=%2Faccount%3Ftab%3D2',
    ])
    expect((await proxy(new Request('http://localhost/account')))?.status).toBe(401)
    const cookie = await logIn(adapter)
    expect(await proxy(page('/account', cookie))).toBeUndefined()
    expect((await adapter.proxy({ roles: ['admin'] })(page('/admin', cookie)))?.status).toBe(403)
  })
})
