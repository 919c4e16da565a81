import { describe, expect, it } from 'vitest'
import type { Action } from '../../authorization/action.ts'
import type { Authorize, Resource, Subject } from '../../authorization/authorize.ts'
import { identifyRequests } from '../../http/identify-requests.ts'
import { listRuns } from '../list-runs.ts'
import { createFixture, endAtOnce, webhookNamed } from '../service.fixture.ts'
import { createSender, type SentRequest } from './routes.fixture.ts'

interface Asked {
  readonly subject: string | undefined
  readonly action: Action
  readonly resource: Resource | undefined
}

/** A service whose senders name themselves in a header, and the questions that it asked. */
function createGuarded(decide: Authorize = () => true, config: object = {}) {
  const asked: Asked[] = []
  const authorize: Authorize = (subject, action, resource) => {
    asked.push({ subject: subject?.id, action, resource })
    return decide(subject, action, resource)
  }
  const webhooks = [webhookNamed('a'), webhookNamed('b', { allow_ips: ['198.51.100.0/24'] })]
  const fixture = createFixture({
    script: endAtOnce,
    authorize,
    config: { webhooks, metrics: true, hash_endpoint: true, ...config },
  })
  const { routes, fallbackRoutes } = fixture.webhooks
  const deliver = createSender(
    identifyRequests([...routes, ...fallbackRoutes], ({ headers }): Subject | undefined => {
      const id = headers.get('x-user')
      return id === null ? undefined : { id, kind: 'user' }
    }),
  )
  const send = async (user: string | undefined, sent: SentRequest) => {
    const who = user === undefined ? {} : { 'x-user': user }
    const headers = { 'content-type': 'application/json', ...who, ...sent.headers }
    const response = await deliver({ ...sent, headers })
    const body: unknown = await response.json().catch(() => undefined)
    return { status: response.status, code: Object(body).code as unknown, body, response }
  }
  const runOf = async (id: string): Promise<string> => {
    const { body } = await send(undefined, { path: '/webhook', body: { id, token: 't' } })
    return String(Object(body).run_id)
  }
  return { ...fixture, asked, send, runOf }
}

const webhookA: Resource = { kind: 'webhook', id: 'a' }

