import { inspect } from 'node:util'
import { expect, it } from 'vitest'
import { Secret } from './secret.ts'

it('a secret prints its mask, and its text only through reveal()', () => {
  const secret = new Secret('hunter2')
  expect([`${secret}`, JSON.stringify({ secret }), inspect({ secret })]).toEqual([
    '<secret>',
    '{"secret":"<secret>"}',
    '{ secret: <secret> }',
  ])
  expect(inspect(secret, { showHidden: true })).not.toContain('hunter2')
  expect(Object.values(secret)).toEqual([])
  expect(secret.reveal()).toBe('hunter2')
})

it('a custom mask is printed instead', () => {
  expect(String(new Secret('http://u:p@x/', 'http://u:xxxxx@x/'))).toBe('http://u:xxxxx@x/')
})
