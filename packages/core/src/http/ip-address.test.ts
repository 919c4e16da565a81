import { expect, it } from 'vitest'
import { plainAddress } from './ip-address.ts'

it.each([
  '::ffff:203.0.113.9',
  '::FFFF:203.0.113.9',
  '::ffff:cb00:7109',
  '0:0:0:0:0:ffff:203.0.113.9',
  '0:0:0:0:0:ffff:cb00:7109',
  '0000:0000:0000:0000:0000:ffff:cb00:7109',
  '::ffff:203.0.113.9%eth0',
  '0::ffff:CB00:7109',
])('%s is spelled as its IPv4 address', (address) => {
  expect(plainAddress(address)).toBe('203.0.113.9')
})

it.each([
  '203.0.113.9',
  '2001:db8::ffff:1',
  '2001:db8:0:0:0:ffff:cb00:7109',
  '::ffff:0:203.0.113.9',
  '64:ff9b::cb00:7109',
  'fe80::1%eth0',
  '::ffff:',
  '::ffff:300.0.0.1',
  'unknown:ffff:text',
  '',
])('%j stays as it is', (text) => {
  expect(plainAddress(text)).toBe(text)
})

it('spells the lowest and the highest address', () => {
  expect(plainAddress('::ffff:0:0')).toBe('0.0.0.0')
  expect(plainAddress('::ffff:ffff:ffff')).toBe('255.255.255.255')
})
