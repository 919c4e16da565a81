import { createHmac } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { runWebhook, type WebhookCall } from './run-webhook.ts'
import { createFixture, endAtOnce, webhookNamed } from './service.fixture.ts'

const secret = 'a-secret-of-a-sender'
const json = { 'content-type': 'application/json' }
const sign = (body: string | Uint8Array): Record<string, string> => ({
  'X-Hub-Signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
})
const push = '{"ref": "main"}'

/** A webhook that expects signatures, and what calls of it come to. */
function createService(settings: object = { signature: { scheme: 'github', secret } }) {
  const reading = { command_arguments: [{ source: 'data.ref', format: 'value' }], stdin: 'body' }
  const config = { webhooks: [webhookNamed('job', { ...reading, ...settings })] }
  const { webhooks, runner } = createFixture({ config, script: endAtOnce })
  const run = async (call: Omit<WebhookCall, 'id'>) =>
    runWebhook(webhooks, { id: 'job', ...call }).then(
      ({ status }) => status,
      (error: unknown) => Object(error).reason,
    )
  return { webhooks, run, last: () => runner.commands.at(-1)?.command, runner }
}

describe('a request that the program received', () => {
  it('is run if its bytes are signed', async () => {
    const { run, last } = createService()
    expect(await run({ body: push, headers: { ...json, ...sign(push) } })).toBe('succeeded')
    expect(last()?.args).toEqual(['main'])
    expect(Buffer.from(last()?.stdin ?? []).toString()).toBe(push)
    const bytes = Buffer.from(push)
    const compressed = { ...json, ...sign(bytes), 'content-encoding': 'gzip' }
    expect(await run({ body: gzipSync(bytes), headers: compressed })).toBe('succeeded')
  })

  it('is refused as over HTTP', async () => {
    const { run, runner } = createService({
      signature: { scheme: 'github', secret },
      max_body_bytes: 100,
      allow_ips: ['192.0.2.1'],
    })
    const address = '192.0.2.1'
    const headers = { ...json, ...sign(push) }
    expect(await run({ address, body: `${push} `, headers })).toBe('invalid_signature')
    expect(await run({ address, body: push, headers: json })).toBe('invalid_signature')
    expect(await run({ body: push, headers })).toBe('address_not_allowed')
    expect(await run({ address: '192.0.2.2', body: push, headers })).toBe('address_not_allowed')
    expect(await run({ address, body: ' '.repeat(101), headers })).toBe('body_too_large')
    const bomb = { ...json, 'content-encoding': 'gzip' }
    expect(await run({ address, body: gzipSync(' '.repeat(9_999)), headers: bomb })).toBe(
      'body_too_large',
    )
    expect(await run({ address, body: '{', headers })).toBe('invalid_json')
    const html = { 'content-type': 'text/html' }
    expect(await run({ address, body: push, headers: html })).toBe('unsupported_media_type')
    expect(await run({ address, method: 'GET', query: 'ref=x' })).toBe('method_not_allowed')
    expect(runner.commands).toHaveLength(0)
  })

  it('has its token where the webhook says', async () => {
    const { run, last } = createService({ methods: ['GET', 'POST'], token_in: { query: 'key' } })
    expect(await run({ method: 'GET', query: 'ref=a&key=t' })).toBe('succeeded')
    expect(last()?.args).toEqual(['a'])
    expect(await run({ method: 'GET', query: 'ref=a&key=x' })).toBe('invalid_token')
    expect(await run({ method: 'GET', query: 'ref=a' })).toBe('invalid_token')
    expect(await run({ body: push, headers: { Authorization: 'Bearer t' } })).toBe('succeeded')
  })

  it('has neither a token nor data apart, and a webhook that exists', async () => {
    const { webhooks, run } = createService()
    expect(await run({ body: push, token: 't' })).toBe('invalid_request')
    expect(await run({ body: push, data: {} })).toBe('invalid_request')
    const unknown = runWebhook(webhooks, { id: 'other', body: push })
    await expect(unknown).rejects.toMatchObject({ reason: 'unknown_webhook' })
  })
})
