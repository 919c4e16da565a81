import { describe, expect, it } from 'vitest'
import { redirectProblem } from './oauth-redirect.ts'

const page = 'https://app.example.com/cb'
const serialized = 'the text is not the URL as it is serialized'
const misspelled: readonly (readonly [string, string])[] = [
  ['https:evil.test', serialized],
  ['https:/evil.test/', serialized],
  ['https:///evil.test/', serialized],
  ['https:\\\\evil.test', 'a backslash is not allowed'],
  ['https://app.example.com\\@evil.test', 'a backslash is not allowed'],
  ['com.example.app:/a\\b', 'a backslash is not allowed'],
  ['https://APP.example.com/cb', serialized],
  ['HTTPS://app.example.com/cb', serialized],
  ['https://app.example.com:443/cb', serialized],
  ['https://app.example.com/a/../cb', serialized],
  ['https://0x7f.1/', serialized],
  ['https://b\u00fccher.example/', serialized],
  ['https://app.example.com/\u00fc', serialized],
]

describe('a redirect URI', () => {
  it.each([
    page,
    'http://localhost:3000/cb?from=app',
    'https://app.example.com',
    'https://app.example.com/',
    'https://app.example.com?from=app',
    'https://[2001:db8::1]:8443/cb#top',
    'com.example.app:/done',
    'org.example.x://cb',
  ])('may be %s without a list', (uri) => {
    expect(redirectProblem(uri, undefined)).toBeUndefined()
  })

  it.each<readonly [string, string]>([
    ['javascript:alert(1)', 'the scheme javascript: is not allowed'],
    ['JavaScript:alert(1)', 'the scheme javascript: is not allowed'],
    ['data:text/html,x', 'the scheme data: is not allowed'],
    ['file:///etc/passwd', 'the scheme file: is not allowed'],
    ['blob:https://app.example.com/1', 'the scheme blob: is not allowed'],
    ['myapp://cb', 'the scheme myapp: is not allowed'],
    ['https://user@app.example.com/cb', 'a user name is not allowed'],
    ['https://app.example.com/c b', 'spaces are not allowed'],
    ['https://app.example.com/\ncb', 'spaces are not allowed'],
    ['a.b:javascript', 'the scheme a.b: must be followed by a slash'],
    ...misspelled,
  ])('must not be %j: %s', (uri, error) => {
    const details = { error, format: 'uri' }
    const cause = { location: '/redirect_uri', kind: 'format', details }
    expect(redirectProblem(uri, undefined)).toEqual(cause)
  })

  it('must be in the list exactly, if there is one', () => {
    const list = [page, 'myapp://cb']
    expect(redirectProblem(page, list)).toBeUndefined()
    expect(redirectProblem('myapp://cb', list)).toBeUndefined()
    for (const other of [`${page}/`, `${page}?a=b`, 'https://evil.example/']) {
      const details = { reason: 'RedirectURIAllowlist' }
      const cause = { location: '/redirect_uri', kind: 'blocked', details }
      expect(redirectProblem(other, list)).toEqual(cause)
    }
    expect(redirectProblem(page, [])).toMatchObject({ kind: 'blocked' })
  })

  it.each(misspelled)('must not be %j, even if it is in the list: %s', (uri, error) => {
    expect(redirectProblem(uri, [uri])).toMatchObject({ kind: 'format', details: { error } })
  })
})
