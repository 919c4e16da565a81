import { expect, it } from 'vitest'
import { Secret } from '../../../crypto/secret.ts'
import { apiUrl } from './api-url.ts'

it.each([
  ['https://h', undefined, undefined, 'https://h'],
  ['https://h/a', undefined, undefined, 'https://h/a'],
  ['https://h', 'v1/x', undefined, 'https://h/v1/x'],
  ['https://h/', 'v1/x', undefined, 'https://h/v1/x'],
  ['https://u:p@h:1/a', 'x', 'b=1', 'https://u:p@h:1/a/x?b=1'],
  ['https://h/a/?c=2', 'x', 'b=1', 'https://h/a/x?c=2&b=1'],
  ['https://h/a%2Fb/', 'c d/e?f#g%2F', undefined, 'https://h/a%2Fb/c%20d/e%3Ff%23g%252F'],
  ['https://h/', '7:tok@\ud800', undefined, 'https://h/7:tok@%EF%BF%BD'],
])(
  'is built from the base URL %s, the path %s and the query %s: %s',
  (configured, path, query, expected) => {
    const options = {
      ...(path === undefined ? {} : { path }),
      ...(query === undefined ? {} : { query }),
    }
    expect(apiUrl(new Secret(configured), options)).toBe(expected)
  },
)

it('needs a URL', () => {
  expect(() => apiUrl(undefined)).toThrow(TypeError)
})
