import { describe, expect, it } from 'vitest'
import { isOriginAllowed } from '../http/cors.ts'
import { passkeyParty } from '../kinds/passkey/passkey.ts'
import { configWith } from './config.fixture.ts'

const channel = (name: string, otp_form = 'code') => ({ channel: name, otp_form })
const forgotten = (lists: object) => ({ ui: { forgot_password: lists } })
const policy = (rules: object) => ({ authenticator: { password: { policy: rules } } })
const trust = (expire_in_days: number) => ({ authentication: { device_token: { expire_in_days } } })
const lockout = {
  max_attempts: 5,
  history_duration: '1h',
  minimum_duration: '1m',
  maximum_duration: '5m',
  lockout_type: 'per_user',
  backoff_factor: 5_000,
}
const attribute = { id: '0000', pointer: '/1st_choice', type: 'string' }
const client = { client_id: 'web', redirect_uris: ['https://app.example.com/'] }
const origin = 'https://auth.example.com'

describe("a value that Authgear's schema allows", () => {
  it.each<readonly [string, object, readonly string[]]>([
    [
      'no channel of a recovery',
      forgotten({ email: [], phone: [] }),
      ['ui.forgot_password.email', 'ui.forgot_password.phone'],
    ],
    ['any channel in either list', forgotten({ email: [channel('sms', 'link')] }), []],
    [
      'more keys of a channel',
      forgotten({ phone: [{ ...channel('sms'), x: 1 }] }),
      ['ui.forgot_password.phone[0].x'],
    ],
    [
      'the page of a brand',
      { ui: { default_branding_page_uri: 'https://example.com' } },
      ['ui.default_branding_page_uri'],
    ],
    [
      'a long password',
      policy({ min_length: 5_000 }),
      ['authenticator.password.policy.min_length'],
    ],
    [
      'an empty word',
      policy({ excluded_keywords: ['', 'harbor'] }),
      ['authenticator.password.policy.excluded_keywords'],
    ],
    ['0 days of trust', trust(0), ['authentication.device_token.expire_in_days']],
    ['less than 0 days of trust', trust(-1), ['authentication.device_token.expire_in_days']],
    ['too many days of trust', trust(99_999), ['authentication.device_token.expire_in_days']],
    [
      'sessions of 0 seconds',
      { session: { lifetime_seconds: 0, idle_timeout_seconds: -5 } },
      ['session.idle_timeout_seconds', 'session.lifetime_seconds'],
    ],
    [
      'hooks of 0 seconds',
      { hook: { sync_hook_timeout_seconds: 0, sync_hook_total_timeout_seconds: 0 } },
      ['hook.sync_hook_timeout_seconds', 'hook.sync_hook_total_timeout_seconds'],
    ],
    [
      'a recovery of 0 seconds',
      { forgot_password: { reset_code_expiry_seconds: 0 } },
      ['forgot_password.reset_code_expiry_seconds'],
    ],
    ['the longest duration', { verification: { code_valid_period: '2562000h' } }, []],
    ['a steep lockout', { authentication: { lockout } }, ['authentication.lockout.backoff_factor']],
    ['no fixed code', { test_mode: { oob_otp: { rules: [{ regex: 'a', fixed_code: '' }] } } }, []],
    [
      'a pointer with a digit',
      { user_profile: { custom_attributes: { attributes: [attribute] } } },
      [],
    ],
    [
      'hosts of old documents',
      { http: { public_origin: origin, hosts: ['a'], admin_hosts: ['b'] } },
      ['http.admin_hosts', 'http.hosts'],
    ],
    ['a dotted prefix', { http: { public_origin: origin, cookie_prefix: 'my.app~' } }, []],
    ['a dotted domain', { http: { public_origin: origin, cookie_domain: '.example.com' } }, []],
    ['a client twice', { oauth: { clients: [client, client] } }, ['oauth.clients[1]']],
    [
      'a login ID key twice',
      { identity: { login_id: { keys: [{ type: 'email' }, { type: 'email' }] } } },
      ['identity.login_id.keys[1]'],
    ],
    [
      'origins without a scheme, and every origin',
      {
        http: { public_origin: origin, allowed_origins: ['localhost:3000', '*.example.com', '*'] },
      },
      ['http.allowed_origins[2]'],
    ],
  ])('is accepted: %s', (_what, sections, places) => {
    const { warnings } = configWith(sections)
    const at = warnings.map((warning) => warning.replace(/: .*/s, ''))
    expect(at.filter((place) => !place.startsWith('test_mode')).toSorted()).toEqual(places)
  })

  it('has the nearest value that is possible here', () => {
    expect(configWith(trust(0)).authentication.device_token.expire_in_days).toBe(30)
    expect(configWith(trust(-1)).authentication.device_token.expire_in_days).toBe(1)
    expect(configWith(trust(99_999)).authentication.device_token.expire_in_days).toBe(36_525)
    const { session } = configWith({ session: { lifetime_seconds: 0, idle_timeout_seconds: -5 } })
    expect(session).toMatchObject({ lifetime_seconds: 31_449_600, idle_timeout_seconds: 1 })
    const { hook } = configWith({ hook: { sync_hook_timeout_seconds: 0 } })
    expect(hook).toMatchObject({ sync_hook_timeout_ms: 5_000, sync_hook_total_timeout_ms: 10_000 })
    const { password } = configWith(policy({ excluded_keywords: ['', 'harbor'] })).authenticator
    expect(password.policy.excluded_keywords).toEqual(['harbor'])
    expect(configWith({ authentication: { lockout } }).authentication.lockout).toMatchObject({
      backoff_factor: 1_000,
    })
    const http = { public_origin: origin, cookie_domain: '.example.com' }
    expect(configWith({ http }).http.cookie_domain).toBe('example.com')
  })
})

describe('an allowed origin', () => {
  const allows = (text: string, given: string): boolean =>
    isOriginAllowed(configWith({ http: { public_origin: origin, allowed_origins: [text] } }), given)

  it.each([
    ['app.example.com', 'https://app.example.com', true],
    ['App.Example.com', 'http://app.example.com', true],
    ['app.example.com', 'https://app.example.com:8443', false],
    ['app.example.com', 'https://app.example.com.evil.test', false],
    ['app.example.com', 'capacitor://app.example.com', false],
    ['app.example.com', 'null', false],
    ['localhost:3000', 'http://localhost:3000', true],
    ['localhost:3000', 'http://localhost', false],
    ['*.example.com', 'https://app.example.com', true],
    ['*.example.com', 'https://example.com', false],
    ['*.example.com', 'https://a.b.example.com', false],
    ['*.example.com', 'https://evil-example.com', false],
    ['https://*.example.com', 'http://app.example.com', false],
    ['https://*.example.com', 'https://app.example.com', true],
    ['https://*.example.com', 'https://app.example.com@evil.test', false],
    ['*', 'https://evil.test', false],
    ['*.com', 'https://evil.com', false],
    ['https://*', 'https://evil', false],
  ])('%j, and a page of %s: %j', (text, given, isAllowed) => {
    expect(allows(text, given)).toBe(isAllowed)
  })

  it('without a pattern may use passkeys', () => {
    const allowed_origins = ['app.example.com', '*.example.com', 'https://b.example.com']
    const { origins } = passkeyParty(
      configWith({ http: { public_origin: origin, allowed_origins } }),
    )
    expect(origins).toEqual([origin, 'https://app.example.com', 'https://b.example.com'])
  })
})
