import { expect, it } from 'vitest'
import { nearestKey } from './nearest-key.ts'

const keys = ['storage', 'sqlite', 'max_connections', 'prefix']

it.each([
  ['storge', 'storage'],
  ['Sqlite', 'sqlite'],
  ['max_connection', 'max_connections'],
  ['prefx', 'prefix'],
  ['', undefined],
  ['alertmanager', undefined],
])('%j was meant to be %j', (given, key) => {
  expect(nearestKey(given, keys)).toBe(key)
})

it('looks at the beginning of a long key alone', () => {
  expect(nearestKey('s'.repeat(1_000_000), keys)).toBeUndefined()
})
