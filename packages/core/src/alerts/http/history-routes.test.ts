import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { HistoryPage } from '../../history/history-query.ts'
import { fetchHandler } from '../../http/fetch-handler.ts'
import { storageUnavailable } from '../../storage/storage.ts'
import { listAlertHistory } from '../alerts/list-alert-history.ts'
import { postAlerts } from '../alerts/post-alerts.ts'
import type { AlertsContext } from '../context.ts'
import { alertEventKinds, type GettableAlertEvent } from '../history/alert-event.ts'
import { notificationOutcomes } from '../history/notification-record.ts'
import { createFixture } from '../service.fixture.ts'
import { createSilence } from '../silences/create-silence.ts'
import { createHistoryWorld, type HistoryWorld, minute } from '../start/start-history.fixture.ts'

let world: HistoryWorld
beforeEach(() => {
  world = createHistoryWorld()
})
afterEach(() => world.end())

/** Sends a request through the routes, as an adapter would. */
const send = ({ routes, fallbackRoutes }: AlertsContext, target: string, init: RequestInit = {}) =>
  fetchHandler([...routes, ...fallbackRoutes])(new Request(`http://host${target}`, init))

/** The page in a response; tests compare its content. */
const pageOf = async (answer: Response): Promise<HistoryPage<GettableAlertEvent>> =>
  (await answer.json()) as HistoryPage<GettableAlertEvent>

describe('GET /gatehouse/v1/alert-history', () => {
  it('returns a page, and with its cursor the next', async () => {
    const one = world.start()
    await one.post('a', minute, { summary: '<1>' })
    await one.post('b', minute)
    await one.history.flush()
    const first = await send(one.alerts, '/gatehouse/v1/alert-history?limit=1')
    expect(first.status).toBe(200)
    expect(first.headers.get('content-type')).toBe('application/json')
    expect(first.headers.get('cache-control')).toBe('no-store')
    const { items, next } = await pageOf(first)
    expect(items).toMatchObject([{ event: 'firing', labels: { alertname: 'b' } }])
    const second = await send(one.alerts, `/gatehouse/v1/alert-history?limit=1&after=${next}`)
    expect(await second.json()).toEqual({
      items: [
        {
          id: expect.any(String),
          at: '2026-01-02T12:00:00.000Z',
          event: 'firing',
          fingerprint: expect.any(String),
          labels: { alertname: 'a' },
          annotations: { summary: '<1>' },
          startsAt: '2026-01-02T12:00:00.000Z',
        },
      ],
    })
  })

  it('accepts filters, times, an alert and events', async () => {
    const one = world.start()
    await one.post('a', minute)
    await world.pass(30_000)
    await one.post('a', 0)
    await one.post('b', minute)
    await one.history.flush()
    const [event] = (await listAlertHistory(one.alerts, { filter: ['alertname="a"'] })).items
    const questions: [query: string, found: string[]][] = [
      ['', ['firing b', 'resolved a', 'firing a']],
      ['filter=alertname%3D"a"&filter=x%3D""', ['resolved a', 'firing a']],
      ['event=resolved', ['resolved a']],
      ['event=resolved&event=firing&event=', ['firing b', 'resolved a', 'firing a']],
      [`fingerprint=${event?.fingerprint}&event=firing`, ['firing a']],
      ['from=2026-01-02T12:00:30Z', ['firing b', 'resolved a']],
      ['to=2026-01-02T13:00:30%2B01:00', ['firing a']],
      ['from=&to=&limit=&after=&fingerprint=&unknown=1&limit=2', ['firing b', 'resolved a']],
    ]
    for (const [query, found] of questions) {
      const answer = await send(one.alerts, `/gatehouse/v1/alert-history?${query}`)
      const { items } = await pageOf(answer)
      const brief = items.map(({ event, labels }) => `${event} ${labels.alertname}`)
      expect([query, brief]).toEqual([query, found])
    }
  })

  it.each([
    ['limit=0', 'limit must be a whole number from 1 to 1000'],
    ['limit=1001', 'limit must be a whole number from 1 to 1000'],
    ['limit=1e2', 'limit must be a whole number from 1 to 1000'],
    ['limit=99999999999999999999', 'limit must be a whole number from 1 to 1000'],
    ['after=%00', 'after is not the "next" of a page'],
    ['event=gone', `event must be one of ${alertEventKinds.join(', ')}, got "gone"`],
    ['filter=a', 'bad matcher format: a'],
    ['from=0001-01-01T00:00:00Z', 'from is not a valid time'],
    [
      'from=now',
      'from is not an RFC 3339 time: parsing time "now" as "2006-01-02 15:04:05": cannot parse "now" as "2006"',
    ],
  ])('returns 400 for %s', async (query, message) => {
    const { alerts } = world.start()
    const answer = await send(alerts, `/gatehouse/v1/alert-history?${query}`)
    expect([answer.status, await answer.json()]).toMatchObject([400, { message }])
  })
})

