import { describe, expect, it } from 'vitest'
import {
  codesIn,
  problemsIn,
  readConfig,
  readWebhook,
  settingProblems,
  withWebhook,
} from './config.fixture.ts'

const warningsOf = (settings: object): readonly string[] =>
  readConfig(withWebhook(settings)).warnings

describe('token_in', () => {
  it.each([
    [{ header: 'X-Gitlab-Token' }, { kind: 'header', name: 'x-gitlab-token' }],
    [{ query: 'Token' }, { kind: 'query', name: 'Token' }],
    [{ basic: true }, { kind: 'basic' }],
  ])('%j is read', (token_in, place) => {
    expect(readWebhook({ token_in }).token_in).toEqual(place)
  })

  it.each([
    [{}, 'token_in conflict'],
    [{ header: 'X-A', query: 'b' }, 'token_in conflict'],
    [{ header: '', query: 'b' }, 'token_in conflict'],
    [{ header: 'a b' }, 'token_in.header out_of_range'],
    [{ header: 'Authorization' }, 'token_in.header conflict'],
    [{ header: 'cookie' }, 'token_in.header conflict'],
    [{ query: '' }, 'token_in.query empty'],
    [{ basic: false }, 'token_in.basic out_of_range'],
    ['header', 'token_in wrong_type'],
  ])('%j is refused', (token_in, problem) => {
    expect(settingProblems({ token_in })).toContain(problem)
  })

  it.each([
    { command_arguments: [{ source: 'query:key' }] },
    { env: { K: { source: 'query:key' } } },
    { files: [{ env: 'K', source: 'query:key' }] },
    { dedupe: { key: 'query:key' } },
  ])('its place is no source of %j', (settings) => {
    const [problem] = settingProblems({ ...settings, token_in: { query: 'key' } })
    expect(problem).toBe(`${Object.keys(settings)[0]} secret_source`)
    expect(settingProblems({ ...settings, token_in: { query: 'Key' } })).toEqual([])
    expect(settingProblems({ ...settings, token_in: { header: 'key' } })).toEqual([])
  })

  it('a header is compared without its case', () => {
    const command_arguments = [{ source: 'header:X-Key' }]
    expect(settingProblems({ command_arguments, token_in: { header: 'x-KEY' } })).toEqual([
      'command_arguments secret_source',
    ])
  })

  it('warns of a token in a URL', () => {
    expect(warningsOf({ token_in: { query: 'token' } })).toEqual([
      expect.stringMatching(/^webhooks\[0\]\.token_in: a token in the query is in the logs/),
    ])
    expect(warningsOf({ token_in: { basic: true } })).toEqual([])
  })
})

describe('auth: none', () => {
  const open = { token: undefined, auth: 'none' }
  const rule = { source: 'data.ref', equals: 'main' }

  it.each<[object]>([
    [{ public: true }],
    [{ allow_ips: ['10.0.0.0/8', '::1'] }],
    [{ rules: rule }],
    [{ rules: { source: 'request:client_ip', one_of: ['192.0.2.1'] } }],
    [{ rules: { source: 'header:x-a', pattern: '^v' } }],
    [{ rules: { all: [{ not: rule }, rule] } }],
    [{ rules: { any: [rule, { all: [rule, { source: 'request:method', equals: 'POST' }] }] } }],
  ])('is read beside %j', (settings) => {
    expect(readWebhook({ ...open, ...settings })).toMatchObject({
      auth: 'none',
      public: 'public' in settings,
    })
  })

  it.each<[object]>([
    [{}],
    [{ public: false }],
    [{ allow_ips: ['10.0.0.0/8', '0.0.0.0/0'] }],
    [{ allow_ips: ['::/0'] }],
    [{ rules: { source: 'data.ref', exists: true } }],
    [{ rules: { source: 'data.ref', pattern: '.*' } }],
    [{ rules: { source: 'request:method', equals: 'POST' } }],
    [{ rules: { source: 'request:time', pattern: '^2' } }],
    [{ rules: { not: rule } }],
    [{ rules: { any: [rule, { not: rule }] } }],
  ])('beside %j it is refused, with the ways to allow it', (settings) => {
    const [problem, ...others] = problemsIn(withWebhook({ ...open, ...settings }))
    expect(problem).toMatchObject({ path: 'webhooks[0].auth', code: 'conflict' })
    expect(problem?.message).toMatch(/allow_ips, a rule .* public: true$/)
    expect(others).toEqual([])
  })

  it('is not judged by a key that is wrong itself', () => {
    expect(settingProblems({ ...open, allow_ips: ['x'] })).toEqual(['allow_ips[0] bad_cidr'])
    expect(settingProblems({ ...open, public: 'yes' })).toEqual(['public wrong_type'])
  })

  it('leaves no token and no signature without an effect', () => {
    const signature = { scheme: 'github', secret: 'a-secret-that-is-long' }
    const settings = { auth: 'none', public: true, tokens: ['another-long-token-here'], signature }
    expect([...settingProblems(settings)].sort()).toEqual([
      ...['signature conflict', 'token conflict', 'tokens conflict'],
    ])
    // Whoever asks would get texts that are signed with the secret.
    const sender = { name: 'zoom', secret: 's' }
    expect(settingProblems({ auth: 'none', public: true, token: undefined, sender })).toEqual([
      'sender conflict',
    ])
  })

  it('is the only one that public belongs to, and is public for one webhook at a time', () => {
    expect(settingProblems({ public: true })).toEqual(['public conflict'])
    expect(settingProblems({ public: false })).toEqual([])
    const [webhook] = withWebhook(open).webhooks ?? []
    const config = { webhooks: [webhook], defaults: { public: true } }
    expect(codesIn(config)).toContain('defaults.public unknown_key')
  })

  it('warns of what is public, and of links', () => {
    expect(warningsOf({ ...open, rules: rule })).toEqual([])
    expect(warningsOf({ ...open, public: true })).toEqual([
      expect.stringMatching(
        /^webhooks\[0\]\.public: any sender that reaches the server may run it/,
      ),
    ])
    const links =
      /^webhooks\[0\]\.methods: scanners of links, previews and prefetching may run it by/
    const get = { methods: ['POST', 'GET'] }
    expect(warningsOf({ ...open, rules: rule, ...get })).toEqual([expect.stringMatching(links)])
    expect(warningsOf({ token_in: { basic: true }, ...get })).toEqual([
      expect.stringMatching(links),
    ])
    expect(warningsOf(get)).toEqual([])
  })
})
