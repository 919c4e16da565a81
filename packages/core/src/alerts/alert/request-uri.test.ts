import { expect, it } from 'vitest'
import { isRequestUri } from './request-uri.ts'

it.each([
  '/rel',
  '//host/path',
  'mailto:x',
  'javascript:alert(1)',
  'http://x/?q',
  'http://x',
  'HTTP://user:pass@[::1]:80/a%20b c?x y#z',
  'http://ü.test:/',
  '*',
])('%s is a URI', (text) => {
  expect(isRequestUri(text)).toBe(true)
})

it.each([
  '',
  'not a url',
  'foo',
  'foo/bar:baz',
  'http://[::1',
  'http://a b/',
  'http://a:port/',
  'http://a:80:80x',
  'http://a%41/',
  'http://a/%zz',
  'http://us er@host/',
  ':x',
  '1http://x',
  'http://x/\u0000',
  '/a\n',
  '/\u007f',
])('%j is not a URI', (text) => {
  expect(isRequestUri(text)).toBe(false)
})

it('a text of any length is checked in linear time', () => {
  expect(isRequestUri(`http://${'a:'.repeat(500_000)}x/`)).toBe(false)
  expect(isRequestUri(`http://${'%4'.repeat(500_000)}@/`)).toBe(false)
})
