import { describe, expect, it } from 'vitest'
import type { FlowAction } from '../protocol.ts'
import type { StepPage } from './step-page.ts'
import { stepPageOf } from './step-page-of.ts'
import type { StepSetting } from './step-setting.ts'

const setting: StepSetting = {
  now: Date.UTC(2026, 0, 1),
  redirectUri: 'https://accounts.example.com/oauth/callback',
  leave: () => 'our-state',
  links: {
    signUp: ['Create an account', '/signup'],
    signIn: ['Sign in', '/login'],
    recover: ['Forgot your password?', '/recover'],
  },
  profileFields: [],
}

function pageOf(type: string, data: object, flow = 'login'): StepPage {
  const action = { type, data } as FlowAction
  return stepPageOf({ state_token: 'S1', type: flow, action }, setting)
}

describe('identify', () => {
  const identify = (options: readonly object[]): StepPage =>
    pageOf('identify', { type: 'identification_data', options })

  it('has a form for each way', () => {
    const { forms } = identify([
      { identification: 'select_account', display_name: 'maya@example.com' },
      { identification: 'oauth', oauth_provider_type: 'oidc', oauth_provider_alias: 'acme' },
      { identification: 'email' },
      { identification: 'phone' },
      { identification: 'username' },
      { identification: 'passkey', request_options: { challenge: 'AA' } },
    ])
    expect(forms.map(({ button }) => button)).toEqual([
      'Continue as maya@example.com',
      'Continue with acme',
      'Continue by email',
      'Continue by phone',
      'Continue by username',
      'Use a passkey',
    ])
    expect(forms[0]?.hidden).toEqual({ identification: 'select_account', index: 0 })
    expect(forms[5]?.passkey).toEqual({ does: 'get', options: { challenge: 'AA' } })
    const fields = forms.flatMap(({ fields = [] }) => fields)
    expect(fields.map(({ autocomplete, type }) => [autocomplete, type])).toEqual([
      ['username', 'email'],
      ['username', 'tel'],
      ['username', undefined],
    ])
  })

  it('leaves out unsupported ways, and says so if no other is left', () => {
    expect(identify([{ identification: 'ldap' }, { identification: 'email' }]).forms).toHaveLength(
      1,
    )
    expect(identify([{ identification: 'ldap' }])).toMatchObject({
      forms: [],
      text: 'These pages support none of the offered ways.',
    })
  })

  it('asks the owner of an account with the same address to sign in to it', () => {
    const { title, forms } = pageOf('identify', {
      type: 'account_linking_identification_data',
      options: [
        { identification: 'email', masked_display_name: 'ma**@example.com' },
        { identification: 'oauth', alias: 'g', masked_display_name: 'ma**@gmail.com' },
      ],
    })
    expect(title).toBe('You have an account already')
    expect(forms.map(({ button, hidden }) => [button, hidden])).toEqual([
      ['Sign in as ma**@example.com', { index: 0 }],
      ['Sign in as ma**@gmail.com', { index: 1, redirect_uri: setting.redirectUri }],
    ])
  })

  it('leads to a provider with our own state', () => {
    const address = 'https://id.example/authorize?state=theirs&client_id=c'
    const { onwardTo } = pageOf('identify', {
      type: 'oauth_data',
      oauth_provider_type: 'google',
      oauth_authorization_url: address,
    })
    expect(onwardTo).toBe('https://id.example/authorize?state=our-state&client_id=c')
  })
})

describe('authenticate', () => {
  const data = (options: readonly object[], isTrustable = false): object => ({
    type: 'authentication_data',
    options,
    device_token_enabled: isTrustable,
  })

  it('has a form for each way, and for each channel of a code', () => {
    const { forms } = pageOf(
      'authenticate',
      data([
        { authentication: 'primary_password' },
        {
          authentication: 'primary_oob_otp_sms',
          otp_form: 'code',
          masked_display_name: '+659123****',
          channels: ['whatsapp', 'sms'],
        },
        { authentication: 'primary_passkey', request_options: {} },
        { authentication: 'primary_pin' },
      ]),
    )
    expect(forms.map(({ heading, hidden }) => [heading, hidden])).toEqual([
      ['By your password', { authentication: 'primary_password' }],
      [
        'By a code on WhatsApp',
        { authentication: 'primary_oob_otp_sms', index: 1, channel: 'whatsapp' },
      ],
      [
        'By a code by text message',
        { authentication: 'primary_oob_otp_sms', index: 1, channel: 'sms' },
      ],
      ['By a passkey', { authentication: 'primary_passkey' }],
    ])
    expect(forms.some(({ checkbox }) => checkbox !== undefined)).toBe(false)
  })

  it('offers to trust the browser when the service allows it', () => {
    const options = [{ authentication: 'secondary_totp' }, { authentication: 'recovery_code' }]
    const { forms } = pageOf('authenticate', data(options, true))
    expect(forms.map(({ checkbox }) => checkbox?.name)).toEqual([
      'request_device_token',
      'request_device_token',
    ])
  })
})

