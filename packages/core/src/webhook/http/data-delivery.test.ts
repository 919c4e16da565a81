import { describe, expect, it } from 'vitest'
import { createFixture, endAtOnce, webhookNamed } from '../service.fixture.ts'
import { updateWebhooksConfig } from '../update-webhooks-config.ts'
import { createSender, type SentRequest } from './routes.fixture.ts'

const headers = { authorization: 'Bearer t' }
const reading = { command_arguments: [{ source: 'data.v', format: 'value', on_missing: 'skip' }] }

/** A service with these webhooks, mounted without the routes for all other paths. */
function createService(settings: readonly object[], service: object = {}) {
  const named = settings.map((one, index) => webhookNamed(`hook-${index}`, { ...reading, ...one }))
  const config = { webhooks: named, ...service }
  const fixture = createFixture({ config, script: endAtOnce })
  const { webhooks, runner } = fixture
  const sender = createSender(webhooks.routes)
  const send = async (sent: SentRequest) => {
    const response = await sender({ headers, ...sent })
    const text = await response.text()
    const { id, code } = Object(text.startsWith('{') ? JSON.parse(text) : {})
    return { status: response.status, id, code, text, allow: response.headers.get('allow') }
  }
  return { ...fixture, send, args: () => runner.commands.map(({ command }) => command.args) }
}

const post = (path: string): SentRequest => ({ path, body: { v: 'x' } })

describe('a path of its own', () => {
  it('is another way to the webhook, beside its id', async () => {
    const { send, args } = createService([{ path: '/hooks/redeploy' }])
    for (const path of ['/hooks/redeploy', '/hooks/redeploy/', '/webhook/hook-0']) {
      expect(await send(post(path))).toMatchObject({ status: 200, id: 'hook-0' })
    }
    expect(args()).toEqual([['x'], ['x'], ['x']])
  })

  it('is compared after decoding, by case and by every segment', async () => {
    const { send } = createService([{ path: '/hooks/ä/b' }])
    for (const path of ['/hooks/%C3%A4/b', '/h%6Foks/%c3%a4/b', '/hooks/%C3%A4%2Fb']) {
      expect((await send(post(path))).status).toBe(200)
    }
    for (const path of [
      '/hooks/%C3%A4/B',
      '/hooks/%C3%A4/b//',
      '/hooks/%C3%A4',
      '/x/hooks/%C3%A4/b',
    ]) {
      expect((await send(post(path))).status, path).toBe(599)
    }
    for (const path of ['/hooks/%E4/b', '/hooks/%', '/hooks/%C3%A4/b%00', '//hooks/%C3%A4/b']) {
      expect((await send(post(path))).status, path).toBe(599)
    }
  })

  it('is below the base path', async () => {
    const { send } = createService([{ path: '/redeploy' }], { base_path: '/hooks' })
    expect((await send(post('/hooks/redeploy'))).status).toBe(200)
    for (const path of ['/redeploy', '/hooksredeploy', '/hooks//redeploy']) {
      expect((await send(post(path))).status).toBe(599)
    }
  })

  it('leaves every other path to the surrounding app', async () => {
    const { send } = createService([{ path: '/hooks/a' }])
    for (const path of ['/', '/hooks', '/hooks/b', '/other']) {
      expect((await send(post(path))).status).toBe(599)
    }
  })

  it('changes with the configuration', async () => {
    const { send, webhooks } = createService([{ path: '/hooks/old' }])
    updateWebhooksConfig(webhooks, { webhooks: [webhookNamed('n', { path: '/hooks/new' })] })
    expect((await send(post('/hooks/old'))).status).toBe(599)
    expect(await send(post('/hooks/new'))).toMatchObject({ status: 200, id: 'n' })
    updateWebhooksConfig(webhooks, {
      webhooks: [webhookNamed('n', { path: '/hooks/new', enabled: false })],
    })
    expect((await send(post('/hooks/new'))).status).toBe(599)
  })

  it('has the checks, the limits and the log of the id', async () => {
    const { send, lines } = createService([
      { path: '/a', max_body_bytes: 20, rate_limit: { runs: 1, per: '1h' } },
      { path: '/b', allow_ips: ['10.0.0.0/8'] },
      { path: '/c', response_headers: { 'x-own': '1' } },
    ])
    const wrong = { authorization: 'Bearer wrong' }
    expect(await send({ ...post('/a'), headers: wrong })).toMatchObject({ status: 401 })
    expect(await send({ path: '/a', body: { v: 'x'.repeat(30) } })).toMatchObject({ status: 413 })
    expect(await send(post('/a'))).toMatchObject({ status: 200 })
    expect(await send(post('/webhook/hook-0'))).toMatchObject({ code: 'rate_limited' })
    expect(await send(post('/a'))).toMatchObject({ code: 'rate_limited' })
    expect(await send(post('/b'))).toMatchObject({ status: 403 })
    const logged = lines.filter(({ message }) => message === 'request')
    expect(logged.map(({ fields }) => fields.webhook)).toEqual([
      ...['hook-0', 'hook-0', 'hook-0', 'hook-0', 'hook-0', 'hook-1'],
    ])
  })

  it('may be shared by webhooks with different methods', async () => {
    const { send } = createService([{ path: '/x' }, { path: '/x', methods: ['PUT', 'GET'] }])
    expect(await send({ path: '/x', method: 'POST' })).toMatchObject({ id: 'hook-0' })
    expect(await send({ path: '/x', method: 'PUT' })).toMatchObject({ id: 'hook-1' })
    expect(await send({ path: '/x', method: 'DELETE' })).toMatchObject({
      status: 405,
      allow: 'POST, PUT, GET',
    })
  })
})

