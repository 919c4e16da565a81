import { expect, it } from 'vitest'
import { mayPromptForPassword } from './password-prompt.ts'

const isAsked = (headers: Record<string, string>, query = ''): boolean =>
  mayPromptForPassword({ url: `https://host/api/v2/alerts${query}`, headers: new Headers(headers) })

it.each([
  ['a program', {}, true],
  ['a navigation', { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }, true],
  ['a request of a page', { 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' }, false],
  ['a script of a page', { 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'script' }, false],
  ['a WebSocket', { 'sec-fetch-mode': 'websocket', 'sec-fetch-dest': 'websocket' }, false],
  ['a page without encryption', { 'x-requested-with': 'XMLHttpRequest' }, false],
])('%s may make a browser ask for a password: %j %s', (_, headers, expected) => {
  expect(isAsked(headers)).toBe(expected)
  expect(isAsked(headers, '?signIn=true')).toBe(true)
  expect(isAsked({ ...headers, 'x-gatehouse-sign-in': 'true' })).toBe(true)
  expect(isAsked(headers, '?signIn=false')).toBe(expected)
})