describe('create_authenticator', () => {
  it('has a form for each way, and asks for an address when the service gives none', () => {
    const { forms } = pageOf('create_authenticator', {
      type: 'create_authenticator_data',
      options: [
        { authentication: 'secondary_password', password_policy: { minimum_length: 8 } },
        { authentication: 'secondary_oob_otp_email', channels: ['email'] },
        { authentication: 'secondary_oob_otp_sms', channels: ['sms'] },
        { authentication: 'primary_oob_otp_email', target: { masked_display_name: 'ma**@x.io' } },
        { authentication: 'secondary_totp' },
        { authentication: 'secondary_pin' },
      ],
    })
    expect(forms.map(({ button, fields = [] }) => [button, fields[0]?.name])).toEqual([
      ['Set this password', 'new_password'],
      ['Send a code there', 'target'],
      ['Send a code there', 'target'],
      ['Use codes sent to ma**@x.io', undefined],
      ['Use an authenticator app', undefined],
    ])
  })
})

describe('prompt_create_passkey', () => {
  it('can be skipped, permanently only if the service allows it', () => {
    const page = (canRefuse: boolean): StepPage =>
      pageOf('prompt_create_passkey', {
        type: 'create_passkey_data',
        creation_options: { challenge: 'AA' },
        allow_do_not_ask_again: canRefuse,
      })
    expect(page(false).forms).toEqual([
      {
        hidden: {},
        passkey: { does: 'create', options: { challenge: 'AA' } },
        button: 'Make a passkey',
      },
      { hidden: { skip: true }, button: 'Not now' },
    ])
    expect(page(true).forms[1]?.checkbox?.name).toBe('do_not_ask_again')
  })
})

describe('a code', () => {
  const otp = (over: object): object => ({
    type: 'verify_oob_otp_data',
    channel: 'email',
    otp_form: 'code',
    masked_claim_value: 'ma**@example.com',
    can_resend_at: '2026-01-01T00:01:30Z',
    can_check: false,
    failed_attempt_rate_limit_exceeded: false,
    delivery_status: 'sent',
    ...over,
  })

  it('can be sent again, and shows the time to wait', () => {
    const { forms } = pageOf('verify', otp({}))
    expect(forms.map(({ button }) => button)).toEqual([
      'Continue',
      'Send another code (in 2 minutes)',
    ])
    expect(forms[0]?.fields?.[0]).toMatchObject({ name: 'code', autocomplete: 'one-time-code' })
  })

  it.each([
    [
      'was not sent',
      { delivery_status: 'failed' },
      'We could not send a code by email to ma**@example.com.',
    ],
    ['is used up', { failed_attempt_rate_limit_exceeded: true }, 'Too many wrong codes.'],
  ])('that %s can only be asked for again', (_, over, text) => {
    const page = pageOf('verify', otp(over))
    expect(page.text).toBe(text)
    expect(page.forms.map(({ hidden }) => hidden)).toEqual([{ resend: true }])
  })

  it('in a link waits for the link, and continues once it was confirmed', () => {
    const link = { otp_form: 'link', websocket_url: 'wss://a.example/ws?channel=c' }
    expect(pageOf('authenticate', otp(link)).forms[0]).toEqual({
      hidden: { check: true },
      button: 'I have opened the link',
      sentOnEventOf: 'https://a.example/ws?channel=c',
    })
    expect(pageOf('authenticate', otp({ ...link, can_check: true })).forms[0]).toEqual({
      hidden: { check: true },
      button: 'Continue',
    })
  })
})

describe('other steps', () => {
  it('terminate_other_sessions asks for confirmation', () => {
    const { forms } = pageOf('terminate_other_sessions', {})
    expect(forms[0]?.hidden).toEqual({ confirm_terminate_other_sessions: true })
  })

  it.each([
    ['policy', 'The rules for passwords have changed, and yours does not follow them.'],
    ['expiry', 'You have had your password for a long time. It is time for a new one.'],
    ['other', 'It is time for a new one.'],
  ])('change_password says why: %s', (force_change_reason, text) => {
    const data = { type: 'new_password_data', password_policy: {}, force_change_reason }
    expect(pageOf('change_password', data).text).toBe(text)
  })

  it.each([
    ['a new action', 'solve_puzzle', {}],
    ['new data', 'solve_puzzle', { type: 'puzzle_data' }],
  ])('one that is not known is said to be: %s', (_, type, data) => {
    const page = pageOf(type, data)
    expect(page).toMatchObject({ title: 'This cannot be done here', forms: [] })
    expect(page.text).toContain('solve_puzzle')
  })
})
