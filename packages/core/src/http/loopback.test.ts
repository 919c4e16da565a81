import { describe, expect, it } from 'vitest'
import { isLoopbackHost, isWithinThisMachine } from './loopback.ts'

describe('isLoopbackHost()', () => {
  it.each(['localhost', '127.0.0.1', '127.1.2.3', '[::1]'])('accepts %s', (host) => {
    expect(isLoopbackHost(host)).toBe(true)
  })

  it.each([
    'localhost.example.com',
    '127.0.0.1.example.com',
    '192.168.0.2',
    '[::2]',
    '0.0.0.0',
    '',
  ])('refuses %s', (host) => {
    expect(isLoopbackHost(host)).toBe(false)
  })
})

describe('isWithinThisMachine()', () => {
  const isWithin = (
    url: string,
    headers: Record<string, string> = {},
    address: string | undefined = '127.0.0.1',
  ) =>
    isWithinThisMachine(
      { url, headers: new Headers(headers) },
      address === undefined ? {} : { peer: { address } },
    )

  it.each<[string, Record<string, string>?, string?]>([
    ['http://localhost:3000/a'],
    ['http://127.0.0.1/a', { host: '127.0.0.1' }, '::ffff:127.0.0.1'],
    ['http://[::1]:3000/a', { host: '[::1]:3000' }, '::1'],
    // A development server that passes requests on.
    [
      'http://localhost/',
      { 'x-forwarded-for': '::1, 127.0.0.1', 'x-forwarded-host': 'localhost:5' },
    ],
  ])('accepts %s with %o', (url, headers, address) => {
    expect(isWithin(url, headers, address)).toBe(true)
  })

  it('decides by the name where the platform knows no address', () => {
    const headers = new Headers()
    expect(isWithinThisMachine({ url: 'http://localhost/', headers }, {})).toBe(true)
    expect(isWithinThisMachine({ url: 'http://a.example/', headers }, {})).toBe(false)
  })

  it.each<[string, Record<string, string>?, string?]>([
    ['http://192.168.0.2:3000/a'],
    ['http://evil.example/a'],
    ['http://localhost/a', { host: 'app.example.com' }],
    ['http://localhost/a', { host: '' }],
    ['http://localhost/a', {}, '192.168.0.9'],
    // A proxy on this machine that puts its upstream's name into Host.
    ['http://localhost:3000/a', { host: 'localhost:3000', 'x-forwarded-for': '203.0.113.7' }],
    ['http://localhost:3000/a', { 'x-forwarded-for': '127.0.0.1, 203.0.113.7' }],
    ['http://localhost:3000/a', { 'x-forwarded-host': 'app.example.com' }],
    ['http://localhost:3000/a', { forwarded: 'for=127.0.0.1' }],
    ['http://localhost:3000/a', { 'x-forwarded-for': 'unknown' }],
  ])('refuses %s with %o', (url, headers, address) => {
    expect(isWithin(url, headers, address)).toBe(false)
  })
})
