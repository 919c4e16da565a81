import { describe, expect, it } from 'vitest'
import { configWith } from '../config/config.fixture.ts'
import type { LoadedAuthConfig } from '../config/config.ts'
import {
  clearDeviceTokenCookie,
  clearSessionCookies,
  deviceTokenCookie,
  formatSetCookie,
  parseCookies,
  sessionCookies,
} from './cookies.ts'

const defaults = configWith()
const withHttp = (http: Partial<LoadedAuthConfig['http']>): LoadedAuthConfig => ({
  ...defaults,
  http: { ...defaults.http, ...http },
})
const texts = (cookies: ReturnType<typeof sessionCookies>) => cookies.map(formatSetCookie)

describe('the cookies of a session', () => {
  it('last as long as the session can, and are hidden from scripts', () => {
    expect(texts(sessionCookies(defaults, 'id.secret'))).toEqual([
      'session=id.secret; Path=/; Max-Age=31449600; HttpOnly; Secure; SameSite=Lax',
      'same_site_strict=true; Path=/; Max-Age=31449600; HttpOnly; Secure; SameSite=Strict',
    ])
  })

  it('take the prefix and the domain of the configuration', () => {
    const config = withHttp({ cookie_prefix: 'app_', cookie_domain: 'example.com' })
    expect(texts(sessionCookies(config, 't'))[0]).toBe(
      'app_session=t; Path=/; Domain=example.com; Max-Age=31449600; HttpOnly; Secure; SameSite=Lax',
    )
  })

  it('end with the browser if the configuration says so', () => {
    const config = { ...defaults, session: { ...defaults.session, use_session_cookie: true } }
    expect(texts(sessionCookies(config, 't'))[0]).not.toContain('Max-Age')
  })

  it('are not Secure if the origin has no TLS', () => {
    const config = withHttp({ public_origin: 'http://localhost:8080' })
    expect(texts(sessionCookies(config, 't')).join()).not.toContain('Secure')
  })

  it('are cleared by the same cookies with empty values', () => {
    const config = withHttp({ cookie_domain: 'example.com' })
    expect(texts(clearSessionCookies(config))).toEqual([
      'session=; Path=/; Domain=example.com; Max-Age=0; HttpOnly; Secure; SameSite=Lax',
      'same_site_strict=; Path=/; Domain=example.com; Max-Age=0; HttpOnly; Secure; SameSite=Strict',
    ])
  })
})

describe('the cookie of a trusted device', () => {
  it('lasts for days and is only sent from this site', () => {
    expect(formatSetCookie(deviceTokenCookie(defaults, ['a', 'b']))).toBe(
      'mfa_device_token=a.b; Path=/; Max-Age=2592000; HttpOnly; Secure; SameSite=Strict',
    )
  })

  it('holds the tokens of at most five users, the newest ones', () => {
    expect(deviceTokenCookie(defaults, ['f', 'e', 'd', 'c', 'b', 'a']).value).toBe('f.e.d.c.b')
  })

  it('can be cleared', () => {
    expect(clearDeviceTokenCookie(defaults)).toMatchObject({ value: '', maxAge: 0 })
  })
})

describe('the cookies of a request', () => {
  it('are found by name', () => {
    const cookies = parseCookies('a=1; session=id.secret ;b=x=y;c=')
    expect([...cookies]).toEqual([
      ['a', '1'],
      ['session', 'id.secret'],
      ['b', 'x=y'],
      ['c', ''],
    ])
  })

  it('are read once per name: the first, which has the longest path', () => {
    expect(parseCookies('session=mine; session=planted').get('session')).toBe('mine')
  })

  it('are ignored without a name or a value', () => {
    expect([...parseCookies('')]).toEqual([])
    expect([...parseCookies('; ;=x;flag;')]).toEqual([])
  })

  it('may have the name of a member of Object.prototype', () => {
    const cookies = parseCookies('__proto__=1; constructor=2')
    expect(cookies.get('__proto__')).toBe('1')
    expect(cookies.get('toString')).toBeUndefined()
  })

  it('are read quickly from a header of any length, up to 64 KiB', () => {
    const cookies = parseCookies(`${'a=1;'.repeat(1_000_000)}session=late`)
    expect([...cookies.keys()]).toEqual(['a'])
  })
})
