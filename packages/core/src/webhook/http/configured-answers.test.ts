// biome-ignore-all lint/suspicious/noTemplateCurlyInString: configurations have such texts.
import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { runWebhook } from '../run-webhook.ts'
import { createFixture, endAtOnce, webhookNamed } from '../service.fixture.ts'
import { triggerWebhook } from '../trigger-webhook.ts'
import { createSender, type SentRequest } from './routes.fixture.ts'

function createService(settings: object) {
  const config = { webhooks: [webhookNamed('job', settings)] }
  const fixture = createFixture({ config, script: endAtOnce })
  const sender = createSender(fixture.webhooks.routes)
  const send = async (sent: Partial<SentRequest>) => {
    const headers = { authorization: 'Bearer t', ...sent.headers }
    const response = await sender({ path: '/webhook/job', ...sent, headers })
    return { status: response.status, text: await response.text(), headers: response.headers }
  }
  return { ...fixture, send }
}

describe('a text with values of the request', () => {
  it('answers at once with the status, type and headers of the configuration', async () => {
    const { send } = createService({
      mode: 'async',
      success_status: 303,
      response: {
        text: '{"ref": "${data.ref}", "n": ${data.n}, "none": ${data.x}}',
        type: 'application/json',
        headers: { Location: '/builds?ref=${data.ref}', 'X-Ref': '${data.ref}' },
      },
    })
    const ref = 'a"\r\nSet-Cookie: b=c&d'
    const { status, text, headers } = await send({ body: { ref, n: 1 } })
    expect(status).toBe(303)
    expect(JSON.parse(text)).toEqual({ ref, n: '1', none: null })
    expect(headers.get('content-type')).toBe('application/json')
    expect(headers.get('location')).toBe('/builds?ref=a%22%0D%0ASet-Cookie%3A%20b%3Dc%26d')
    expect(headers.get('x-ref')).toBe('a"%0D%0ASet-Cookie: b=c&d')
    expect(headers.get('set-cookie')).toBeNull()
  })

  it('cannot be made a page', async () => {
    const { send } = createService({
      response: { text: '<p>${data.ref}</p>', type: 'text/html; charset=utf-8' },
    })
    const { text, headers } = await send({ body: { ref: '<script>alert(1)</script>' } })
    expect(text).toBe('<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })

  it('refuses a value that is too long before anything runs', async () => {
    const { send, runner } = createService({ response: { text: '${data.ref}' } })
    const { status, text } = await send({ body: { ref: 'x'.repeat(65_537) } })
    expect(status).toBe(422)
    expect(JSON.parse(text)).toMatchObject({
      code: 'argument_rejected',
      message: expect.stringContaining('(data.ref)'),
    })
    expect(runner.commands).toHaveLength(0)
  })
})

describe('an answer that needs no run', () => {
  const secret = 'a-secret-of-a-sender'
  const settings = {
    token: 'verify-token-of-meta',
    methods: ['GET', 'POST'],
    token_in: { query: 'hub.verify_token' },
    auth: 'either',
    signature: { scheme: 'github', secret },
    answers: [
      { when: { source: 'query:hub.mode', equals: 'subscribe' }, text: '${query:hub.challenge}' },
      {
        when: { source: 'data.type', equals: 'url_verification' },
        text: '{"challenge":"${data.challenge}"}',
        type: 'application/json',
        status: 201,
      },
    ],
  }
  const none = { authorization: '' }
  const signed = (body: string): Record<string, string> => ({
    ...none,
    'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
  })

  it('meets the challenge of a sender, and its deliveries run', async () => {
    const { send, runner, lines } = createService(settings)
    const challenge = (token: string): string =>
      `/webhook/job?hub.mode=subscribe&hub.challenge=%3Cb%3E7&hub.verify_token=${token}`
    const met = await send({ method: 'GET', path: challenge(settings.token), headers: none })
    expect([met.status, met.text]).toEqual([200, '<b>7'])
    expect(met.headers.get('content-type')).toMatch(/^text\/plain/)
    expect((await send({ method: 'GET', path: challenge('wrong'), headers: none })).status).toBe(
      401,
    )
    const verification = '{"type":"url_verification","challenge":"a\\"b"}'
    const verified = await send({ body: verification, headers: signed(verification) })
    expect([verified.status, JSON.parse(verified.text)]).toEqual([201, { challenge: 'a"b' }])
    expect((await send({ body: verification, headers: none })).status).toBe(401)
    expect(runner.commands).toHaveLength(0)
    const push = '{"type":"push"}'
    expect((await send({ body: push, headers: signed(push) })).status).toBe(200)
    expect(runner.commands).toHaveLength(1)
    expect(lines.filter(({ fields }) => fields.state === 'answered')).toHaveLength(2)
    expect(JSON.stringify(lines)).not.toContain(settings.token)
  })

  it('does not let a signature of nothing cover a query', async () => {
    const { send, runner } = createService(settings)
    const answer = await send({ method: 'GET', path: '/webhook/job?v=x', headers: signed('') })
    expect(answer.status).toBe(401)
    expect(runner.commands).toHaveLength(0)
  })

  it('is a result in code, and never stops the program itself', async () => {
    const { webhooks, runner } = createService({ answers: settings.answers })
    const data = { type: 'url_verification', challenge: 'c' }
    expect(await runWebhook(webhooks, { id: 'job', token: 't', data })).toEqual({
      status: 'skipped',
      webhook_id: 'job',
      answer: {
        status: 201,
        text: '{"challenge":"c"}',
        headers: { 'content-type': 'application/json' },
      },
    })
    expect(await triggerWebhook(webhooks, 'job', data)).toMatchObject({ status: 'succeeded' })
    expect(runner.commands).toHaveLength(1)
  })
})

it('all headers and parameters reach a command without the token', async () => {
  const { send, runner } = createService({
    token_in: { query: 'key' },
    env: {
      HEADERS: { source: 'header:' },
      QUERY: { source: 'query:' },
      'HOOK_head.v': { source: 'data.v' },
    },
  })
  const path = '/webhook/job?a=1&key=t&a=2'
  await send({ path, body: { v: 'x' }, headers: { authorization: '', 'x-a': 'b' } })
  const { env } = runner.commands[0]?.command ?? {}
  expect(env?.QUERY).toBe('{"a":"1"}')
  expect(JSON.parse(env?.HEADERS ?? '')).toEqual({ 'X-A': 'b' })
  expect(env?.['HOOK_head.v']).toBe('x')
})

it('a dash is a matter of the webhook where an argument does not say it', async () => {
  const dash = { source: 'data.v', format: 'value' }
  const { send, runner } = createService({
    allow_dash: true,
    command_arguments: [dash],
  })
  await send({ body: { v: '-x' } })
  expect(runner.commands[0]?.command.args).toEqual(['-x'])
  const strict = createService({
    allow_dash: true,
    command_arguments: [{ ...dash, allow_dash: false }],
  })
  expect((await strict.send({ body: { v: '-x' } })).status).toBe(422)
})
