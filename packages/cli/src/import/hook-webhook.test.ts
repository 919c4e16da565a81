import { describe, expect, it } from 'vitest'
import { markVariables } from './hook-sources.ts'
import { webhookOf } from './hook-webhook.ts'

const hookOf = (more: object) =>
  webhookOf({ id: 'h', 'execute-command': '/bin/true', ...more } as never, '/hooks')
const settingsOf = (more: object) => hookOf(more).settings
const problemsOf = (more: object) => hookOf(more).problems

const match = (type: string, source: string, name: string, more: object = {}) => ({
  match: { type, parameter: { source, name }, ...more },
})
const value = (source: string, name: string, text = 'v') =>
  match('value', source, name, { value: text })
const signed = (secret: string, name = 'X-Hub-Signature', type = 'payload-hmac-sha1') =>
  match(type, 'header', name, { secret })

describe('the rule of a hook', () => {
  it.each([
    [value('payload', 'a.0.b'), { rules: { source: 'data.a.0.b', equals: 'v' } }],
    [value('payload', 'a[0]'), { rules: { source: 'body:data.a[0]', equals: 'v' } }],
    [{ not: value('url', 'q') }, { rules: { not: { source: 'query:q', equals: 'v' } } }],
    [
      { and: [value('query', 'a'), { or: [value('query', 'b'), value('header', 'C')] }] },
      {
        rules: {
          all: [
            { source: 'query:a', equals: 'v' },
            {
              any: [
                { source: 'query:b', equals: 'v' },
                { source: 'header:C', equals: 'v' },
              ],
            },
          ],
        },
      },
    ],
    [
      match('regex', 'request', 'Remote-Addr', { regex: '^10' }),
      { rules: { source: 'request:client_ip', pattern: '^10' } },
    ],
    [value('header', 'X-Gitlab-Token'), { signature: { scheme: 'gitlab-token', secret: 'v' } }],
    [value('header', 'X-Api-Key'), { token: 'v', token_in: { header: 'X-Api-Key' } }],
    [value('url', 'token', 'a$b'), { token: 'a$b', token_in: { query: 'token' } }],
    [value('header', 'Authorization', 'Bearer x'), { token: 'x' }],
    [
      { match: { type: 'ip-whitelist', 'ip-range': '10.0.0.0/8 ::1' } },
      { allow_ips: ['10.0.0.0/8', '::1'] },
    ],
    [
      signed('s', 'X-Hub-Signature-256', 'payload-hash-sha256'),
      { signature: { scheme: 'github', secret: 's' } },
    ],
    [
      { or: [signed('a'), signed('b')] },
      {
        signature: {
          scheme: 'hmac',
          header: 'X-Hub-Signature',
          algorithm: 'sha1',
          prefix: 'sha1=',
          secrets: ['a', 'b'],
        },
      },
    ],
    [{ and: [{ and: [signed('a')] }, value('payload', 'r')] }, { rules: expect.anything() }],
    // Only the first of and, or, not and match counts.
    [
      { ...value('payload', 'a'), not: value('payload', 'b') },
      { rules: { not: expect.anything() } },
    ],
  ])('%j is kept', (rule, settings) => {
    expect(problemsOf({ 'trigger-rule': rule })).toEqual([])
    expect(settingsOf({ 'trigger-rule': rule })).toMatchObject(settings)
  })

  it.each([
    [{}],
    [{ or: [signed('a'), value('payload', 'b')] }],
    [{ or: [signed('a'), signed('b', 'X-Other')] }],
    [{ not: signed('a') }],
    [{ and: [signed('a'), signed('b')] }],
    [{ or: [{ match: { type: 'ip-whitelist', 'ip-range': '::1' } }, value('payload', 'b')] }],
    [match('scalr-signature', 'header', 'x', { secret: 's' })],
    [match('payload-hmac-sha256', 'payload', 'x', { secret: 's' })],
    [value('header', 'Authorization', 'Basic x')],
    [value('entire-headers', '')],
  ])('%j disables it', (rule) => {
    expect(problemsOf({ 'trigger-rule': rule })).toHaveLength(1)
    expect(settingsOf({ 'trigger-rule': rule })).toMatchObject({ enabled: false })
  })
})

describe('a hook', () => {
  it('keeps its command as one word, in its folder', () => {
    const folder = { 'command-working-directory': '/srv' }
    expect(settingsOf({ 'execute-command': 'a.sh', ...folder }).execute_command).toBe('./a.sh')
    expect(settingsOf({ 'execute-command': 'a.sh' }).execute_command).toBe('a.sh')
    expect(settingsOf({ 'execute-command': "/it's; a" }).execute_command).toBe(`'/it'\\''s; a'`)
  })

  it.each([
    { 'parse-parameters-as-json': [] },
    { 'pass-arguments-to-command': [{ source: 'payload', name: 'a', base64decode: true }] },
    { 'http-methods': ['TRACE'] },
    { 'success-http-response-code': '500' },
    { unknown: 1 },
  ])('with %j is disabled', (more) => {
    expect(problemsOf(more)).toHaveLength(1)
    expect(settingsOf(more)).toMatchObject({ enabled: false })
  })

  it('reads variables of templates where secrets are', () => {
    const text = '{"secret": "{{ getenv "KEY" | js }}"}'
    const { secret } = JSON.parse(markVariables(text)) as { secret: string }
    const { signature } = settingsOf({ 'trigger-rule': signed(secret) })
    expect(signature).toMatchObject({ secret: ['$', '{env:KEY}'].join('') })
  })
})
