import { expect, it } from 'vitest'
import { RawHeaders } from './raw-headers.ts'

const lines = ['Host', 'x', 'X-Tag', 'a', 'Cookie', 'c=1', 'x-tag', 'b', 'COOKIE', 'd=2', 'E', '']

it.each([
  ['host', 'x'],
  ['X-TAG', 'a, b'],
  ['cookie', 'c=1; d=2'],
  ['e', ''],
  ['absent', null],
  ['constructor', null],
  ['a', null],
])('reads %s as standard Headers do', (name, value) => {
  const standard = new Headers()
  for (let at = 0; at < lines.length; at += 2) {
    standard.append(lines[at] ?? '', lines[at + 1] ?? '')
  }
  const raw = new RawHeaders(lines)
  expect([raw.get(name), raw.has(name)]).toEqual([value, value !== null])
  expect([raw.get(name), raw.has(name)]).toEqual([standard.get(name), standard.has(name)])
})
