import { expect, it } from 'vitest'
import { reservedUsernames } from './reserved-usernames.ts'
import { createWordSet } from './username.ts'

it('there are several hundred reserved usernames, all in normalized form', () => {
  expect(reservedUsernames.size).toBeGreaterThan(500)
  expect([...createWordSet(reservedUsernames)]).toEqual([...reservedUsernames])
  for (const name of reservedUsernames) expect(name).toMatch(/^[a-z0-9][a-z0-9_-]*$/)
})

it.each(['admin', 'root', 'support', 'www', 'postmaster', 'login', 'noreply', 'null'])(
  '%s is reserved',
  (name) => {
    expect(reservedUsernames.has(name)).toBe(true)
  },
)

it('names of persons are not', () => {
  for (const name of ['maya', 'lena', 'john', 'mohammed', 'wei']) {
    expect(reservedUsernames.has(name)).toBe(false)
  }
})