describe('GET /gatehouse/v1/notifications', () => {
  it('returns the decisions that match the query', async () => {
    const one = world.start()
    const decision = {
      at: world.clock.now(),
      groupKey: '{}:{}',
      receiver: 'team',
      integration: 'webhook/0',
      firing: ['0123456789abcdef'],
      resolved: [],
    }
    one.alerts.dispatch.decided({ ...decision, outcome: 'sent', reason: 'first notification' })
    one.alerts.dispatch.decided({ ...decision, receiver: 'other', outcome: 'deduplicated' })
    await one.history.flush()
    const query = 'receiver=team&groupKey=%7B%7D:%7B%7D&integration=webhook/0&outcome=sent'
    const answer = await send(
      one.alerts,
      `/gatehouse/v1/notifications?${query}&fingerprint=0123456789abcdef`,
    )
    expect(await answer.json()).toEqual({
      items: [
        {
          ...decision,
          id: expect.any(String),
          at: '2026-01-02T12:00:00.000Z',
          groupLabels: {},
          groupHash: expect.any(String),
          outcome: 'sent',
          reason: 'first notification',
          firingCount: 1,
          resolvedCount: 0,
        },
      ],
    })
    const refused = await send(one.alerts, '/gatehouse/v1/notifications?outcome=lost')
    expect([refused.status, await refused.json()]).toEqual([
      400,
      {
        reason: 'InvalidHistoryQuery',
        message: `outcome must be one of ${notificationOutcomes.join(', ')}, got "lost"`,
      },
    ])
  })
})

describe('GET /gatehouse/v1/silence-history', () => {
  it('returns the actions on a silence', async () => {
    const one = world.start()
    const silenceId = await createSilence(one.alerts, {
      matchers: [{ name: 'a', value: 'b', isRegex: true }],
      startsAt: world.clock.now(),
      endsAt: world.clock.now() + minute,
      createdBy: 'ann',
      comment: 'c',
    })
    await one.history.flush()
    const path = `/gatehouse/v1/silence-history?silenceId=${silenceId}&event=created`
    expect(await (await send(one.alerts, path)).json()).toEqual({
      items: [
        {
          id: expect.any(String),
          at: '2026-01-02T12:00:00.000Z',
          event: 'created',
          silenceId,
          by: 'ann',
          matchers: [{ name: 'a', value: 'b', isRegex: true, isEqual: true }],
          startsAt: '2026-01-02T12:00:00.000Z',
          endsAt: '2026-01-02T12:01:00.000Z',
          createdBy: 'ann',
          comment: 'c',
        },
      ],
    })
  })
})

describe('GET /gatehouse/v1/silence-history?filter=', () => {
  it('returns the actions on silences that match one of the alerts', async () => {
    const one = world.start()
    const endsAt = world.clock.now() + minute
    await postAlerts(one.alerts, [
      { labels: { alertname: 'A', node: '1' }, endsAt },
      { labels: { alertname: 'B', node: '2' }, endsAt },
    ])
    // The history cuts the last pattern, and then it is none.
    for (const value of ['1', '2', '.', '3', `1|(${'x'.repeat(1_024)})`]) {
      await createSilence(one.alerts, {
        matchers: [{ name: 'node', value, isRegex: true }],
        endsAt,
        createdBy: 'ann',
        comment: value,
      })
    }
    await one.history.flush()
    const comments = async (...filter: string[]): Promise<string[]> => {
      const query = new URLSearchParams(filter.map((text): [string, string] => ['filter', text]))
      const path = `/gatehouse/v1/silence-history?event=created&${query}`
      const { items } = (await (await send(one.alerts, path)).json()) as {
        items: { comment: string }[]
      }
      return items.map(({ comment }) => comment).sort()
    }
    expect(await comments('alertname="A"', 'node="1"')).toEqual(['.', '1'])
    expect(await comments('node=~".+"')).toEqual(['.', '1', '2'])
    expect(await comments('alertname="C"')).toEqual([])
    const wrong = await send(one.alerts, '/gatehouse/v1/silence-history?filter=x')
    expect(wrong.status).toBe(400)
  })
})

describe('the paths of the history', () => {
  it('accept only GET, also from other origins', async () => {
    const { alerts } = world.start()
    const path = '/gatehouse/v1/notifications'
    const posted = await send(alerts, path, { method: 'POST' })
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET'])
    expect(await posted.json()).toEqual({
      reason: 'MethodNotAllowed',
      message: 'only GET is supported',
    })
    const origin = { origin: 'http://elsewhere' }
    const preflight = await send(alerts, path, {
      method: 'OPTIONS',
      headers: { ...origin, 'access-control-request-method': 'GET' },
    })
    expect(preflight.headers.get('access-control-allow-methods')).toBe('GET')
    const got = await send(alerts, path, { headers: origin })
    expect(got.headers.get('access-control-allow-origin')).toBe('*')
  })

  it('are below the base path', async () => {
    const { alerts } = world.start({ basePath: '/am' })
    expect(await (await send(alerts, '/am/gatehouse/v1/notifications')).json()).toEqual({
      items: [],
    })
  })

  it('do not exist if no history is kept', async () => {
    const { alerts } = world.start({ historyRetentionMs: 0 })
    expect((await send(alerts, '/gatehouse/v1/notifications')).status).toBe(404)
  })

  it('return 503 while the storage is unavailable, and 500 without the cause for an unexpected error', async () => {
    const { alerts, storage } = createFixture()
    const failing = (error: Error): AlertsContext =>
      createFixture({ storage: { ...storage, find: () => Promise.reject(error) } }).alerts
    const away = await send(failing(storageUnavailable('away')), '/gatehouse/v1/alert-history')
    expect([away.status, await away.json()]).toEqual([
      503,
      { reason: 'StorageUnavailable', message: 'away' },
    ])
    const broken = await send(failing(new Error('secret')), '/gatehouse/v1/alert-history')
    expect([broken.status, await broken.json()]).toEqual([
      500,
      { reason: 'UnexpectedError', message: 'internal error' },
    ])
    expect((await send(alerts, '/gatehouse/v1/alert-history')).status).toBe(200)
  })
})
