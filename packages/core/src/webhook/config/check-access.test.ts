import { describe, expect, it } from 'vitest'
import { readConfig, readWebhook, settingProblems, withWebhook } from './config.fixture.ts'

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
