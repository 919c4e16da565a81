import { connect } from 'node:net'
import { createAlerts } from '@gatehouse/core'
import { createManualClock } from '@gatehouse/core/testing'
import { createMemoryStorage } from '@gatehouse/store-memory'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isWide, runsOf } from '../../../test-support/lane.ts'
import { exchange, type ReceivedResponse } from './exchange.ts'
import { adapters, type SwitchingServer, startServer } from './servers.ts'
import { readVectorFile, readVectors } from './vector-runner.ts'

const config = readVectorFile('base.yml')
const megabyte = 1024 * 1024

/** The statuses that the API may return. Any other one is a defect. */
const documented = new Set([200, 204, 301, 400, 403, 404, 405, 406, 410, 413, 415, 422])

/** The API answers with JSON or an empty body. */
function expectSound({ status, header, text }: ReceivedResponse, what: string): void {
  expect(documented, `${what.slice(0, 500)}: ${text.slice(0, 500)}`).toContain(status)
  if (text !== '' && header('content-type') === 'application/json')
    expect(() => JSON.parse(text)).not.toThrow()
}

/** Sends bytes unchanged and collects the response until the connection ends or `ms` have passed. */
function sendRaw(port: number, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    let received = ''
    const socket = connect(port, '127.0.0.1')
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1')
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(received))
    socket.write(bytes, 'latin1')
    socket.end()
  })
}

