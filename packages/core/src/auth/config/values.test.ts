import { describe, expect, it } from 'vitest'
import { codesIn, configWith } from './config.fixture.ts'

describe('lengths of time', () => {
  const lifetime = (written: unknown): object => ({ authentication_flow: { lifetime: written } })

  it.each([
    ['60s', 60_000],
    ['1h30m', 5_400_000],
    ['1.5h', 5_400_000],
    ['24h', 86_400_000],
    ['300ms', 300],
    ['999999ns', 1],
    ['2d', 172_800_000],
  ])('of %j are %d ms', (written, ms) => {
    expect(configWith(lifetime(written)).authentication_flow.lifetime_ms).toBe(ms)
  })

  it.each([
    ['', 'bad_duration'],
    ['5', 'bad_duration'],
    ['5 m', 'bad_duration'],
    ['five minutes', 'bad_duration'],
    [`${'9'.repeat(400)}s`, 'bad_duration'],
    ['0s', 'out_of_range'],
    ['-5m', 'bad_duration'],
    ['1us', 'out_of_range'],
    ['2600000h', 'out_of_range'],
    [60, 'wrong_type'],
    [null, 'wrong_type'],
    [['60s'], 'wrong_type'],
  ])('are not %j', (written, code) => {
    expect(codesIn(lifetime(written))).toEqual([`authentication_flow.lifetime ${code}`])
  })

  it('are not a million digits', () => {
    const digits = '9'.repeat(1_000_000)
    expect(codesIn(lifetime(digits))).toEqual(['authentication_flow.lifetime bad_duration'])
    expect(codesIn(lifetime(`${digits}s`))).toEqual(['authentication_flow.lifetime bad_duration'])
  })

  it('take their old spellings', () => {
    const config = configWith({
      authenticator: {
        oob_otp: { email: { code_valid_period: '2m' }, sms: { code_valid_period: '1m' } },
      },
      forgot_password: { code_valid_period: '10m', valid_periods: { code: '3m' } },
    })
    const { email, sms } = config.authenticator.oob_otp
    expect([email.valid_periods, sms.valid_periods]).toEqual([
      { code_ms: 120_000, link_ms: 1_200_000 },
      { code_ms: 60_000, link_ms: 1_200_000 },
    ])
    expect(config.forgot_password.valid_periods).toEqual({ code_ms: 180_000, link_ms: 600_000 })
    expect(config.warnings).toEqual([
      'authenticator.oob_otp.email.code_valid_period: is now valid_periods',
      'authenticator.oob_otp.sms.code_valid_period: is now valid_periods',
      'forgot_password.code_valid_period: is now valid_periods',
    ])
  })

  it('of hooks and sessions are numbers of seconds', () => {
    const config = configWith({
      hook: { sync_hook_timeout_seconds: 2, sync_hook_total_timeout_seconds: 2.5 },
      session: { lifetime_seconds: 60, idle_timeout_seconds: 30 },
    })
    expect(config.hook).toMatchObject({
      sync_hook_timeout_ms: 2_000,
      sync_hook_total_timeout_ms: 2_500,
    })
    expect(config.session).toMatchObject({ lifetime_seconds: 60, idle_timeout_seconds: 30 })
    const wrong = {
      hook: { sync_hook_timeout_seconds: -1, sync_hook_total_timeout_seconds: '5s' },
      session: { lifetime_seconds: 0.5, idle_timeout_seconds: '5' },
    }
    expect(codesIn(wrong)).toEqual([
      'hook.sync_hook_timeout_seconds out_of_range',
      'hook.sync_hook_total_timeout_seconds wrong_type',
      'session.lifetime_seconds wrong_type',
      'session.idle_timeout_seconds wrong_type',
    ])
  })
})

describe('addresses', () => {
  it('of clients are absolute, and none that browsers would run', () => {
    const clients = (...redirect_uris: readonly string[]): object => ({
      oauth: { clients: [{ client_id: 'web', redirect_uris }] },
    })
    expect(
      configWith(clients('https://a.example/cb?x=1', 'com.example.app://cb')).oauth.clients,
    ).toEqual([
      {
        client_id: 'web',
        redirect_uris: ['https://a.example/cb?x=1', 'com.example.app://cb'],
        x_max_concurrent_session: 0,
        x_authentication_flow_allowlist: undefined,
      },
    ])
    for (const wrong of [
      '/cb',
      '',
      'javascript:alert(1)',
      'JavaScript:alert(1)',
      'data:text/html,x',
    ]) {
      expect(codesIn(clients(wrong))).toEqual(['oauth.clients[0].redirect_uris[0] out_of_range'])
    }
    const twice = {
      oauth: { clients: [{ client_id: 'a' }, { client_id: 'a', x_max_concurrent_session: 2 }] },
    }
    expect(codesIn(twice)).toEqual(['oauth.clients[1].x_max_concurrent_session out_of_range'])
  })

  it('of links hold a code', () => {
    const links = (reset_password: string): object => ({ links: { reset_password } })
    expect(configWith(links('https://app.example/reset?code={code}')).links.reset_password).toBe(
      'https://app.example/reset?code={code}',
    )
    expect(codesIn(links('https://app.example/reset'))).toEqual([
      'links.reset_password out_of_range',
    ])
    expect(codesIn(links('javascript:{code}'))).toEqual(['links.reset_password out_of_range'])
  })
})