describe('an id of several segments', () => {
  it('is reached as it is, and as one segment', async () => {
    const webhooks = [webhookNamed('a/b'), webhookNamed('a'), webhookNamed('a/b/c')]
    const { webhooks: service } = createFixture({ config: { webhooks }, script: endAtOnce })
    const send = createSender(service.routes)
    for (const [path, id] of [
      ['/webhook/a/b', 'a/b'],
      ['/webhook/a%2Fb', 'a/b'],
      ['/webhook/a/b/', 'a/b'],
      ['/webhook/a', 'a'],
      ['/webhook/a/b/c', 'a/b/c'],
    ] as const) {
      const response = await send({ path, method: 'POST', headers })
      expect(await response.json()).toMatchObject({ id })
    }
    expect((await send({ path: '/webhook/a/c', method: 'POST', headers })).status).toBe(599)
  })
})

describe('methods', () => {
  it('others are refused with those that are allowed', async () => {
    const { send, runner } = createService([{ path: '/x', methods: ['GET', 'PUT'] }, {}])
    for (const path of ['/x', '/x/', '/webhook/hook-0']) {
      for (const method of ['POST', 'HEAD', 'DELETE', 'OPTIONS']) {
        const allowed = { status: 405, allow: 'PUT, GET' }
        expect(await send({ path, method })).toMatchObject(allowed)
      }
    }
    const unknown = await send({ path: '/webhook/nobody', method: 'GET' })
    expect(unknown).toMatchObject({ status: 405, allow: 'POST' })
    expect(runner.commands).toHaveLength(0)
  })

  it('of a GET and a HEAD, the query is the data', async () => {
    const { send, args } = createService([{ methods: ['GET', 'HEAD'], stdin: 'body' }])
    const get = { method: 'GET', path: '/webhook/hook-0?v=a%20b+c&v=2&w' }
    expect(await send(get)).toMatchObject({ status: 200 })
    const head = await send({ ...get, method: 'HEAD', path: '/webhook/hook-0/?v=%3B%20id' })
    expect(head).toMatchObject({ status: 200, text: '' })
    expect(await send({ ...get, path: '/webhook/hook-0' })).toMatchObject({ status: 200 })
    expect(args()).toEqual([['a b c'], ['; id'], []])
  })

  it.each([
    ['v=--upload-pack=x', 422],
    ['v=a%00b', 422],
    ['v=%ff', 400],
    ['__proto__=x&constructor=y', 200],
    [`${'a&'.repeat(5_000)}`, 200],
  ])('the query %.30s is judged as a body is', async (query, status) => {
    const { send } = createService([{ methods: ['GET'] }])
    expect((await send({ path: `/webhook/hook-0?${query}` })).status).toBe(status)
  })

  it('a GET needs the token as a POST does', async () => {
    const { send, runner } = createService([{ methods: ['GET'] }])
    for (const path of ['/webhook/hook-0', '/webhook/hook-0?token=t']) {
      expect(await send({ path, headers: {} })).toMatchObject({ status: 401 })
    }
    expect(runner.commands).toHaveLength(0)
  })

  it('a scanner that opens the link of a sender runs nothing, even with its token', async () => {
    const places = [{ token_in: { query: 'token' } }, { token_in: { path: true } }]
    const { send, runner } = createService(places)
    const links = ['/webhook/hook-0?token=t', '/webhook/hook-1/t']
    for (const path of links) {
      for (const method of ['GET', 'HEAD', 'OPTIONS']) {
        expect(await send({ path, method, headers: {} })).toMatchObject({ status: 405 })
      }
    }
    expect(runner.commands).toHaveLength(0)
    for (const path of links) {
      expect(await send({ path, method: 'POST', headers: {} })).toMatchObject({ status: 200 })
    }
  })

  it('do not show that a hidden webhook exists', async () => {
    const { send } = createService([{ methods: ['GET'] }, { path: '/x' }, { id: 'a/b' }], {
      hide_ids: true,
    })
    for (const path of ['/webhook/hook-0', '/webhook/nobody', '/webhook/a/b', '/webhook/a/c']) {
      for (const method of ['POST', 'GET', 'PUT']) {
        const sent = { path, method, headers: {} }
        expect(await send(sent)).toMatchObject({ status: 401, code: 'invalid_token', allow: null })
      }
    }
  })
})

describe('a fixed answer', () => {
  it.each(['sync', 'async'])('is sent in the mode %s, by every way in', async (mode) => {
    const settings = { mode, response: { text: 'challenge-1' }, methods: ['GET', 'HEAD', 'POST'] }
    const { send } = createService([{ ...settings, path: '/x' }])
    const whole = { status: 200, text: 'challenge-1' }
    for (const sent of [post('/x'), { path: '/x?v=1' }, post('/webhook/hook-0')]) {
      expect(await send(sent)).toMatchObject(whole)
    }
    const byBody = { path: '/webhook', body: { id: 'hook-0', token: 't' } }
    expect(await send(byBody)).toMatchObject(whole)
    expect(await send({ path: '/x', method: 'HEAD' })).toMatchObject({ status: 200, text: '' })
    expect(await send({ ...post('/x'), headers: {} })).toMatchObject({ code: 'invalid_token' })
  })
})
