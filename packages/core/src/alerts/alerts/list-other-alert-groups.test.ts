import { describe, expect, it } from 'vitest'
import { fetchHandler } from '../../http/fetch-handler.ts'
import type { HttpConfig } from '../../http-client/http-config.ts'
import type { OutgoingRequest } from '../../http-client/send-request.ts'
import type { AlertsOptions } from '../create-alerts.ts'
import { createFixture } from '../service.fixture.ts'
import { listOtherAlertGroups } from './list-other-alert-groups.ts'
import { listOtherServers } from './list-other-servers.ts'

const second = 1_000
const at = '2026-01-02T11:00:00.000Z'

const alertOf = (name: string, status: object = {}, more: object = {}) => ({
  labels: { alertname: name, site: 'paris' },
  annotations: {},
  receivers: [{ name: 'ops' }],
  fingerprint: name,
  startsAt: at,
  updatedAt: at,
  endsAt: at,
  status: { state: 'active', silencedBy: [], inhibitedBy: [], ...status },
  ...more,
})
const silenced = { state: 'suppressed', silencedBy: ['x'] }
const groupOf = (...alerts: readonly object[]) => ({
  labels: { site: 'paris' },
  receiver: { name: 'ops' },
  alerts,
})

/** What a server answers; a text is its body. */
type Given = { status?: number; body: string } | Error | 'never'

/** A service with one other server, which answers as `server.given` says. */
function createWorld(options: Partial<AlertsOptions> = {}) {
  const body = JSON.stringify([groupOf(alertOf('disk'), alertOf('net', silenced))])
  const server: { given: Given } = { given: { body } }
  const sent: { request: OutgoingRequest; http: HttpConfig }[] = []
  const lines: string[] = []
  const note = (fields: object, message: string): void => {
    lines.push(`${message} ${JSON.stringify(fields)}`)
  }
  const fixture = createFixture({
    otherServers: [
      { name: 'paris', url: 'https://paris.example/am/', token: 'harbor-lantern-42' },
      { name: 'a/b', url: 'http://b.example', externalUrl: 'https://b.example/page' },
    ],
    logger: { debug: () => {}, info: note, warn: note, error: note },
    send: async (request, http, signal) => {
      sent.push({ request, http })
      const { given } = server
      if (given === 'never') {
        await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal)))
      }
      if (given instanceof Error) throw given
      const { status = 200, body } = given as { status?: number; body: string }
      return { status, headers: new Headers(), body }
    },
    ...options,
  })
  const names = async (query = {}): Promise<string> => {
    const { items } = await listOtherAlertGroups(fixture.alerts, 'paris', query)
    return items.flatMap(({ alerts }) => alerts.map(({ fingerprint }) => fingerprint)).join(' ')
  }
  return { ...fixture, server, sent, lines, names }
}

