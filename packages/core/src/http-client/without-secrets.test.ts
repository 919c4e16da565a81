import { expect, it } from 'vitest'
import { detailsWithout, secretsOfUrl } from './without-secrets.ts'

const detailsOf = (body: string, secrets: readonly string[]): string =>
  detailsWithout(secrets)({ status: 400, headers: new Headers(), body })

it('masks secrets as they are and escaped in a URL', () => {
  const body = 'cannot POST /x/a%20b?y: "a b", (.*) and (.*)c are not known, a+b neither'
  expect(detailsOf(body, ['a b', '', 'e', '(.*)', '(.*)c'])).toBe(
    'cannot POST /x/<secret>?y: "<secret>", <secret> and <secret> ar<secret> not known, a+b n<secret>ith<secret>r',
  )
})

it('masks secrets escaped in JSON and in HTML', () => {
  const body = '{"path":"/a\\"b&c"} <pre>/a&quot;b&amp;c</pre>'
  expect(detailsOf(body, ['/a"b&c'])).toBe('{"path":"<secret>"} <pre><secret></pre>')
})

it('masks before it truncates, so that no part of a secret is left', () => {
  expect(detailsOf(`${'x'.repeat(1_020)}secret`, ['secret'])).toBe(`${'x'.repeat(1_020)}<sec`)
})

it.each([
  ['https://h/a%20b?c=1', ['https://h/a%20b?c=1', '/a%20b?c=1', '/a%20b', '/a b', 'c=1']],
  ['https://h', ['https://h']],
  ['no URL', ['no URL']],
])('considers these parts of the URL %s secret: %j', (url, secrets) => {
  expect(secretsOfUrl(url)).toEqual(secrets)
})
