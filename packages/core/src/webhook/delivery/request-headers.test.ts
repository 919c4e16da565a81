import { expect, it } from 'vitest'
import { headerText, requestToken } from './request-headers.ts'

const latin1 = (text: string): string => Buffer.from(text).toString('latin1')

it.each([
  ['plain', 'plain'],
  [latin1('grün'), 'grün'],
  ['gr\u00fcn', 'gr\u00fcn'],
])('a header with UTF-8 bytes is decoded (%j)', (sent, read) => {
  expect(headerText(new Headers({ 'x-a': sent }), 'X-A')).toBe(read)
})

it('a missing header is undefined', () => {
  expect(headerText(new Headers(), 'x-a')).toBeUndefined()
})

it.each([
  [{}, undefined],
  [{ authorization: 'Bearer s3cret' }, 's3cret'],
  [{ authorization: 'bearer   two words ' }, 'two words'],
  [{ authorization: 'Bearer ' }, undefined],
  [{ authorization: 'Bearer' }, undefined],
  [{ authorization: 'Basic czpz' }, undefined],
  [{ 'x-webhook-token': 's3cret' }, 's3cret'],
  [{ authorization: 'Basic czpz', 'x-webhook-token': 's3cret' }, 's3cret'],
  [{ authorization: 'Bearer a', 'x-webhook-token': 'b' }, 'a'],
  [{ authorization: latin1('Bearer schlüssel') }, 'schlüssel'],
])('the token of %j is %j', (headers, token) => {
  expect(requestToken(new Headers(headers as Record<string, string>))).toBe(token)
})