describe('authorize of the webhook service', () => {
  it('every route names its action', () => {
    const { webhooks } = createGuarded()
    const open = new Set<string>()
    for (const { method, path, action } of [...webhooks.routes, ...webhooks.fallbackRoutes]) {
      expect(action, `${method} ${path}`).toBeTypeOf('string')
      if (action === 'public' && method !== '*') open.add(path)
    }
    expect([...open]).toEqual(['/hash', '/hash/', '/healthz', '/healthz/', '/readyz', '/readyz/'])
  })

  it('lets a subject run a webhook without its token, by both routes', async () => {
    const { send, asked } = createGuarded()
    expect((await send('maya', { path: '/webhook/a', body: {} })).status).toBe(200)
    expect((await send('maya', { path: '/webhook', body: { id: 'a' } })).status).toBe(200)
    const question = { subject: 'maya', action: 'webhooks:run', resource: webhookA }
    expect(asked).toEqual([question, question])
  })

  it('records the subject whose right admitted it as the cause of a run, and no subject that had a token', async () => {
    const { send, webhooks } = createGuarded((subject) => subject?.id === 'maya')
    const causeOf = async (user: string, sent: SentRequest): Promise<unknown> => {
      const { run_id } = Object((await send(user, sent)).body)
      const listed = (await listRuns(webhooks)).runs.find(({ id }) => id === run_id)
      const { body } = await send('maya', { method: 'GET', path: `/runs/${run_id}` })
      expect(Object(body).cause).toEqual(listed?.cause)
      return Object(body).cause
    }
    const cause = { type: 'subject', id: 'maya', kind: 'user' }
    expect(await causeOf('maya', { path: '/webhook/a', body: {} })).toEqual(cause)
    expect(await causeOf('maya', { path: '/webhook', body: { id: 'a' } })).toEqual(cause)
    const withToken = { path: '/webhook', body: { id: 'a', token: 't' } }
    expect(await causeOf('sam', withToken)).toBeUndefined()
  })

  it('refuses a subject that may not run a webhook, unless it has the token', async () => {
    const { send, webhooks, lines } = createGuarded(() => false)
    const byPath = { path: '/webhook/a', body: {} }
    expect(await send('maya', byPath)).toMatchObject({ status: 403, code: 'not_allowed' })
    const byBody = { path: '/webhook', body: { id: 'a' } }
    expect(await send('maya', byBody)).toMatchObject({ status: 403, code: 'not_allowed' })
    const withToken = { path: '/webhook', body: { id: 'a', token: 't' } }
    expect((await send('maya', withToken)).status).toBe(200)
    expect((await webhooks.metrics.expose(null)).body).toContain(
      'gatehouse_webhook_refused_requests_total{action="webhooks:run",reason="not_allowed"} 2',
    )
    expect(lines.filter(({ message }) => message === 'a request was refused')).toMatchObject([
      { fields: { subject: 'maya', action: 'webhooks:run', resource: 'webhook', id: 'a' } },
      { fields: { subject: 'maya' } },
    ])
  })

  it('asks nothing about senders without a subject: they need a token, as before', async () => {
    const { send, asked } = createGuarded()
    const refused = { status: 401, code: 'invalid_token' }
    expect(await send(undefined, { path: '/webhook/a', body: {} })).toMatchObject(refused)
    const wrong = { path: '/webhook', body: { id: 'a', token: 'x' } }
    expect(await send(undefined, wrong)).toMatchObject(refused)
    const right = { path: '/webhook', body: { id: 'a', token: 't' } }
    expect((await send(undefined, right)).status).toBe(200)
    expect(await send(undefined, { path: '/runs' })).toMatchObject(refused)
    expect(asked).toEqual([])
  })

  it('admits no subject by a page of another origin, because browsers add its password', async () => {
    const { send } = createGuarded()
    const headers = { origin: 'https://evil.example' }
    const byPath = { path: '/webhook/a', body: {}, headers }
    expect(await send('maya', byPath)).toMatchObject({ status: 401 })
    expect(await send('maya', { path: '/webhook', body: { id: 'a' }, headers })).toMatchObject({
      status: 401,
    })
  })

  it('keeps the addresses of a webhook, and unknown webhooks unknown', async () => {
    const { send } = createGuarded()
    expect(await send('maya', { path: '/webhook/b', body: {} })).toMatchObject({
      code: 'address_not_allowed',
    })
    expect(await send('maya', { path: '/webhook', body: { id: 'b' } })).toMatchObject({
      code: 'address_not_allowed',
    })
    expect(await send('maya', { path: '/webhook/c', body: {} })).toMatchObject({
      code: 'unknown_webhook',
    })
  })

  it('asks about the webhook of a run, to see it and to cancel it', async () => {
    const { send, runOf, asked } = createGuarded((_, action) => action === 'webhooks:read')
    const run = await runOf('a')
    expect((await send('maya', { path: `/runs/${run}` })).status).toBe(200)
    expect((await send('maya', { path: `/runs/${run}/output` })).status).toBe(200)
    expect((await send('maya', { path: '/runs?id=a' })).status).toBe(200)
    expect((await send('maya', { path: '/runs' })).status).toBe(200)
    const cancel = { method: 'DELETE', path: `/runs/${run}` }
    expect(await send('maya', cancel)).toMatchObject({ status: 403, code: 'not_allowed' })
    const read = { subject: 'maya', action: 'webhooks:read' }
    expect(asked.slice(0, 5)).toEqual([
      { ...read, resource: webhookA },
      { ...read, resource: webhookA },
      { ...read, resource: webhookA },
      { ...read, resource: undefined },
      { ...read, action: 'webhooks:cancel', resource: webhookA },
    ])
  })

  it('asks about the webhook whose runs are followed, or about all', async () => {
    const { send, asked } = createGuarded((_, __, resource) => resource?.kind === 'webhook')
    // The fixture reads bodies to their end, and a stream has none.
    const followed = { method: 'HEAD', path: '/runs/changes?id=a' }
    expect((await send('maya', followed)).status).toBe(200)
    expect(await send('maya', { path: '/runs/changes' })).toMatchObject({ code: 'not_allowed' })
    expect(await send(undefined, { path: '/runs/changes' })).toMatchObject({ status: 401 })
    expect(asked[0]).toEqual({ subject: 'maya', action: 'webhooks:read', resource: webhookA })
  })

  it('guards metrics, for unknown senders too', async () => {
    const { send } = createGuarded((subject) => subject?.id === 'maya')
    const unknown = await send(undefined, { path: '/metrics' })
    expect(unknown).toMatchObject({ status: 401, code: 'not_authenticated' })
    expect(unknown.response.headers.get('www-authenticate')).toBe('Bearer')
    expect((await send('omar', { path: '/metrics' })).code).toBe('not_allowed')
    expect((await send('maya', { path: '/metrics' })).status).toBe(200)
    expect((await send(undefined, { path: '/healthz' })).status).toBe(200)
  })
})