describe('other servers', () => {
  it('are listed without their URLs and secrets', async () => {
    const { alerts } = createWorld()
    expect(await listOtherServers(alerts)).toEqual([
      { name: 'paris' },
      { name: 'a/b', url: 'https://b.example/page' },
    ])
    expect(JSON.stringify(alerts.others.servers.map(({ name }) => name))).not.toContain('harbor')
  })

  it('are read with their credentials, and never follow a redirect', async () => {
    const { sent, names } = createWorld()
    expect(await names()).toBe('disk net')
    expect(sent).toHaveLength(1)
    expect(sent[0]).toMatchObject({
      request: { method: 'GET', url: 'https://paris.example/am/api/v2/alerts/groups' },
      http: { follow_redirects: false, authorization: { type: 'Bearer' } },
    })
    expect(sent[0]?.http.authorization?.credentials?.reveal()).toBe('harbor-lantern-42')
  })

  it('are filtered here', async () => {
    const { sent, names } = createWorld()
    expect(await names({ filter: ['alertname=~"d.*"'] })).toBe('disk')
    expect(await names({ filter: ['site!="paris"'] })).toBe('')
    expect(await names({ silenced: false })).toBe('disk')
    expect(await names({ active: false })).toBe('net')
    await expect(names({ filter: ['{'] })).rejects.toMatchObject({ reason: 'InvalidMatcher' })
    expect(sent).toHaveLength(1)
    expect(sent[0]?.request.url).not.toContain('?')
  })

  it('are asked once for all who ask within five seconds', async () => {
    const { sent, names, clock } = createWorld()
    await Promise.all([names(), names(), names()])
    clock.advance(4 * second)
    await names()
    expect(sent).toHaveLength(1)
    clock.advance(second)
    await names()
    expect(sent).toHaveLength(2)
  })

  it('keep nobody waiting: a reading of the last minute stands in, and then the failure', async () => {
    const { server, names, clock, sent, lines } = createWorld()
    await names()
    server.given = 'never'
    clock.advance(5 * second)
    const waiting = names()
    await expect.poll(() => sent.length).toBe(2)
    clock.advance(2 * second)
    expect(await waiting).toBe('disk net')
    // Those who come later do not wait for the same request.
    expect(await names()).toBe('disk net')
    clock.advance(8 * second)
    await expect.poll(() => lines.at(-1)).toContain('another server cannot be read')
    // It is not read again for five seconds; the reading before still stands in.
    expect(await names()).toBe('disk net')
    expect(sent).toHaveLength(2)
    clock.advance(46 * second)
    const late = names()
    await expect.poll(() => sent.length).toBe(3)
    clock.advance(10 * second)
    await expect(late).rejects.toThrow('paris: it has not answered yet')
    await expect
      .poll(() => names().catch(({ message }) => message))
      .toBe('paris: it takes too long')
    expect(lines).toHaveLength(1)
    expect(sent).toHaveLength(3)
  })

  it('that refuse are not shown by an older reading', async () => {
    const { server, names, clock } = createWorld()
    await names()
    server.given = { status: 401, body: '' }
    clock.advance(5 * second)
    await expect(names()).rejects.toThrow('paris: it answered 401')
  })

  it.each<[Given, string]>([
    [{ status: 302, body: '' }, 'it answered 302'],
    [{ status: 401, body: 'harbor-lantern-42' }, 'it answered 401'],
    [{ body: '<html>' }, 'its answer is not a list of alert groups'],
    [{ body: '{"items":[]}' }, 'its answer is not a list of alert groups'],
    [{ body: '[null]' }, 'its answer is not a list of alert groups'],
    [
      { body: JSON.stringify([groupOf(alertOf('a', {}, { startsAt: 'soon' }))]) },
      'its answer is not a list of alert groups',
    ],
    [
      { body: JSON.stringify([groupOf(alertOf('a', {}, { labels: { a: { b: 1 } } }))]) },
      'its answer is not a list of alert groups',
    ],
    [{ body: ' '.repeat(16 * 1024 * 1024) }, 'its answer is too long'],
    [new Error('connect ECONNREFUSED 10.0.0.1 harbor-lantern-42'), 'it cannot be reached'],
  ])('that fail say why, without secrets: case %#', async (given, failure) => {
    const { server, names, lines, clock } = createWorld()
    server.given = given
    const refused = { reason: 'OtherServerFailed', message: `paris: ${failure}` }
    await expect(names()).rejects.toMatchObject(refused)
    await expect(names()).rejects.toMatchObject(refused)
    clock.advance(5 * second)
    await expect(names()).rejects.toMatchObject(refused)
    server.given = { body: '[]' }
    clock.advance(5 * second)
    expect(await names()).toBe('')
    expect(lines).toEqual([
      `another server cannot be read ${JSON.stringify({ server: 'paris', failure })}`,
      'another server is read again {"server":"paris"}',
    ])
  })

  it('that fail are logged once, however many requests ask for their alerts', async () => {
    const { alerts, server, lines, clock } = createWorld()
    server.given = new Error('connect ECONNREFUSED')
    for (let asked = 0; asked < 3; asked++) {
      const url = 'http://host/gatehouse/v1/other-servers/paris/alert-groups'
      const answer = await fetchHandler(alerts.routes)(new Request(url))
      expect([answer.status, await answer.json()]).toMatchObject([
        503,
        { reason: 'OtherServerFailed' },
      ])
      clock.advance(15 * second)
    }
    expect(lines).toEqual([
      'another server cannot be read {"server":"paris","failure":"it cannot be reached"}',
    ])
  })

  it('give only members that are known', async () => {
    const { server, alerts } = createWorld()
    const hostile = { ...alertOf('a', {}, { secret: 1, __proto__: null }), more: {} }
    server.given = { body: JSON.stringify([{ ...groupOf(hostile), extra: 1 }]) }
    const { items } = await listOtherAlertGroups(alerts, 'paris')
    const known = alertOf('a', { mutedBy: [] })
    expect(items).toEqual([groupOf(known)])
  })

  it('are not sent again to who has their alerts', async () => {
    const { server, alerts, clock } = createWorld()
    const url = 'http://host/gatehouse/v1/other-servers/paris/alert-groups'
    const ask = (tag = ''): Promise<Response> =>
      fetchHandler(alerts.routes)(new Request(url, { headers: { 'if-none-match': tag } }))
    const first = await ask()
    const tag = first.headers.get('etag') ?? ''
    expect(first.headers.get('cache-control')).toBe('private, no-cache')
    clock.advance(5 * second)
    const again = await ask(tag)
    expect([again.status, await again.text()]).toEqual([304, ''])
    server.given = { body: JSON.stringify([groupOf(alertOf('disk'))]) }
    clock.advance(5 * second)
    const changed = await ask(tag)
    expect(changed.status).toBe(200)
    expect(changed.headers.get('etag')).not.toBe(tag)
  })

  it('let others run while a group of twenty thousand alerts is read, filtered and answered', async () => {
    const { server, alerts } = createWorld()
    const many = Array.from({ length: 20_000 }, (_, n) => alertOf(`<${n}>`))
    const body = JSON.stringify([groupOf(...many)])
    server.given = { body }
    let turns = 0
    const count = (): void => {
      turns += 1
      next = setImmediate(count)
    }
    let next = setImmediate(count)
    const filter = encodeURIComponent('alertname!="<7>"')
    const url = `http://host/gatehouse/v1/other-servers/paris/alert-groups?filter=${filter}`
    const answer = await fetchHandler(alerts.routes)(new Request(url))
    const text = await answer.text()
    clearImmediate(next)
    const [group] = JSON.parse(text).items
    expect(group.alerts).toHaveLength(19_999)
    expect(group.alerts[7]).toEqual(alertOf('<8>', { mutedBy: [] }))
    expect(text).not.toContain('<')
    expect(turns).toBeGreaterThan(5)
  })

  it('are below /gatehouse/v1/other-servers, for those who may read alerts', async () => {
    const { alerts } = createWorld()
    const ask = async (path: string, from = alerts): Promise<[number, unknown]> => {
      const request = new Request(`http://host/gatehouse/v1/other-servers${path}`)
      const answer = await fetchHandler(from.routes)(request)
      return [answer.status, await answer.json()]
    }
    expect(await ask('')).toEqual([200, { items: await listOtherServers(alerts) }])
    const filter = encodeURIComponent('alertname="disk"')
    expect(await ask(`/a%2Fb/alert-groups?filter=${filter}&silenced=false`)).toEqual([
      200,
      { items: [groupOf(alertOf('disk', { mutedBy: [] }))] },
    ])
    expect(await ask('/none/alert-groups')).toMatchObject([404, { reason: 'OtherServerNotFound' }])
    const { alerts: guarded } = createWorld({ authorize: () => false })
    expect((await ask('', guarded))[0]).toBe(401)
    expect((await ask('/paris/alert-groups', guarded))[0]).toBe(401)
  })

  it.each([
    [[{ name: 'a', url: 'https://me:pw@x.example' }], 'without credentials'],
    [[{ name: 'a', url: 'file:///etc/passwd' }], 'an http or https URL'],
    [[{ name: 'a', url: 'http://x.example?' }], 'an http or https URL'],
    [[{ name: ' ', url: 'http://x.example' }], 'a name of at most 100 characters'],
    [[{ name: '..', url: 'http://x.example' }], 'a name of at most 100 characters'],
    [[{ name: 'a', url: 'http://x.example', username: 'me' }], 'with its password'],
    [
      [{ name: 'a', url: 'http://x.example', token: 'harbor', tokenFile: 'f' }],
      'one of password, passwordFile, token and tokenFile',
    ],
    [
      ['a', 'b', 'a'].map((name) => ({ name, url: 'http://x.example' })),
      'otherServers[2]: expected a name that no other server has',
    ],
    [
      Array.from({ length: 21 }, (_, n) => ({ name: `${n}`, url: 'http://x.example' })),
      'at most 20 servers',
    ],
  ])('are refused as options: case %#', (otherServers, message) => {
    expect(() => createWorld({ otherServers })).toThrow(message)
    expect(() => createWorld({ otherServers })).not.toThrow(/pw|harbor/)
  })
})
