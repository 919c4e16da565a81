import { describe, expect, it } from 'vitest'
import { decodeForm } from '../../body/form.ts'
import { itIsSigned, receiveGreeting, verdictOf, webhookOf } from '../sender.fixture.ts'
import { github } from './sender.ts'

const key = "It's a Secret to Everybody"

describe('github', () => {
  itIsSigned({
    sender: github,
    body: '{"zen":"Keep it logically awesome."}',
    keys: { secret: key },
    otherKeys: { secret: 'b3RoZXI=' },
    key,
  })

  it('verifies the documented example', () => {
    const headers = {
      'X-Hub-Signature-256':
        'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
    }
    const webhook = webhookOf(github, { secret: key })
    expect(verdictOf(webhook, { headers, body: 'Hello, World!' }, 0)).toBe('accepted')
    expect(verdictOf(webhook, { headers, body: 'Hello, World?' }, 0)).toBe('signature_mismatch')
  })

  it('answers a ping, unless it runs the command', () => {
    const headers = { 'x-github-event': 'ping' }
    const ofPing = webhookOf(github, { secret: key })
    expect(receiveGreeting(ofPing, { headers, body: {} })?.status).toBe(200)
    expect(
      receiveGreeting(ofPing, { headers: { 'x-github-event': 'push' }, body: {} }),
    ).toBeUndefined()
    const ofRun = webhookOf(github, { secret: key, handshake: 'run' })
    expect(receiveGreeting(ofRun, { headers, body: {} })).toBeUndefined()
  })

  it('brings its settings, and those of the webhook win', () => {
    const { max_body_bytes, mode, accept, dedupe } = webhookOf(github, { secret: key })
    expect({ max_body_bytes, mode, accept }).toEqual({
      max_body_bytes: 25 * 2 ** 20,
      mode: 'async',
      accept: ['json', 'form'],
    })
    expect(dedupe?.from).toEqual({ kind: 'header', name: 'x-github-delivery' })
    const own = { mode: 'sync', max_body_bytes: '1MiB', dedupe: { key: 'data.id' } }
    const webhook = webhookOf(github, { secret: key }, own)
    expect(webhook.mode).toBe('sync')
    expect(webhook.max_body_bytes).toBe(2 ** 20)
    expect(webhook.dedupe?.from).toEqual({ kind: 'body', segments: ['data', 'id'] })
  })

  it('reads the JSON in its form as the data', () => {
    const { form } = webhookOf(github, { secret: key })
    expect(decodeForm('payload=%7B%22ref%22%3A%22x%22%7D', 64, form).value).toEqual({ ref: 'x' })
    expect(() => decodeForm('other=1', 64, form)).toThrow('payload')
    const own = webhookOf(github, { secret: key }, { form: { json: ['payload'] } })
    expect(decodeForm('payload=%7B%7D', 64, own.form).value).toEqual({ payload: {} })
  })
})
