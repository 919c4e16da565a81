import { describe, expect, it } from 'vitest'
import { type ConnectedClient, createClientReader } from './client-reader.ts'

const read = createClientReader(['10.0.0.0/8', '::1', '192.168.1.9'])

function headersOf(given: Readonly<Record<string, string>>): Headers {
  return new Headers(given)
}

function clientOf(
  client: ConnectedClient | null | undefined,
  headers: Readonly<Record<string, string>>,
  reader = read,
): string | undefined {
  return reader({ headers: headersOf(headers), client, secure: false }).peer?.address
}

describe('the address of a client', () => {
  it.each([
    ['192.0.2.1', '203.0.113.9', '192.0.2.1'],
    ['::ffff:192.0.2.1', undefined, '192.0.2.1'],
    ['10.0.0.1', undefined, '10.0.0.1'],
    ['10.0.0.1', '203.0.113.9', '203.0.113.9'],
    ['10.0.0.1', '203.0.113.9, 198.51.100.7', '198.51.100.7'],
    ['10.0.0.1', 'spoofed, 198.51.100.7,10.0.0.2 , 10.0.0.3', '198.51.100.7'],
    ['10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
    ['10.0.0.1', '203.0.113.9, unknown', '10.0.0.1'],
    ['10.0.0.1', '203.0.113.9, unknown, 10.0.0.2', '10.0.0.2'],
    ['10.0.0.1', ' , ', '10.0.0.1'],
    ['10.0.0.1', '<script>', '10.0.0.1'],
    ['10.0.0.1', 'a'.repeat(10_000), '10.0.0.1'],
    ['::1', '[2001:DB8::1]:443', '2001:db8::1'],
    ['::1', '[2001:db8::1]', '2001:db8::1'],
    ['::1', '2001:db8::1', '2001:db8::1'],
    ['::1', '203.0.113.9:8080', '203.0.113.9'],
    ['::1', '::ffff:203.0.113.9', '203.0.113.9'],
    ['::1', '0:0:0:0:0:FFFF:c000:201', '192.0.2.1'],
    ['::ffff:10.0.0.1', '203.0.113.9', '203.0.113.9'],
    ['192.168.1.9', '203.0.113.9, ::ffff:10.1.2.3', '203.0.113.9'],
    ['fe80::1%eth0', '203.0.113.9', 'fe80::1%eth0'],
  ])('behind the connection of %s with %.30s is %s', (address, forwardedFor, expected) => {
    const headers = forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor }
    expect(clientOf({ address }, headers)).toBe(expected)
  })

  it('is that of the connection if no proxy is trusted', () => {
    const headers = { 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': 'https' }
    const reader = createClientReader()
    expect(reader({ headers: headersOf(headers), client: undefined, secure: false })).toEqual({
      secure: false,
    })
    const client = { address: '::ffff:10.0.0.1', port: 4_711 }
    expect(reader({ headers: headersOf(headers), client, secure: true })).toEqual({
      secure: true,
      peer: { address: '10.0.0.1', port: 4_711 },
    })
  })

  it('is read from the headers if the platform does not report the connection', () => {
    const headers = { 'x-forwarded-for': '6.6.6.6, 203.0.113.9', 'x-forwarded-proto': 'https' }
    expect(read({ headers: headersOf(headers), client: undefined, secure: false })).toEqual({
      secure: true,
      peer: { address: '203.0.113.9' },
    })
    expect(clientOf(undefined, { 'x-forwarded-for': '203.0.113.9, 10.1.1.1' })).toBe('203.0.113.9')
    expect(clientOf(undefined, {})).toBeUndefined()
  })

  it('is unknown if the connection has closed', () => {
    const headers = { 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': 'https' }
    expect(read({ headers: headersOf(headers), client: null, secure: false })).toEqual({
      secure: false,
    })
  })
})

describe('the connection of a client', () => {
  const isSecure = (headers: Readonly<Record<string, string>>, secure = false): boolean =>
    read({ headers: headersOf(headers), client: { address: '10.0.0.1' }, secure }).secure

  it('is that to the server without a header, and behind others than trusted proxies', () => {
    expect([isSecure({}, true), isSecure({}, false)]).toEqual([true, false])
    const headers = headersOf({ 'x-forwarded-proto': 'https', forwarded: 'proto=https' })
    expect(read({ headers, client: { address: '192.0.2.1' }, secure: false }).secure).toBe(false)
  })

  it.each([
    [{ 'x-forwarded-proto': 'https' }, true],
    [{ 'x-forwarded-proto': 'http, HTTPS' }, true],
    [{ 'x-forwarded-proto': 'https, http' }, false],
    [{ forwarded: 'for=192.0.2.1;proto=https;by=10.0.0.8' }, true],
    [{ forwarded: 'proto=http, for="[2001:db8::1]"; Proto="https"' }, true],
    [{ forwarded: 'proto=https, for=192.0.2.1;proto=http' }, false],
    [{ forwarded: 'for=192.0.2.1' }, false],
    [{ 'x-forwarded-proto': 'http', forwarded: 'proto=https' }, false],
  ])('is that to the last proxy, which sends %j', (headers, expected) => {
    expect(isSecure(headers as Record<string, string>)).toBe(expected)
  })

  it('has a certificate only if no proxy is in between', () => {
    const certificate = { subject: 'CN=a' } as unknown as ConnectedClient['certificate']
    const seen = (address: string): unknown =>
      read({ headers: headersOf({}), client: { address, certificate }, secure: true })
        .clientCertificate
    expect(seen('192.0.2.1')).toBe(certificate)
    expect(seen('10.0.0.1')).toBeUndefined()
  })
})

it.each(['', 'nginx', '10.0.0.0/33', 1, true])('%j is not a trusted proxy', (given) => {
  expect(() => createClientReader(['::1', given as string])).toThrow(
    'trustedProxies[1]: expected an IP address or a prefix such as 10.0.0.0/8, got',
  )
})
