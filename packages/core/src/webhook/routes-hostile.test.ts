import { createMemoryStorage } from '@gatehouse/store-memory'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runsOf } from '../../../../test-support/lane.ts'
import { closeWebhooks } from './close-webhooks.ts'
import type { WebhooksConfig } from './config/written/webhooks-config.generated.ts'
import type { WebhooksContext } from './context.ts'
import { createWebhooks } from './create-webhooks.ts'
import { createSender, type SentRequest } from './http/routes.fixture.ts'
import { createScriptedRunner, type ScriptedRunner } from './scripted-runner.fixture.ts'

const mebibyte = 1024 * 1024

/** The documented statuses. Any other answer would be a defect. */
const documented = new Set([200, 202, 400, 401, 404, 405, 409, 413, 415, 422])

/** A webhook that reads a request in every possible way. */
const config: WebhooksConfig = {
  admin: { token: 'admin-token' },
  webhooks: [
    {
      id: 'all',
      token: 's3cret',
      execute_command: 'true',
      workdir: '',
      concurrency: 0,
      include_output: true,
      accept: ['json', 'form'],
      command_arguments: [
        { name: '--a', source: 'data.a', on_missing: 'skip' },
        { name: '--b', source: 'data.b.0.c', format: 'equals', on_missing: 'empty' },
        { name: '--c', source: 'data.__proto__.polluted', on_missing: 'name' },
        { name: '', source: 'data.d', pattern: '(a+)+b', on_missing: 'skip' },
        { name: '', source: 'header:x-value', allow_dash: true, on_missing: 'skip' },
        { name: '', source: 'query:q', format: 'value', on_missing: 'skip', max_length: 100 },
        { name: '', source: 'body:', allow_dash: true, on_missing: 'skip' },
      ],
      env: { VALUE: { source: 'data.e', default: 'none' } },
      rules: { not: { source: 'data.skip', exists: true } },
      stdin: 'data',
    },
    {
      id: 'signed',
      token: 'unused',
      execute_command: 'true',
      workdir: '',
      concurrency: 0,
      mode: 'async',
      signature: { scheme: 'github', secret: 'secret' },
    },
  ],
}

let webhooks: WebhooksContext
let runner: ScriptedRunner
let send: (sent: SentRequest) => Promise<Response>

beforeAll(() => {
  runner = createScriptedRunner((command) => command.end())
  webhooks = createWebhooks({
    storage: createMemoryStorage(),
    config,
    runner,
    environment: { PATH: process.env.PATH },
    workdir: '/',
  })
  send = createSender([...webhooks.routes, ...webhooks.fallbackRoutes])
})
afterAll(() => closeWebhooks(webhooks, { graceMs: 0 }))

/** Sends a request and checks everything that must hold for its answer. */
async function sound(sent: SentRequest): Promise<{ status: number; body: unknown }> {
  const response = await send(sent)
  const text = await response.text()
  const what = `${sent.method} ${sent.path}: ${text.slice(0, 500)}`
  expect(documented, what).toContain(response.status)
  expect(text).not.toMatch(/s3cret|admin-token/)
  expect(text).not.toMatch(/\.ts:\d+|node_modules|\n {4}at /)
  expect(response.headers.get('x-request-id')).toMatch(/^[A-Za-z0-9._-]{1,64}$/)
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  return { status: response.status, body: isJson && text !== '' ? JSON.parse(text) : text }
}

const post = (body: SentRequest['body'], headers: Record<string, string> = {}) =>
  sound({ path: '/webhook', headers, ...(body === undefined ? {} : { body }) })

const postPath = (body: NonNullable<SentRequest['body']>, headers: Record<string, string> = {}) =>
  sound({ path: '/webhook/all', headers: { authorization: 'Bearer s3cret', ...headers }, body })

/** Whether the whole body budget is free. */
function holdsNothing(): boolean {
  const hold = webhooks.bodies.open()
  const hasRoom = hold.resize(64 * mebibyte)
  hold.release()
  return hasRoom
}

const good = { id: 'all', token: 's3cret', data: {} }

