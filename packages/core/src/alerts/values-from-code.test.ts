import { describe, expect, it } from 'vitest'
import { fetchHandler } from '../http/fetch-handler.ts'
import { listAlertGroups } from './alerts/list-alert-groups.ts'
import { listAlerts } from './alerts/list-alerts.ts'
import { postAlerts } from './alerts/post-alerts.ts'
import type { AlertsContext } from './context.ts'
import { explain } from './running-config/explain.ts'
import { createFixture } from './service.fixture.ts'
import { createSilence } from './silences/create-silence.ts'
import { listSilences } from './silences/list-silences.ts'

/** A value from `JSON.parse` or from a program without types. */
const untyped = (value: unknown): never => value as never

const matchers = [{ name: 'alertname', value: 'x', isRegex: false }]
const silence = { matchers, endsAt: '2026-01-02T13:00:00Z', createdBy: 'me', comment: 'c' }

async function get(alerts: AlertsContext, path: string): Promise<unknown> {
  const response = await fetchHandler(alerts.routes)(new Request(`http://host${path}`))
  expect(response.status).toBe(200)
  return response.json()
}

async function lists(alerts: AlertsContext): Promise<readonly unknown[]> {
  const paths = ['alerts', 'alerts/groups', 'silences'].map((name) => `/api/v2/${name}`)
  return Promise.all(paths.map((path) => get(alerts, path)))
}

describe('postAlerts', () => {
  it('accepts instants as milliseconds, as a Date and as RFC 3339 text, whose offset it keeps', async () => {
    const { alerts, clock } = createFixture()
    const at = clock.now() + 3_600_000
    await postAlerts(alerts, [
      { labels: { alertname: 'a' }, endsAt: at },
      { labels: { alertname: 'b' }, endsAt: new Date(at) },
      { labels: { alertname: 'c' }, endsAt: '2026-01-02T13:00:00Z' },
      { labels: { alertname: 'd' }, endsAt: '2026-01-02T15:00:00.000001+02:00' },
      { labels: { alertname: 'e' }, startsAt: '0001-01-01T00:00:00Z', endsAt: at },
    ])
    const ends = (await listAlerts(alerts)).map(({ labels, endsAt }) => [labels.alertname, endsAt])
    expect(Object.fromEntries(ends)).toEqual({
      a: '2026-01-02T13:00:00.000Z',
      b: '2026-01-02T13:00:00.000Z',
      c: '2026-01-02T13:00:00.000Z',
      d: '2026-01-02T15:00:00.000+02:00',
      e: '2026-01-02T13:00:00.000Z',
    })
  })

  it.each([
    [[{ labels: { alertname: 'x' }, endsAt: 1e18 }], 'alerts[0].endsAt'],
    [[{ labels: { alertname: 'x' }, endsAt: 'tomorrow' }], 'alerts[0].endsAt'],
    [[{ labels: { alertname: 'x' }, startsAt: Number.NaN }], 'alerts[0].startsAt'],
    [[{ labels: { alertname: 5 } }], 'alerts[0].labels.alertname'],
    [[{ labels: { v: { toString: 1 } } }], 'alerts[0].labels.v'],
    [[{ labels: [] }], 'alerts[0].labels'],
    [[{}], 'alerts[0].labels'],
    [[null], 'alerts[0]'],
    [[{ labels: { a: 'b' }, generatorURL: 'not a url' }], 'alerts[0].generatorURL'],
    [[{ labels: { a: 'b' }, annotations: { a: null } }], 'alerts[0].annotations.a'],
    [{ labels: { a: 'b' } }, 'alerts'],
    ['[]', 'alerts'],
    [undefined, 'alerts'],
  ])('refuses %j with its path, and stores nothing of it', async (given, path) => {
    const { alerts } = createFixture()
    const sound = { labels: { alertname: 'sound' } }
    const all = Array.isArray(given) ? [...given, sound] : given
    await expect(postAlerts(alerts, untyped(all))).rejects.toMatchObject({
      name: 'GatehouseError',
      kind: 'Invalid',
      reason: 'InvalidInput',
      info: { path },
    })
    expect(await lists(alerts)).toEqual([[], [], []])
  })
})

describe('createSilence', () => {
  it('accepts instants in every form, and a silence that was listed', async () => {
    const { alerts, clock } = createFixture()
    const id = await createSilence(alerts, silence)
    await createSilence(alerts, { ...silence, endsAt: new Date(clock.now() + 1_000) })
    const [listed] = await listSilences(alerts, { filter: ['alertname="x"'] })
    const changed = { ...(listed ?? expect.fail('no silence')), comment: 'changed' }
    expect(await createSilence(alerts, changed)).toBe(changed.id)
    const endsAt = (await listSilences(alerts)).find((one) => one.id === id)?.endsAt
    expect(endsAt).toBe('2026-01-02T13:00:00.000Z')
  })

  it.each([
    [{ comment: undefined }, 'silence.comment'],
    [{ createdBy: 5 }, 'silence.createdBy'],
    [{ endsAt: 1e18 }, 'silence.endsAt'],
    [{ endsAt: undefined }, 'silence.endsAt'],
    [{ startsAt: '2026' }, 'silence.startsAt'],
    [{ matchers: undefined }, 'silence.matchers'],
    [{ matchers: 'alertname="x"' }, 'silence.matchers'],
    [{ matchers: ['alertname="x"'] }, 'silence.matchers[0]'],
    [{ matchers: [{ name: 'a', value: 'b' }] }, 'silence.matchers[0].isRegex'],
    [{ matchers: [{ name: 'a', value: 1, isRegex: false }] }, 'silence.matchers[0].value'],
    [{ annotations: { a: 1 } }, 'silence.annotations.a'],
    [{ comment: 'half \ud800' }, 'silence.comment'],
    [{ id: 7 }, 'silence.id'],
  ])('refuses %j with its path, and stores nothing', async (change, path) => {
    const { alerts } = createFixture()
    const given = untyped({ ...silence, ...change })
    await expect(createSilence(alerts, given)).rejects.toMatchObject({
      reason: 'InvalidInput',
      info: { path },
    })
    expect(await lists(alerts)).toEqual([[], [], []])
  })
})

describe('the other operations', () => {
  it('refuse a query with a member of the wrong type or a misspelled name', async () => {
    const { alerts } = createFixture()
    await expect(listAlerts(alerts, untyped({ filter: 'a="b"' }))).rejects.toThrow(
      'query.filter: expected a list, got a string',
    )
    await expect(listAlertGroups(alerts, untyped({ mutd: false }))).rejects.toThrow(
      'query.mutd: expected "muted", got an unknown key',
    )
    await expect(listSilences(alerts, untyped({ active: 'no' }))).rejects.toThrow(
      'query.active: expected true or false, got a string',
    )
    await expect(explain(alerts, untyped(undefined))).rejects.toThrow(
      'labels: expected an object of strings, got undefined',
    )
  })
})
