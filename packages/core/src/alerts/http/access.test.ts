import { describe, expect, it } from 'vitest'
import { type Action, actions } from '../../authorization/action.ts'
import type { Authorize, Resource, Subject } from '../../authorization/authorize.ts'
import { whoAmI } from '../../authorization/who-am-i.ts'
import { fetchHandler } from '../../http/fetch-handler.ts'
import { identifyRequests } from '../../http/identify-requests.ts'
import { listAlerts } from '../alerts/list-alerts.ts'
import { createFixture } from '../service.fixture.ts'
import type { PostableSilence } from '../silence/silence-input.ts'
import { createRecurringSilence } from '../silences/create-recurring-silence.ts'
import { createSilence } from '../silences/create-silence.ts'
import { expireSilence } from '../silences/expire-silence.ts'
import { getSilence } from '../silences/get-silence.ts'
import { listSilences } from '../silences/list-silences.ts'

interface Asked {
  readonly subject: string | undefined
  readonly action: Action
  readonly resource: Resource | undefined
}

/** A service whose senders name themselves in a header, and the questions that it asked. */
function createGuarded(decide: Authorize = () => true) {
  const asked: Asked[] = []
  const lines: object[] = []
  const ignore = (): void => {}
  const authorize: Authorize = (subject, action, resource) => {
    asked.push({ subject: subject?.id, action, resource })
    return decide(subject, action, resource)
  }
  const logger = {
    debug: ignore,
    info: (fields: object) => lines.push(fields),
    warn: ignore,
    error: ignore,
  }
  const fixture = createFixture({ authorize, logger, historyRetentionMs: 3_600_000 })
  const { routes, fallbackRoutes } = fixture.alerts
  const handle = fetchHandler(
    identifyRequests([...routes, ...fallbackRoutes], ({ headers }): Subject | undefined => {
      const id = headers.get('x-user')
      return id === null ? undefined : { id, kind: 'user' }
    }),
  )
  const send = (method: string, path: string, user?: string, body?: object): Promise<Response> =>
    handle(
      new Request(`http://host${path}`, {
        method,
        headers: {
          ...(user === undefined ? {} : { 'x-user': user }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    )
  return { ...fixture, asked, lines, send }
}

const matchers = [{ name: 'team', value: 'a', isRegex: false, isEqual: true }]

const silence = (more: object = {}): object => ({
  matchers,
  startsAt: '2026-01-02T12:00:00Z',
  endsAt: '2026-01-02T13:00:00Z',
  createdBy: 'somebody else',
  comment: 'c',
  ...more,
})

/** Creates a silence for a user. */
async function silenceOf(world: ReturnType<typeof createGuarded>, user: string): Promise<string> {
  const answer = await world.send('POST', '/api/v2/silences', user, silence())
  return ((await answer.json()) as { silenceID: string }).silenceID
}

describe('authorize of the alert service', () => {
  it('every route names its action', () => {
    const { alerts } = createGuarded()
    const open = new Set<string>()
    for (const { method, path, action } of [...alerts.routes, ...alerts.fallbackRoutes]) {
      expect(action, `${method} ${path}`).toBeTypeOf('string')
      if (action === 'public' && method !== '*') open.add(path)
    }
    expect([...open]).toEqual([
      '/api/v2/swagger.json',
      '/api/v2/swagger.json/',
      '/gatehouse/v1/me',
      '/-/healthy',
      '/-/ready',
      '/',
    ])
  })

  it('says who sends a request and what it may do', async () => {
    const world = createGuarded(
      (subject, action) => subject !== undefined || action === 'alerts:read',
    )
    const get = async (path: string, user?: string): Promise<readonly [number, unknown]> => {
      const answer = await world.send('GET', `/gatehouse/v1/${path}`, user)
      return [answer.status, await answer.json()]
    }
    expect(await get('me')).toEqual([200, { subject: null, actions: ['alerts:read'] }])
    const everything = Object.keys(actions)
    const maya = { subject: { id: 'maya', kind: 'user' }, actions: everything }
    expect(await get('me', 'maya')).toEqual([200, maya])
    expect(await get('me?signIn=true', 'maya')).toEqual([200, maya])
    expect(await get('me?signIn=true')).toEqual([
      401,
      { reason: 'NotAuthenticated', message: 'sign in first' },
    ])
    expect(world.lines).toEqual([])
  })

  it('lets everybody do everything without authorize, except for managing users', async () => {
    const { alerts } = createFixture()
    const { subject, actions: allowed } = await whoAmI(alerts, {})
    expect(subject).toBeNull()
    expect(Object.keys(actions).filter((one) => !allowed.includes(one as Action))).toEqual([
      'users:manage',
      'api-keys:manage',
      'users:impersonate',
    ])
  })

  it('refuses every route that is not public to unknown senders and to others, before anything happens', async () => {
    const world = createGuarded(() => false)
    const id = await createSilence(world.alerts, {
      matchers,
      startsAt: world.clock.now(),
      endsAt: world.clock.now() + 60_000,
      createdBy: 'maya',
      comment: '',
    })
    const recurring = {
      matchers,
      timeIntervals: [{ daysOfMonth: ['-1'] }],
      createdBy: 'maya',
      comment: '',
    }
    const { id: recurringId } = await createRecurringSilence(world.alerts, recurring)
    for (const { method, path, action } of world.alerts.routes) {
      if (action === 'public' || method === '*') continue
      const target = path.replace(':silenceID', id).replace(':id', recurringId)
      const bodies: readonly (readonly [RegExp, object])[] = [
        [/recurring-silences/, recurring],
        [/silences/, silence()],
        [/silence-extensions/, { silenceId: id, byMs: 1 }],
        [/./, [{ labels: { alertname: 'x' } }]],
      ]
      const body = bodies.find(([paths]) => paths.test(path))?.[1]
      const given = method === 'POST' ? body : undefined
      const unknown = await world.send(method, target, undefined, given)
      expect([method, path, unknown.status]).toEqual([method, path, 401])
      expect(unknown.headers.get('www-authenticate')).toBe('Bearer')
      expect(unknown.headers.get('cache-control')).toBe('no-store')
      const known = await world.send(method, target, 'maya', given)
      expect([method, path, known.status]).toEqual([method, path, 403])
      const body403 = await known.json()
      const { message } = path.startsWith('/gatehouse/v1')
        ? (body403 as { message: string })
        : { message: body403 }
      expect(message).toMatch(/^you are not allowed to do this: [a-z]+:[a-z-]+$/)
    }
    expect(await listAlerts(world.alerts)).toEqual([])
    expect((await listSilences(world.alerts)).map((one) => one.status.state)).toEqual(['active'])
  })

  it('asks once for each request, and not for public routes', async () => {
    const world = createGuarded()
    await world.send('GET', '/api/v2/alerts', 'maya')
    await world.send('GET', '/-/healthy')
    await world.send('PUT', '/api/v2/alerts')
    await world.send('GET', '/nowhere')
    expect(world.asked).toEqual([{ subject: 'maya', action: 'alerts:read', resource: undefined }])
  })

  it('ends streams after ten minutes, so that a reader whose rights have ended gets no more', async () => {
    let isAllowed = true
    const world = createGuarded(() => isAllowed)
    const follow = () => world.send('GET', '/gatehouse/v1/changes', 'maya')
    const { status, body } = await follow()
    const reader = body?.getReader() ?? expect.fail('no stream')
    expect([status, (await reader.read()).done]).toEqual([200, false])
    isAllowed = false
    for (let seconds = 0; seconds <= 615; seconds++) world.clock.advance(1_000)
    let text = ''
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      text += new TextDecoder().decode(value)
    }
    expect(text).toContain('event: end\ndata: {"reason":"renew"}')
    expect((await follow()).status).toBe(403)
  })

  it('shows the configuration only to those who may see it', async () => {
    const world = createGuarded(
      (subject, action) => action !== 'config:read' || subject?.id === 'maya',
    )
    const shown = async (user: string): Promise<unknown> => {
      const answer = await world.send('GET', '/api/v2/status', user)
      return (await answer.json()) as unknown
    }
    expect(await shown('maya')).toMatchObject({
      config: { original: expect.stringMatching('route') },
    })
    expect(await shown('omar')).toMatchObject({
      config: { original: '' },
      versionInfo: { version: expect.any(String) },
    })
    expect(await shown('maya')).toMatchObject({
      config: { original: expect.stringMatching('route') },
    })
  })

  it('takes createdBy from the subject, also in an update', async () => {
    const world = createGuarded()
    const id = await silenceOf(world, 'maya')
    expect((await getSilence(world.alerts, id)).createdBy).toBe('maya')
    await world.send('POST', '/api/v2/silences', 'omar', silence({ id, comment: 'd' }))
    expect(await getSilence(world.alerts, id)).toMatchObject({
      createdBy: 'omar',
      comment: 'd',
    })
  })

  it('asks about the silence that is written', async () => {
    const world = createGuarded()
    const id = await silenceOf(world, 'maya')
    const stored = { kind: 'silence', id, matchers, createdBy: 'maya' }
    const created = { ...stored, id: undefined }
    expect(world.asked.splice(0)).toEqual([
      { subject: 'maya', action: 'silences:write', resource: created },
    ])
    const others = [{ ...matchers[0], value: 'b' }]
    await world.send('POST', '/api/v2/silences', 'omar', silence({ id, matchers: others }))
    expect(world.asked.splice(0)).toEqual([
      { subject: 'omar', action: 'silences:write-others', resource: stored },
      {
        subject: 'omar',
        action: 'silences:write',
        resource: { ...created, matchers: others, createdBy: 'omar' },
      },
    ])
    await world.send('DELETE', `/api/v2/silence/${id}`, 'maya')
    expect(world.asked).toEqual([{ subject: 'maya', action: 'silences:write', resource: stored }])
  })

  it('decides again about a silence that changes meanwhile', async () => {
    let meanwhile = async (): Promise<unknown> => undefined
    const world = createGuarded(async (_, action) => {
      await meanwhile()
      return action !== 'silences:write-others'
    })
    const id = await silenceOf(world, 'maya')
    meanwhile = async () => {
      meanwhile = async () => undefined
      const given = silence({ id, createdBy: 'omar' }) as PostableSilence
      await createSilence(world.alerts, given)
    }
    const answer = await world.send('DELETE', `/api/v2/silence/${id}`, 'maya')
    expect(answer.status).toBe(403)
    expect((await getSilence(world.alerts, id)).createdBy).toBe('omar')
  })

  it('trusts the program, unless it names a caller', async () => {
    const world = createGuarded(() => false)
    const given = silence() as PostableSilence
    const id = await createSilence(world.alerts, given)
    expect((await getSilence(world.alerts, id)).createdBy).toBe('somebody else')
    const subject = { id: 'maya' }
    await expect(createSilence(world.alerts, given, { subject })).rejects.toMatchObject({
      reason: 'NotAllowed',
    })
    await expect(expireSilence(world.alerts, id, { subject: undefined })).rejects.toMatchObject({
      reason: 'NotAuthenticated',
    })
    await expireSilence(world.alerts, id)
  })

  it('takes only true for a yes, and an error for a fault', async () => {
    const truthy = createGuarded((() => ({})) as never)
    expect((await truthy.send('GET', '/api/v2/alerts', 'maya')).status).toBe(403)
    const broken = createGuarded(() => Promise.reject(new Error('no directory')))
    expect((await broken.send('GET', '/api/v2/alerts', 'maya')).status).toBe(500)
    expect((await broken.send('POST', '/api/v2/silences', 'maya', silence())).status).toBe(500)
  })

  it('counts and logs refusals', async () => {
    const world = createGuarded(() => false)
    await world.send('GET', '/api/v2/alerts')
    await world.send('POST', '/-/reload', 'maya')
    expect(world.lines).toEqual([
      { action: 'alerts:read', reason: 'not_authenticated', subject: undefined, kind: undefined },
      { action: 'config:reload', reason: 'not_allowed', subject: 'maya', kind: 'user' },
    ])
    const { body } = await world.alerts.metrics.expose(null)
    expect(body).toContain(
      'gatehouse_alerts_refused_requests_total{action="config:reload",reason="not_allowed"} 1',
    )
  })
})