describe('hostile bodies', () => {
  it('with extreme nesting are refused', async () => {
    for (const open of ['[', '{"a":', '{"id":"all","token":"s3cret","data":{"a":', '[{"a":']) {
      expect((await post(open.repeat(100_000))).status).toBe(400)
      expect((await postPath(open.repeat(100_000))).status).toBe(400)
    }
    const deep = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`
    expect((await postPath(deep(64))).status).toBe(200)
    expect((await postPath(deep(65))).status).toBe(400)
  })

  it('with member names such as __proto__ change no object', async () => {
    const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf', 'length']
    const members = names.map((name) => `"${name}":{"polluted":"yes","id":"all","token":"s3cret"}`)
    const object = `{${members.join(',')}}`
    expect((await post(object)).status).toBe(400)
    expect((await post(`{"id":"all","token":"s3cret","data":${object}}`)).status).toBe(200)
    expect(runner.commands.at(-1)?.command.args).toContain('yes')
    expect((await postPath(object)).status).toBe(200)
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
    const form = '__proto__=yes&constructor=b&hasOwnProperty=c&a=d'
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    expect((await postPath(form, type)).status).toBe(200)
    expect(runner.commands.at(-1)?.command.args).toContain('d')
  })

  it('that are not UTF-8 are refused, and half a surrogate pair never reaches a command', async () => {
    const bytes = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'latin1'))
    expect((await post(bytes('{"id":"all","token":"s3cret","data":{"a":"\xff"}}'))).status).toBe(
      400,
    )
    expect((await postPath(bytes('"\xc3"'))).status).toBe(400)
    expect((await postPath('{"a":"\\ud800"}')).status).toBe(422)
    expect((await postPath('{"a":"\\u0000"}')).status).toBe(422)
    expect((await postPath('{"a":"\u{10ffff}"}')).status).toBe(200)
  })

  it('with repeated members, and numbers of any size, are read', async () => {
    const number = '9'.repeat(10_000)
    const text = `{"id":"x","id":"all","token":"s3cret","data":{"a":${number},"a":1e999}}`
    expect((await post(text)).status).toBe(200)
    expect(runner.commands.at(-1)?.command.args).toContain('1e999')
    expect((await postPath(`{"a":${number}}`)).status).toBe(200)
    expect(runner.commands.at(-1)?.command.args).toContain(number)
  })

  it('with two hundred thousand members are read', async () => {
    const members = Array.from({ length: 200_000 }, (_, i) => `"k${i}":${i}`).join(',')
    expect((await postPath(`{${members}}`)).status).toBe(422) // the whole body is also an argument
    expect((await post(`{"id":"all","token":"s3cret","data":{},${members}}`)).status).toBe(422)
  })

  it('that make backtracking engines hang are matched', async () => {
    // A backtracking engine would never finish.
    expect((await postPath({ d: `${'a'.repeat(70)}c` })).status).toBe(422)
    expect((await postPath({ d: 'a'.repeat(60_000) })).status).toBe(422)
  })
})

describe('fields of the wrong type', () => {
  const values = [null, true, 0, -1, 1e300, '', ' ', 'x', [], [1], {}, { a: [] }, '\u0000']

  it.each(['id', 'token', 'data'])('%s are refused, or have a defined meaning', async (field) => {
    for (const value of values) {
      const { status } = await post({ ...good, [field]: value })
      expect([400, 401, 404, ...(field === 'data' ? [200] : [])], JSON.stringify(value)).toContain(
        status,
      )
    }
    const { [field]: _, ...without } = good as Record<string, unknown>
    expect((await post(without)).status).toBe(field === 'data' ? 200 : 400)
  })

  it('inside of data never cause an error', async () => {
    for (const value of values) {
      for (const field of ['a', 'b', 'd', 'e', 'skip', '__proto__']) {
        const text = `{"id":"all","token":"s3cret","data":{"${field}":${JSON.stringify(value)}}}`
        expect([200, 422]).toContain((await post(text)).status)
      }
    }
  })

  it('of a hash request are refused', async () => {
    for (const value of values.filter((one) => typeof one !== 'string')) {
      const { status } = await sound({ path: '/hash', body: { message: value } })
      expect(status).toBe(400)
    }
  })
})

describe('requests of every shape', () => {
  it('with long ids, tokens and headers are refused or accepted', async () => {
    const long = 'x'.repeat(100_000)
    expect((await post({ ...good, id: long })).status).toBe(404)
    expect((await post({ ...good, token: long })).status).toBe(401)
    expect((await postPath('{}', { 'x-value': long })).status).toBe(422)
    expect((await postPath('{}', { 'x-request-id': long })).status).toBe(200)
    expect((await postPath('{}', { prefer: `${'wait=1,'.repeat(10_000)}` })).status).toBe(200)
    expect((await postPath('{}', { 'content-type': `application/json;${long}` })).status).toBe(200)
    expect((await postPath('{}', { 'content-type': long })).status).toBe(415)
    expect((await postPath('{}', { authorization: `Bearer ${long}` })).status).toBe(401)
    expect(
      (await postPath('{}', { 'x-forwarded-for': `${'1.1.1.1,'.repeat(20_000)}` })).status,
    ).toBe(200)
    const signature = `${'sha256=00,'.repeat(10_000)}`
    const signed = {
      path: '/webhook/signed',
      headers: { 'x-hub-signature-256': signature },
      body: '{}',
    }
    expect((await sound(signed)).status).toBe(401)
  })

  it('to paths that cannot be decoded get 404', async () => {
    for (const path of [
      '/webhook/%',
      '/webhook/%ff',
      '/webhook/%zz',
      '/webhook/%00',
      '/runs/%',
      '/%',
    ]) {
      const headers = { authorization: 'Bearer s3cret' }
      const method = path.startsWith('/webhook') ? 'POST' : 'GET'
      expect((await sound({ path, method, headers })).status).toBe(404)
    }
    for (const path of [`/${'a/'.repeat(50_000)}`, `/webhook/${'%41'.repeat(30_000)}`]) {
      expect((await sound({ path, method: 'POST', body: '{}' })).status).toBe(404)
    }
  })

  it('for runs with invalid queries are refused', async () => {
    const headers = { authorization: 'Bearer admin-token' }
    for (const query of [
      'limit=0',
      'limit=501',
      'limit=x',
      'limit=1e2',
      'status=x',
      'before=x',
      'before=%ff',
      'output=yes',
    ]) {
      expect((await sound({ path: `/runs?${query}`, headers })).status).toBe(400)
    }
    for (const query of [
      '',
      'limit=',
      'limit=500',
      'id=%ff',
      'id=__proto__',
      'x=y',
      'status=failed',
      'output=0',
    ]) {
      expect((await sound({ path: `/runs?${query}`, headers })).status).toBe(200)
    }
    for (const id of [
      'x',
      '__proto__',
      `run_${'0'.repeat(26)}`,
      'run_',
      '%00',
      "'; DROP TABLE runs",
    ]) {
      expect((await sound({ path: `/runs/${encodeURIComponent(id)}`, headers })).status).toBe(404)
    }
  })

  it('release the whole body budget', async () => {
    const json = fc.jsonValue({ maxDepth: 4, noUnicodeString: false })
    const field = fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom('id', 'token', 'data', 'a', 'b', 'd', 'skip') },
      fc.constantFrom('__proto__', 'constructor', ''),
      fc.string(),
    )
    const value = fc.oneof(fc.constantFrom('all', 's3cret', 'signed', 'unused'), json)
    const object = fc.array(fc.tuple(field, value), { maxLength: 6 })
    const mutated = fc
      .tuple(fc.constantFrom(...[good, { ...good, data: { a: 'x', b: [{ c: 1 }] } }]), object)
      .map(([base, more]) => JSON.stringify({ ...base, ...Object.fromEntries(more) }))
    const cut = fc.tuple(mutated, fc.nat(), fc.string({ maxLength: 3 })).map(([text, at, more]) => {
      const place = at % (text.length + 1)
      return `${text.slice(0, place)}${more}${text.slice(place + 1)}`
    })
    const body = fc.oneof(
      mutated,
      cut,
      json.map((one) => JSON.stringify(one)),
      fc.uint8Array(),
    )
    const path = fc.oneof(
      {
        weight: 4,
        arbitrary: fc.constantFrom('/webhook', '/webhook/all', '/webhook/signed', '/hash'),
      },
      fc.constantFrom('/runs', '/runs/x/output', '/webhook/', '/healthz', '/metrics', '/x'),
      fc.webPath().filter((one) => one.startsWith('/')),
    )
    const headers = fc.record(
      {
        authorization: fc.constantFrom(
          'Bearer s3cret',
          'Bearer admin-token',
          'Basic eA==',
          'Bearer',
        ),
        'content-type': fc.constantFrom(
          'application/json',
          'application/x-www-form-urlencoded',
          'a/b',
          '',
        ),
        prefer: fc.constantFrom('respond-async', 'wait=0', 'wait=x', ','),
        'x-value': fc.constantFrom('', '-x', 'v', '\u00ff'),
        'x-request-id': fc.constantFrom('ok', 'not ok', ''),
        accept: fc.constantFrom('text/event-stream', '*/*', ''),
      },
      { requiredKeys: [] },
    )
    const method = fc.constantFrom('POST', 'POST', 'POST', 'GET', 'PUT', 'DELETE', 'HEAD', 'PATCH')
    await fc.assert(
      fc.asyncProperty(method, path, headers, body, async (verb, where, given, content) => {
        const hasBody = verb !== 'GET' && verb !== 'HEAD'
        const filled = Object.entries(given).filter(([, text]) => text !== undefined)
        await sound({
          method: verb,
          path: where,
          headers: Object.fromEntries(filled),
          ...(hasBody ? { body: content } : {}),
        })
        expect(holdsNothing()).toBe(true)
      }),
      { numRuns: runsOf(150) },
    )
  })
})
