import { describe, expect, it } from 'vitest'
import { isExpectedError } from '../go-error.ts'
import { formatGoUrl, parseGoUrl } from './url.ts'

function refusal(text: string): string | undefined {
  try {
    parseGoUrl(text)
    return undefined
  } catch (error) {
    if (!isExpectedError(error)) throw error
    return error.message
  }
}

describe('parseGoUrl', () => {
  it.each([
    ['http://[::1', `parse "http://[::1": missing ']' in host`],
    ['http://x:a/', 'parse "http://x:a/": invalid port ":a" after host'],
    ['http://a b/', 'parse "http://a b/": invalid character " " in host name'],
    ['http://x/%', 'parse "http://x/%": invalid URL escape "%"'],
    ['http://a%zz/', 'parse "http://a%zz/": invalid URL escape "%zz"'],
    [':', 'parse ":": missing protocol scheme'],
    ['1http://x', 'parse "1http://x": first path segment in URL cannot contain colon'],
    ['http://x/\x01', 'parse "http://x/\\x01": net/url: invalid control character in URL'],
    ['http://u p@x', 'parse "http://u p@x": net/url: invalid userinfo'],
    ['http://x#%zz', 'parse "http://x#%zz": invalid URL escape "%zz"'],
  ])('refuses %j', (text, message) => {
    expect(refusal(text)).toBe(message)
  })

  it.each([
    'http://x:99999999/',
    'http://u:p:q@x/',
    'http://u@v@x/',
    'http://a<b/',
    'http://x]/',
    'x',
    '',
    'http://x?%zz',
    'mailto:x',
  ])('accepts %j', (text) => {
    expect(refusal(text)).toBeUndefined()
  })
})

describe('formatGoUrl', () => {
  it.each([
    ['http://x/a b?c=d e#f é', 'http://x/a%20b?c=d e#f%20%C3%A9'],
    ['HTTP://ExAmple.com:80/%7e/../x//y?#', 'http://ExAmple.com:80/%7e/../x//y?'],
    ['http://é.x/é[]{}|^`<>"', 'http://%C3%A9.x/%C3%A9%5B%5D%7B%7D%7C%5E%60%3C%3E%22'],
    ['http://u%41:p@[fe80::1%25en0]:80/x/', 'http://uA:p@[fe80::1%25en0]:80/x/'],
    ['mailto:x?y', 'mailto:x?y'],
  ])('writes %j as %j', (text, written) => {
    expect(formatGoUrl(parseGoUrl(text))).toBe(written)
  })

  it('can hide the password', () => {
    const url = parseGoUrl('http://u:p@x/')
    expect(formatGoUrl(url, { hidePassword: true })).toBe('http://u:xxxxx@x/')
  })

  it('does not show a password in an error', () => {
    expect(() => parseGoUrl('http://u:secret@host:port/')).toThrow(
      'parse "http://u:xxxxx@host:port/": invalid port ":port" after host',
    )
    expect(() => parseGoUrl('http://u:sec:r@t@[::1/')).toThrow(
      /^parse "http:\/\/u:xxxxx@\[::1\/": /,
    )
  })
})
