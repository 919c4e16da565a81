import { expect, it } from 'vitest'
import { cleanPath } from './clean-path.ts'

it.each([
  ['/', '/'],
  ['//', '/'],
  ['/a', '/a'],
  ['/a/', '/a/'],
  ['/a//b', '/a/b'],
  ['//a//b//', '/a/b/'],
  ['/a/./b/../c', '/a/c'],
  ['/../../a', '/a'],
  ['/a/..', '/'],
  ['/a/../', '/'],
  ['//evil.test/x', '/evil.test/x'],
])('%s is cleaned to %s', (path, clean) => {
  expect(cleanPath(path)).toBe(clean)
})