for (const adapter of adapters) {
  describe(`hostile input through ${adapter}`, () => {
    let server: SwitchingServer
    const fresh = (options: { maxBodyBytes?: number; maxAlertLength?: number } = {}) => {
      const clock = createManualClock()
      const storage = createMemoryStorage({ clock })
      const alerts = createAlerts({ storage, clock, config, ...options })
      server.serve([...alerts.routes, ...alerts.fallbackRoutes])
    }
    const send = (method: string, path: string, body?: string | Uint8Array) =>
      exchange(server.port, { method, path, ...(body === undefined ? {} : { body }) })
    const post = (path: string, body: string | Uint8Array) => send('POST', `/api/v2${path}`, body)
    const get = (path: string) => send('GET', `/api/v2${path}`)
    const silence = (parts: object) =>
      JSON.stringify({
        matchers: [{ name: 'a', value: 'b', isRegex: false }],
        startsAt: '2026-01-01T00:00:00Z',
        endsAt: '2027-01-01T00:00:00Z',
        createdBy: 'me',
        comment: 'c',
        ...parts,
      })

    beforeAll(async () => {
      server = await startServer(adapter)
    })
    afterAll(() => server.close())

    it('accepts a body of 10 MB, and refuses one over the limit however it is sent', async () => {
      fresh({ maxBodyBytes: 11 * megabyte, maxAlertLength: 0 })
      const large = JSON.stringify([{ labels: { a: 'x'.repeat(10 * megabyte) } }])
      expect((await post('/alerts', large)).status).toBe(200)
      expect((await get('/alerts')).text.length).toBeGreaterThan(10 * megabyte)
      fresh({ maxBodyBytes: 1_000 })
      expect((await post('/alerts', `[${' '.repeat(999)}]`)).status).toBe(413)
      expect((await post('/alerts', large)).status).toBe(413)
      const head = 'POST /api/v2/alerts HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n'
      const chunk = `3e8\r\n${' '.repeat(1_000)}\r\n`
      const chunked = `${head}Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n${chunk}${chunk}0\r\n\r\n`
      expect(await sendRaw(server.port, chunked)).toMatch(/^HTTP\/1\.1 413 /)
      expect((await get('/status')).status).toBe(200)
    })

    it('reads invalid UTF-8 and NUL bytes as Go does', async () => {
      fresh()
      const bytes = Buffer.from('[{"labels":{"a":"x\xff\xc3","b\\u0000":"\\u0000"}}]', 'latin1')
      expect((await post('/alerts', bytes)).status).toBe(200)
      const [alert] = JSON.parse((await get('/alerts')).text)
      expect(alert.labels).toEqual({ a: 'x\ufffd\ufffd', 'b\u0000': '\u0000' })
      expect((await post('/alerts', '\u0000')).status).toBe(400)
      expect((await get('/alerts?filter=%00%ff%zz')).status).toBe(400)
    })

    it('accepts long queries', async () => {
      fresh()
      expectSound(await get(`/alerts/groups?${'&'.repeat(10_000)}`), 'ampersands')
      expectSound(await get(`/silences?${'a=%25&'.repeat(2_000)}`), 'parameters')
      // The server refuses longer request lines before any handler sees them, and closes the connection. With a much longer line,
      // unread bytes could make the client lose the response.
      expect((await get(`/alerts?x=${'y'.repeat(20_000)}`)).status).toBe(431)
    })

    it.each([
      ['Accept', ','.repeat(5_000)],
      ['Accept', 'application/json;q=nonsense'],
      ['Accept', `application/json${';a=b'.repeat(1_000)}`],
      ['Content-Type', `application/json${';'.repeat(5_000)}`],
      ['Content-Type', 'application/json; charset="'],
      ['Content-Type', '\xff\xfe'],
      ['Origin', 'null'],
      ['Content-Encoding', 'gzip'],
      ['X-Forwarded-For', '9'.repeat(5_000)],
    ])('answers the header %s: %s', async (name, value) => {
      fresh()
      const headers = { [name]: value }
      const answers = await Promise.all([
        exchange(server.port, { method: 'GET', path: '/api/v2/alerts', headers }),
        exchange(server.port, { method: 'POST', path: '/api/v2/alerts', headers, body: '[]' }),
        exchange(server.port, { method: 'OPTIONS', path: '/api/v2/alerts', headers }),
      ])
      for (const answer of answers) expectSound(answer, `${name}: ${value}`)
    })

    it('survives requests that are not HTTP, or break off', async () => {
      fresh()
      const start = 'POST /api/v2/alerts HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n'
      await sendRaw(server.port, `${start}Content-Length: 100\r\n\r\n[`)
      await sendRaw(server.port, `${start}Transfer-Encoding: chunked\r\n\r\n5\r\n[`)
      await sendRaw(
        server.port,
        `${start}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n[]`,
      )
      await sendRaw(server.port, `${start}Content-Length: -1\r\n\r\n[]`)
      for (const line of [
        'GET * HTTP/1.1',
        'OPTIONS * HTTP/1.1',
        'GET http://[ HTTP/1.1',
        'TRACE /api/v2/alerts HTTP/1.1',
        'GET /\\..\\ HTTP/1.1',
        'GET //// HTTP/1.1',
      ]) {
        const answer = await sendRaw(server.port, `${line}\r\nHost: [\r\n\r\n`)
        expect(answer, line).not.toMatch(/^HTTP\/1\.1 5/)
      }
      expect((await get('/status')).status).toBe(200)
    })

    it('gives documented answers to any request', async () => {
      fresh()
      const path = fc.oneof(
        fc.constantFrom(
          '/status',
          '/receivers',
          '/silences',
          '/silence/',
          '/alerts',
          '/alerts/groups',
          '/swagger.json',
          '/',
          '//',
          '/../..',
          '/%2e%2e/',
          '/silence/%00',
          '/silence/11111111-1111-4111-8111-111111111111',
        ),
        fc.webPath(),
      )
      const parameter = fc.tuple(
        fc.constantFrom(
          'filter',
          'receiver',
          'receiver_matchers',
          'active',
          'silenced',
          'expired',
          'muted',
          '__proto__',
        ),
        fc.oneof(
          fc.string(),
          fc.constantFrom('a="b"', 'a=~"("', '{a="b"}', '"', 'a=~".*"', '!', '=~', '\\'),
        ),
      )
      const query = fc.array(parameter, { maxLength: 5 }).map((pairs) => new URLSearchParams(pairs))
      const method = fc.constantFrom(
        'GET',
        'POST',
        'PUT',
        'DELETE',
        'HEAD',
        'OPTIONS',
        'PATCH',
        'PROPFIND',
      )
      const body = fc.oneof(fc.constant(undefined), fc.json(), fc.string(), fc.uint8Array())
      await fc.assert(
        fc.asyncProperty(method, path, query, body, async (verb, where, parameters, content) => {
          const target = `/api/v2${where}?${parameters}`
          expectSound(
            await send(verb, target, verb === 'GET' ? undefined : content),
            `${verb} ${target}`,
          )
        }),
        { numRuns: runsOf(120) },
      )
    })

    // The service reads these alike, whichever adapter they come through.
    if (!isWide && adapter !== adapters[0]) return

    it('accepts a thousand labels, and thousands of alerts', async () => {
      fresh()
      const labels = Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`l${i}`, 'v']))
      expect((await post('/alerts', JSON.stringify([{ labels }]))).status).toBe(200)
      const count = isWide ? 20_000 : 5_000
      const alerts = Array.from({ length: count }, (_, i) => ({ labels: { a: `${i}` } }))
      expect((await post('/alerts', JSON.stringify(alerts))).status).toBe(200)
      expect(JSON.parse((await get('/alerts')).text)).toHaveLength(count + 1)
    })

    it('names the limit that a request exceeds', async () => {
      fresh()
      const many = (length: number, of: (i: number) => string) =>
        Array.from({ length }, (_, i) => of(i))
      const labels = Object.fromEntries(many(1_001, (i) => `l${i}`).map((name) => [name, 'v']))
      const labelled = await post('/alerts', JSON.stringify([{ labels }]))
      expect([labelled.status, labelled.text]).toEqual([
        400,
        '"too many labels and annotations: 1001 (limit: 1000)"\n',
      ])
      const long = await post('/alerts', `[{"labels":{"a":"${'x'.repeat(262_144)}"}}]`)
      expect([long.status, JSON.parse(long.text).message]).toEqual([
        413,
        'an alert is too long (limit: 262144 characters)',
      ])
      const posted = await post('/alerts', `[${'{"a":1},'.repeat(1_000_000)}{"a":1}]`)
      expect([posted.status, JSON.parse(posted.text).message]).toEqual([
        413,
        'too many alerts in one request (limit: 20000)',
      ])
      const large = await post('/alerts', `[${' '.repeat(16 * megabyte)}]`)
      expect([large.status, JSON.parse(large.text).message]).toEqual([
        413,
        'the request body is larger than 16777216 bytes',
      ])
      const matchers = many(101, (i) => `(a1|b${i}){1,9}[^z]*`).map((value) => {
        return { name: 'a', value, isRegex: true }
      })
      const silenced = await post('/silences', silence({ matchers }))
      expect([silenced.status, silenced.text]).toEqual([
        400,
        '"silence exceeded maximum number of matchers: 101 (limit: 100)"\n',
      ])
      const commented = await post('/silences', silence({ comment: 'x'.repeat(262_144) }))
      expect(commented.status).toBe(400)
      expect(commented.text).toContain('(limit: 262144 bytes)')
      const filters = many(101, () => 'filter=a%3Db').join('&')
      for (const path of ['/alerts', '/alerts/groups', '/silences']) {
        const filtered = await get(`${path}?${filters}`)
        expect([filtered.status, filtered.text]).toEqual([
          400,
          '"too many filters: 101 (limit: 100)"\n',
        ])
      }
      for (const path of ['/alerts', '/alerts/groups', '/receivers']) {
        const filtered = await get(`${path}?${filters.replaceAll('filter', 'receiver_matchers')}`)
        expect([filtered.status, filtered.text]).toEqual([
          400,
          '"too many filters: 101 (limit: 100)"\n',
        ])
      }
    })

    it('refuses deeply nested bodies', async () => {
      fresh()
      for (const open of ['[', '{"a":', '[{"labels":', '[{"labels":{"a":']) {
        const answer = await post('/alerts', open.repeat(1_000_000))
        expect([answer.status, answer.text]).toEqual([
          400,
          '"parsing alerts body from \\"\\" failed, because exceeded max depth"\n',
        ])
      }
    })

    it('keeps labels named like object members apart from those', async () => {
      fresh()
      const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'length']
      const members = names.map((name) => `${JSON.stringify(name)}:"v"`).join(',')
      const body = `[{"labels":{${members}},"annotations":{"__proto__":"n"}}]`
      expect((await post('/alerts', body)).status).toBe(200)
      const { text } = await get(
        '/alerts?filter=__proto__%3Dv&filter=toString%3Dv&filter=valueOf%3D',
      )
      expect(text).toContain('"__proto__":"v"')
      expect(text).toContain('"annotations":{"__proto__":"n"}')
      expect(JSON.parse((await get('/alerts?filter=constructor%3Dx')).text)).toEqual([])
      const matchers = [{ name: '__proto__', value: 'v', isRegex: false }]
      expect((await post('/silences', silence({ matchers }))).status).toBe(200)
      const [silenced] = JSON.parse((await get('/alerts')).text)
      expect(silenced.status.state).toBe('suppressed')
    })

    it.each(
      [
        '9999-12-31T23:59:59.999999999Z',
        '0000-01-01T00:00:00Z',
        '9999-12-31T23:59:59-23:59',
        '0001-01-01T00:00:00+23:59',
        `2026-01-01T00:00:00.${'9'.repeat(100_000)}Z`,
        '+275760-09-13T00:00:00Z',
        '9'.repeat(100_000),
      ].map((time) => [time.length > 40 ? `of ${time.length} characters` : time, time]),
    )('the time %s does not break a list', async (_, time) => {
      fresh()
      expectSound(await post('/alerts', `[{"labels":{"a":"b"},"endsAt":"${time}"}]`), time)
      expectSound(await post('/alerts', `[{"labels":{"a":"c"},"startsAt":"${time}"}]`), time)
      expectSound(await post('/silences', silence({ endsAt: time })), time)
      expectSound(await post('/silences', silence({ startsAt: time })), time)
      for (const path of ['/alerts', '/alerts/groups', '/silences']) {
        expect((await get(path)).status).toBe(200)
      }
    })

    it('ignores numbers of any size in places without numbers', async () => {
      fresh()
      const body = `[{"labels":{"a":"b"},"n":${'9'.repeat(100_000)},"e":1e999999999}]`
      expect((await post('/alerts', body)).status).toBe(200)
    })

    it('accepts patterns that make backtracking engines hang', async () => {
      fresh()
      const alert = { labels: { a: 'a'.repeat(50_000) } }
      expect((await post('/alerts', JSON.stringify([alert]))).status).toBe(200)
      for (const pattern of [
        '(a+)+b',
        '(a|aa)+b',
        '(a*)*b',
        '(.*)*(.*)*x',
        '(x+x+)+y',
        'a{1000}{1000}',
      ]) {
        const path = encodeURIComponent(`a=~"${pattern}"`)
        expectSound(await get(`/alerts?filter=${path}`), pattern)
        expectSound(await get(`/alerts?receiver=${encodeURIComponent(pattern)}`), pattern)
        const matchers = [{ name: 'a', value: pattern, isRegex: true }]
        expectSound(await post('/silences', silence({ matchers })), pattern)
        expectSound(await get('/alerts'), pattern)
      }
    })

    it('gives documented answers to mutations of recorded bodies', async () => {
      fresh()
      const bodies = ['alerts-post', 'silences-post'].flatMap((file) =>
        readVectors(`${file}.json`).flatMap(({ request }) => {
          const { path, body, bodyRaw } = request
          const text = bodyRaw ?? (body === undefined ? '' : JSON.stringify(body))
          return [{ path, text: text.replaceAll(/\{now[^}]*\}/g, '2026-01-02T03:04:05Z') }]
        }),
      )
      const noise = fc.constantFrom(
        '',
        '"',
        '{',
        '}',
        '[',
        ']',
        ',',
        ':',
        '\\',
        '\\u',
        '\0',
        'null',
        '1e9',
        '__proto__',
        '\ud800',
        'é',
        '=~',
        '(',
      )
      const mutation = fc.record({
        at: fc.double({ min: 0, max: 1, noNaN: true }),
        cut: fc.nat(8),
        noise,
      })
      const mutated = fc.tuple(fc.constantFrom(...bodies), fc.array(mutation, { maxLength: 4 }))
      await fc.assert(
        fc.asyncProperty(mutated, async ([{ path, text }, mutations]) => {
          const body = mutations.reduce((mutant, { at, cut, noise: extra }) => {
            const index = Math.floor(at * mutant.length)
            return mutant.slice(0, index) + extra + mutant.slice(index + cut)
          }, text)
          expectSound(await send('POST', path, body), body)
        }),
        { numRuns: runsOf(120) },
      )
    })

    it('gives documented answers to objects in place of texts and lists', async () => {
      fresh()
      const poses = [
        { toString: 1 },
        { toString: null, valueOf: null },
        { toJSON: 1 },
        { length: -1 },
        { constructor: 1, __proto__: null },
        [{ toString: 1 }],
        [[]],
      ].map((pose) => JSON.stringify(pose))
      const alert = { labels: { a: 'b' }, annotations: { c: 'd' }, startsAt: '', generatorURL: '' }
      const bodies = [
        ['/alerts', JSON.stringify([alert])],
        ['/silences', silence({ id: '', annotations: { c: 'd' } })],
      ] as const
      for (const [path, body] of bodies) {
        // Replaces every value in turn, including those that contain others.
        for (const { index } of body.matchAll(/(?<=[:[,])["{[]|^./g)) {
          for (const pose of poses) {
            const value = /^"[^"]*"|^[{[][^{}[\]]*[}\]]|^./.exec(body.slice(index))?.[0] ?? ''
            const mutant = body.slice(0, index) + pose + body.slice(index + value.length)
            expectSound(await post(path, mutant), mutant)
          }
        }
      }
      expect((await post('/alerts', '[{"labels":{"v":{"toString":1}}}]')).status).toBe(400)
    })
  })
}
