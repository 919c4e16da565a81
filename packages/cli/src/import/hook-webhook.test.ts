import { describe, expect, it } from 'vitest'
import { markOf } from './hook-outside.ts'
import { webhookOf } from './hook-webhook.ts'

const sources = { environment: { SHELL: '/bin/sh' }, folders: [] }
const hookOf = (more: object, methods: readonly string[] = []) =>
  webhookOf({ id: 'h', 'execute-command': '/bin/true', ...more } as never, {
    prefix: '/hooks',
    methods,
    headers: {},
    sources,
  })
const settingsOf = (more: object) => hookOf(more).settings
const problemsOf = (more: object) => hookOf(more).problems

const match = (type: string, source: string, name: string, more: object = {}) => ({
  match: { type, parameter: { source, name }, ...more },
})
const value = (source: string, name: string, text = 'v') =>
  match('value', source, name, { value: text })
const hmac = (secret: string, header = 'X-Hub-Signature') => ({
  scheme: 'hmac',
  header,
  algorithm: 'sha1',
  secret,
})
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
    [
      { and: [signed('s'), value('header', 'X-Token', 'a'), value('url', 'key', 'b')] },
      {
        auth: 'both',
        signature: { scheme: 'hmac', secret: 's' },
        token: 'a',
        rules: { source: 'query:key', equals: 'b' },
      },
    ],
    [
      value('header', 'X-Own', markOf({ from: 'env', name: 'K' })),
      { token: ['$', '{env:K}'].join('') },
    ],
    [value('header', 'X-Gitlab-Token'), { signature: { scheme: 'gitlab-token', secret: 'v' } }],
    [value('header', 'X-Api-Key'), { token: 'v', token_in: { header: 'X-Api-Key' } }],
    [value('url', 'token', 'a$b'), { token: 'a$b', token_in: { query: 'token' } }],
    [value('header', 'Authorization', 'Bearer x'), { token: 'x' }],
    [
      value('header', 'Authorization', `Basic ${btoa('ann:x:y')}`),
      { token: 'x:y', token_in: { basic: true } },
    ],
    [
      { or: [value('header', 'X-Token', 'a'), value('header', 'X-Token', 'b')] },
      { token: 'a', tokens: ['b'], token_in: { header: 'X-Token' } },
    ],
    [
      { or: [value('header', 'X-Token', 'a'), value('header', 'X-Key', 'b')] },
      { rules: { any: [{ source: 'header:X-Token' }, { source: 'header:X-Key' }] } },
    ],
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
          secrets: ['a', 'b'],
        },
      },
    ],
    [{ and: [{ and: [signed('a')] }, value('payload', 'r')] }, { rules: expect.anything() }],
    [
      { or: [signed('a'), value('payload', 'b')] },
      { auth: 'none', rules: { any: [{ signature: hmac('a') }, { source: 'data.b' }] } },
    ],
    [
      { or: [signed('a'), signed('b', 'X-Other')] },
      { rules: { any: [{ signature: hmac('a') }, { signature: hmac('b', 'X-Other') }] } },
    ],
    [
      { or: [{ match: { type: 'ip-whitelist', 'ip-range': '::1 10.0.0.0/8' } }, signed('a')] },
      { rules: { any: [{ client_ip: ['::1', '10.0.0.0/8'] }, { signature: hmac('a') }] } },
    ],
    [
      { and: [signed('a'), signed('b', 'X-Other')] },
      { signature: hmac('a'), rules: { signature: hmac('b', 'X-Other') } },
    ],
    [
      { match: { type: 'scalr-signature', secret: 's' } },
      {
        signature: {
          header: 'X-Signature',
          algorithm: 'sha1',
          signed: '{body}{timestamp}',
          timestamp_header: 'Date',
          timestamp_unit: 'http',
          secret: 's',
        },
      },
    ],
    [
      match('regex', 'entire-headers', '', { regex: 'Push' }),
      { rules: { source: 'header:', pattern: 'Push' } },
    ],
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
    [{ not: signed('a') }],
    [{ or: [{ not: { or: [signed('a'), value('payload', 'b')] } }] }],
    [match('payload-hmac-sha256', 'payload', 'x', { secret: 's' })],
    [value('header', 'Authorization', 'Basic x')],
    [value('context', 'x')],
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

  it('has empty arguments as words of its command, with those before them', () => {
    const passing = (...args: readonly object[]) =>
      settingsOf({ 'pass-arguments-to-command': args })
    const [empty, fixed] = [{ source: 'string' }, { source: 'string', name: "it's" }]
    const value = { source: 'payload', name: 'a' }
    const sent = { source: 'data.a', format: 'value', allow_dash: true }
    expect(passing(fixed, empty, fixed, value)).toMatchObject({
      execute_command: `/bin/true 'it'\\''s' ''`,
      command_arguments: [{ name: "it's" }, sent],
    })
    expect(passing(empty)).toMatchObject({ execute_command: `/bin/true ''` })
    expect(passing(empty)).not.toHaveProperty('command_arguments')
    expect(passing(fixed, value)).toMatchObject({ execute_command: '/bin/true' })
    expect(passing(value, empty)).toMatchObject({ execute_command: '/bin/true', enabled: false })
  })

  it.each([
    { 'parse-parameters-as-json': [{ source: 'header', name: 'X-A' }] },
    { 'parse-parameters-as-json': [{ source: 'payload', name: 'a.b' }] },
    { 'incoming-payload-content-type': 'application/json' },
    { 'http-methods': ['TRACE'] },
    { 'pass-arguments-to-command': [{ source: 'payload', name: 'a' }, { source: 'string' }] },
    { 'success-http-response-code': '500' },
    { 'response-message': markOf({ from: 'env', name: 'UNSET' }) },
    { 'response-message': markOf({ from: 'file', name: '/etc/hostname' }) },
  ])('with %j is disabled', (more) => {
    expect(problemsOf(more)).toHaveLength(1)
    expect(settingsOf(more)).toMatchObject({ enabled: false })
  })

  it('keeps references in secrets, and has the value of a variable elsewhere', () => {
    const shell = markOf({ from: 'env', name: 'SHELL' })
    const key = markOf({ from: 'file', name: '/run/key' })
    const { signature, execute_command } = settingsOf({
      'execute-command': shell,
      'trigger-rule': signed(key),
    })
    expect(signature).toMatchObject({ secret: ['$', '{file:/run/key}'].join('') })
    expect(execute_command).toBe('/bin/sh')
    const rule = value('payload', 'shell', shell)
    expect(settingsOf({ 'trigger-rule': rule }).rules).toMatchObject({ equals: '/bin/sh' })
  })

  it('has a note for a key that did nothing, and for a secret that another program fills in', () => {
    expect(hookOf({ 'http-method': 'GET' })).toMatchObject({
      problems: [],
      notes: [expect.anything(), 'the key http-method did nothing'],
    })
    const { notes } = hookOf({ 'trigger-rule': signed(['$', '{SECRET}'].join('')) })
    expect(notes.join()).toContain('if a program filled it in before')
  })

  it('reads JSON in fields of forms', () => {
    const fields = [{ source: 'payload', name: 'payload' }]
    expect(settingsOf({ 'parse-parameters-as-json': fields })).toMatchObject({
      form: { json: ['payload'] },
    })
  })

  it('takes no method without a body if it is signed', () => {
    const methods = ['GET', 'POST']
    const rule = { 'trigger-rule': signed('s') }
    expect(settingsOf({ ...rule, 'http-methods': methods }).methods).toEqual(['POST'])
    expect(hookOf(rule, ['GET', 'HEAD', 'PUT']).settings.methods).toEqual(['PUT'])
  })

  it('has the methods of the flag unless it names its own', () => {
    expect(hookOf({}, ['GET']).settings).toMatchObject({ methods: ['GET'] })
    expect(hookOf({ 'http-methods': ['put'] }, ['GET']).settings).toMatchObject({
      methods: ['PUT'],
    })
  })
})
