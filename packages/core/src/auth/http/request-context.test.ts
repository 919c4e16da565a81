import { describe, expect, it } from 'vitest'
import { configWith } from '../config/config.fixture.ts'
import { isSecure, requestContext } from './request-context.ts'

const defaults = configWith()

const behind = (proxies: number) => ({
  ...defaults,
  http: { ...defaults.http, trust_proxy: proxies },
})

const request = (headers: Record<string, string> = {}) => new Request('http://host/', { headers })

describe('the context of a request', () => {
  const peer = { address: '10.0.0.9', port: 4_711 }
  const ipOf = (proxies: number, forwarded: string) =>
    requestContext(request({ 'x-forwarded-for': forwarded }), { query: '', peer }, behind(proxies))
      .ip

  it('has the query, address, user agent and cookies that are present', () => {
    expect(requestContext(request(), { query: '' }, defaults)).toEqual({ query: '' })
    const headers = { cookie: 'session=a.b', 'user-agent': `Browser/1 ${'x'.repeat(1_000)}` }
    const context = requestContext(request(headers), { query: 'x_ref=1', peer }, defaults)
    expect(context).toMatchObject({ query: 'x_ref=1', ip: '10.0.0.9', cookie: 'session=a.b' })
    expect(context.userAgent).toMatch(/^Browser\/1 x{490}$/)
  })

  it('trusts the configured number of proxies, counted from the right', () => {
    const forwarded = '6.6.6.6, 192.0.2.1 ,10.0.0.8'
    expect(ipOf(0, forwarded)).toBe('10.0.0.9')
    expect(ipOf(1, forwarded)).toBe('10.0.0.8')
    expect(ipOf(2, forwarded)).toBe('192.0.2.1')
    expect(ipOf(3, forwarded)).toBe('6.6.6.6')
  })

  it('falls back to the peer address if there are too few entries', () => {
    expect(ipOf(4, '6.6.6.6, 192.0.2.1 ,10.0.0.8')).toBe('10.0.0.9')
    expect(ipOf(1, '')).toBe('10.0.0.9')
  })

  it.each([
    ['2001:db8::1', '2001:db8::1'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['192.0.2.1:8080', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['[::ffff:192.0.2.1]:443', '192.0.2.1'],
    ['0:0:0:0:0:FFFF:c000:201', '192.0.2.1'],
    ['64:ff9b::192.0.2.1', '64:ff9b::192.0.2.1'],
    ['unknown', '10.0.0.9'],
    ['1.2.3:80', '10.0.0.9'],
    ['<script>', '10.0.0.9'],
    ['a'.repeat(10_000), '10.0.0.9'],
  ])('reads the entry %.20s', (entry, expected) => {
    expect(ipOf(1, entry)).toBe(expected)
  })
})

describe('a request', () => {
  const isSafe = (proxies: number, headers: Record<string, string>, secure = false) =>
    isSecure(request(headers), { secure }, behind(proxies))

  it('is as secure as its connection if no proxy is trusted', () => {
    expect(isSafe(0, {}, true)).toBe(true)
    expect(isSafe(0, { 'x-forwarded-proto': 'https', forwarded: 'proto=https' })).toBe(false)
    expect(isSafe(1, {}, true)).toBe(true)
    expect(isSafe(1, {})).toBe(false)
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
  ])('is checked behind a proxy that sends %j', (headers, expected) => {
    expect(isSafe(1, headers as Record<string, string>)).toBe(expected)
  })
})
