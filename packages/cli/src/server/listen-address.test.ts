import { describe, expect, it } from 'vitest'
import {
  formatListenPlace,
  isLocal,
  isLoopbackOnly,
  type ListenPlace,
  machineUrl,
  parseListenAddress,
  placeUrl,
} from './listen-address.ts'

describe('parseListenAddress()', () => {
  it.each([
    [':9093', { port: 9093 }],
    ['127.0.0.1:9093', { host: '127.0.0.1', port: 9093 }],
    ['localhost:0', { host: 'localhost', port: 0 }],
    ['[::1]:9093', { host: '::1', port: 9093 }],
    ['[::]:9093', { host: '::', port: 9093 }],
  ])('reads %s, and formats it back unchanged', (text, address) => {
    expect(parseListenAddress(text)).toEqual(address)
    expect(formatListenPlace(address)).toBe(text)
  })

  it.each([
    ['foo', 'address foo: missing port in address'],
    ['', 'address : missing port in address'],
    ['::1:9093', 'address ::1:9093: too many colons in address'],
    [':http', 'address :http: the port must be a number from 0 to 65535'],
    [':', 'address :: the port must be a number from 0 to 65535'],
    [':65536', 'address :65536: the port must be a number from 0 to 65535'],
    [':-1', 'address :-1: the port must be a number from 0 to 65535'],
  ])('refuses %j', (text, message) => {
    expect(() => parseListenAddress(text)).toThrow(message)
  })
})

describe('a place', () => {
  it.each<[ListenPlace, string, boolean]>([
    [{ port: 80 }, 'http://0.0.0.0:80', false],
    [{ host: '::', port: 80 }, 'http://0.0.0.0:80', false],
    [{ host: '10.0.0.1', port: 80 }, 'http://10.0.0.1:80', false],
    [{ host: '127.9.9.9', port: 80 }, 'http://127.9.9.9:80', true],
    [{ host: '127.evil.example', port: 80 }, 'http://127.evil.example:80', false],
    [{ host: '::1', port: 80 }, 'http://[::1]:80', true],
    [{ host: 'localhost', port: 80 }, 'http://localhost:80', true],
    [{ host: '::ffff:127.0.0.1', port: 80 }, 'http://[::ffff:127.0.0.1]:80', true],
    [{ host: '127.0.0.1', port: 80, fd: 3 }, 'http://127.0.0.1:80', true],
    [{ path: '/run/gatehouse' }, 'unix:/run/gatehouse', true],
    [{ fd: 3 }, 'fd:3', true],
  ])('%j is reached as %s, from outside: not if %s', (place, url, local) => {
    expect(placeUrl(place, false)).toBe(url)
    expect(isLocal(place)).toBe(local)
  })

  it.each<[readonly ListenPlace[], boolean]>([
    [[{ host: '127.0.0.1', port: 80, fd: 3 }], true],
    [[{ host: '0.0.0.0', port: 80, fd: 3 }], false],
    [[{ host: '127.0.0.1', port: 80 }, { fd: 3 }], false],
    [[{ path: '/a' }], false],
  ])('is a loopback address alone: of %j that is %s', (places, only) => {
    expect(isLoopbackOnly(places)).toBe(only)
  })

  it('has a URL with the name of this machine', () => {
    expect(machineUrl([{ path: '/a' }, { fd: 3 }, { host: '::1', port: 80 }], true)).toMatch(
      /^https:\/\/[^:]+:80$/,
    )
    expect(machineUrl([{ path: '/a' }], false)).toMatch(/^http:\/\/[^:]+$/)
  })
})
