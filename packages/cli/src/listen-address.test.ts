import { describe, expect, it } from 'vitest'
import { formatListenAddress, parseListenAddress } from './listen-address.ts'

describe('parseListenAddress()', () => {
  it.each([
    [':9093', { port: 9093 }],
    ['127.0.0.1:9093', { host: '127.0.0.1', port: 9093 }],
    ['localhost:0', { host: 'localhost', port: 0 }],
    ['[::1]:9093', { host: '::1', port: 9093 }],
    ['[::]:9093', { host: '::', port: 9093 }],
  ])('reads %s, and it is written back the same', (text, address) => {
    expect(parseListenAddress(text)).toEqual(address)
    expect(formatListenAddress(address)).toBe(text)
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
