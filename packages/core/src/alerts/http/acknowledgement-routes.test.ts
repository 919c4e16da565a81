import { describe, expect, it } from 'vitest'
import { fetchHandler } from '../../http/fetch-handler.ts'
import { postAlerts } from '../alerts/post-alerts.ts'
import type { AlertsContext } from '../context.ts'
import { createFixture } from '../service.fixture.ts'

const send = (
  { routes }: AlertsContext,
  query: string,
  init: RequestInit = {},
): Promise<Response> =>
  fetchHandler(routes)(new Request(`http://host/gatehouse/v1/acknowledgements${query}`, init))

const post = (alerts: AlertsContext, body: string): Promise<Response> =>
  send(alerts, '', { method: 'POST', headers: { 'content-type': 'application/json' }, body })

/** A service with two firing alerts of one group. */
async function start(): Promise<AlertsContext> {
  const { alerts } = createFixture()
  await postAlerts(
    alerts,
    ['1', '2'].map((i) => ({ labels: { alertname: 'Disk', i } })),
  )
  return alerts
}

const since = '2026-01-02T12:00:00.000Z'
const disk = { fingerprint: expect.any(String), labels: { alertname: 'Disk', i: '1' } }

describe('/gatehouse/v1/acknowledgements', () => {
  it('acknowledges an alert, lists it, and takes that back', async () => {
    const alerts = await start()
    const until = '2026-01-02T13:00:00.000Z'
    const made = await post(
      alerts,
      JSON.stringify({ labels: disk.labels, by: 'maya', comment: 'on it', until }),
    )
    expect([made.status, made.headers.get('cache-control')]).toEqual([200, 'no-store'])
    const { items } = (await made.json()) as { items: { fingerprint: string }[] }
    const [{ fingerprint } = expect.fail()] = items
    const listed = await send(alerts, '?filter=alertname%3DDisk')
    expect(await listed.json()).toEqual({
      items: [{ ...disk, fingerprint, by: 'maya', comment: 'on it', since, until }],
    })
    const target = `?fingerprint=${fingerprint}&by=tom`
    const ended = await send(alerts, target, { method: 'DELETE' })
    expect(await ended.json()).toEqual({ items: [{ fingerprint }] })
    expect(await (await send(alerts, '')).json()).toEqual({ items: [] })
    const again = await send(alerts, target, { method: 'DELETE' })
    expect([again.status, await again.json()]).toEqual([200, { items: [] }])
  })

  it('acknowledges the group of a receiver, page by page', async () => {
    const alerts = await start()
    const groupKey = '{}:{alertname="Disk"}'
    const made = await post(alerts, JSON.stringify({ groupKey, receiver: 'default', by: 'maya' }))
    expect(await made.json()).toEqual({
      items: [{ fingerprint: expect.any(String) }, { fingerprint: expect.any(String) }],
    })
    const first = (await (await send(alerts, '?limit=1')).json()) as { items: []; next: string }
    expect(first.items).toHaveLength(1)
    const second = await send(alerts, `?limit=1&after=${encodeURIComponent(first.next)}`)
    expect(await second.json()).toEqual({ items: [expect.anything()] })
    const ended = await send(alerts, `?${new URLSearchParams({ groupKey })}`, { method: 'DELETE' })
    expect(await ended.json()).toMatchObject({ items: { length: 2 } })
  })

  it.each([
    ['{', 400, 'the body is not valid JSON: unexpected EOF'],
    ['null', 400, 'body: expected an object, got null'],
    ['{"by":"maya"}', 400, 'body: expected one of fingerprint, labels and groupKey, got none'],
    ['{"by":"maya","groupKey":"{}:{}"}', 404, 'no alert is firing in a group with the key "{}:{}"'],
  ])('answers %s with %s', async (body, status, message) => {
    const answer = await post(await start(), body)
    expect([answer.status, await answer.json()]).toMatchObject([status, { message }])
  })

  it.each([
    ['GET', '?limit=x', 400],
    ['GET', '?filter=%7B', 400],
    ['DELETE', '', 400],
    ['DELETE', '?fingerprint=00', 404],
    ['PUT', '', 405],
  ])('refuses %s %s with %s', async (method, query, status) => {
    expect((await send(await start(), query, { method })).status).toBe(status)
  })
})
