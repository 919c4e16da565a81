import { describe, expect, it } from 'vitest'
import type { Authorize } from '../../authorization/authorize.ts'
import { captureServer } from '../../http/capture-server.fixture.ts'
import { fetchHandler } from '../../http/fetch-handler.ts'
import { record, recordAlerts } from '../notifications/notifications.fixture.ts'
import { createFixture } from '../service.fixture.ts'

/** A service whose receiver `team` is at this URL, and a way to send requests to it. */
function createServer(url = 'http://127.0.0.1:1/', authorize?: Authorize) {
  const config = `route: { receiver: team }
receivers: [{ name: team, webhook_configs: [{ url: "${url}" }] }]`
  const fixture = createFixture({ config, ...(authorize && { authorize }) })
  const handle = fetchHandler(fixture.alerts.routes)
  const send = async (path: string, body?: string | object) => {
    const answer = await handle(
      new Request(`http://host/gatehouse/v1/${path}`, {
        ...(body === undefined ? {} : { method: 'POST' }),
        headers: { 'content-type': 'application/json' },
        ...(body === undefined
          ? {}
          : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
    )
    return { status: answer.status, body: await answer.json() }
  }
  return { ...fixture, send }
}

describe('POST /gatehouse/v1/receiver-tests', () => {
  it('sends a notification and returns the answer of the receiver, cut', async () => {
    const hostile = `<script>alert(1)</script>\u202e${'x'.repeat(100_000)}`
    const server = await captureServer(() => ({ status: 500, body: hostile }))
    const { send } = createServer(server.url)
    const { status, body } = await send('receiver-tests', {
      receiver: 'team',
      alerts: [{ labels: { alertname: 'Disk' } }],
    })
    expect(status).toBe(200)
    const { items } = body as { items: { result: { detail: string } }[] }
    expect(items).toMatchObject([
      { integration: 'webhook/0', result: { outcome: 'retry', reason: 'serverError' } },
    ])
    expect(items[0]?.result.detail).toContain('500: <script>')
    expect(items[0]?.result.detail.length).toBeLessThanOrEqual(2_048)
    expect(JSON.parse(server.requests[0]?.body ?? '')).toMatchObject({
      alerts: [{ labels: { alertname: 'Disk' } }],
    })
  })

  it.each<[status: number, body: string | object]>([
    [404, { receiver: 'nobody' }],
    [400, ''],
    [400, '{'],
    [400, '[]'],
    [400, { receiver: 5 }],
    [400, { receiver: 'team', more: 1 }],
    [400, { receiver: 'team', alerts: [] }],
    [400, { receiver: 'team', alerts: Array.from({ length: 101 }, () => ({})) }],
    [400, { receiver: 'team', alerts: [{ labels: { a: 1 } }] }],
    [400, { receiver: 'team', timeoutMs: 30_001 }],
    [400, { receiver: 'team', timeoutMs: -1 }],
    [404, { receiver: '__proto__' }],
  ])('answers %i to %j', async (status, body) => {
    const { send } = createServer()
    expect((await send('receiver-tests', body)).status).toBe(status)
  })
})

describe('who may do what', () => {
  it('needs receivers:test to send, config:read for the status and for messages', async () => {
    const { alerts, clock, send } = createServer(undefined, (_, action) => action === 'alerts:read')
    expect((await send('receiver-tests', { receiver: 'team' })).status).toBe(401)
    const server = await captureServer(() => ({ status: 200, body: '' }))
    for (const wanted of [['receivers:test'], ['receivers:test', 'config:read']]) {
      const tester = createServer(server.url, (_, action) => wanted.includes(action))
      const { body } = await tester.send('receiver-tests', { receiver: 'team' })
      const { items } = body as { items: { isAsSent?: boolean }[] }
      expect(items[0]).toMatchObject({ result: { outcome: 'sent' } })
      expect(items[0]?.isAsSent).toBe(wanted.length === 2 ? true : undefined)
      expect(Object.hasOwn(items[0] ?? {}, 'message')).toBe(wanted.length === 2)
    }
    expect((await send('server-status')).status).toBe(401)
    const at = clock.now()
    await recordAlerts(alerts, [
      { at, event: 'firing', fingerprint: 'a', labels: { a: 'b' }, annotations: {} },
    ])
    const [id] = await record(alerts, [{ at, integration: 'webhook/0', firing: ['a'] }])
    const { status, body } = await send(`notifications/${id}`)
    expect(status).toBe(200)
    expect(body).toMatchObject({ alerts: [{ labels: { a: 'b' } }] })
    expect(body).not.toHaveProperty('message')
  })
})

describe('the other paths', () => {
  it('return the status, counts and one notification', async () => {
    const { alerts, clock, send } = createServer()
    const [id] = await record(alerts, [{ at: clock.now() - 1, outcome: 'failed' }])
    expect((await send('server-status')).body).toMatchObject({ storage: { kind: 'memory' } })
    const counts = await send('notification-counts?parts=2&from=&filter=alertname%3D"Disk"')
    expect(counts.body).toMatchObject({ receivers: [{ receiver: 'team', failed: [0, 1] }] })
    expect((await send(`notifications/${id}`)).body).toMatchObject({ notification: { id } })
    const filtered = await send('notifications?filter=alertname%3D"Other"')
    expect(filtered.body).toEqual({ items: [] })
  })

  it.each([
    ['notifications/nothing', 404],
    ['notifications/%00', 404],
    ['notifications?filter=%7B', 400],
    ['notification-counts?parts=1e1', 400],
    ['notification-counts?from=today', 400],
    ['notification-counts?from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z', 400],
    [`notification-counts?${'filter=a%3D"b"&'.repeat(101)}`, 400],
  ])('answer %s with %i', async (path, status) => {
    expect((await createServer().send(path)).status).toBe(status)
  })
})
