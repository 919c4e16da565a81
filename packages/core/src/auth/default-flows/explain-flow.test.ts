import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { configWith } from '../config/config.fixture.ts'
import { flowTypes } from '../config/flows/flow-grammar.ts'
import { explainFlow } from './explain-flow.ts'
import { findFlow } from './find-flow.ts'

describe('explainFlow', () => {
  it('writes a flow in the form of a declaration', () => {
    expect(explainFlow(configWith(), 'account_recovery', 'default')).toBe(`account_recovery_flows:
- name: default
  steps:
  - type: identify
    one_of:
    - identification: email
      on_failure: ignore
      steps:
      - type: select_destination
        allowed_channels:
        - channel: email
          otp_form: link
  - type: verify_account_recovery_code
  - type: reset_password
`)
  })

  /** The configuration that each type of flow is generated from. */
  const sections = {
    authentication: {
      identities: ['login_id', 'oauth', 'passkey'],
      primary_authenticators: ['password', 'passkey', 'oob_otp_sms'],
      secondary_authentication_mode: 'required',
      secondary_applies_to: ['oauth', 'select_account'],
    },
    identity: {
      login_id: { keys: [{ type: 'email' }, { type: 'phone' }] },
      oauth: {
        providers: [{ alias: 'google', type: 'google', client_id: 'g' }],
        allowed_redirect_uris: ['https://app.example.com/cb'],
      },
    },
    bot_protection: {
      enabled: true,
      provider: { type: 'cloudflare' },
      requirements: {
        signup_or_login: { mode: 'always' },
        account_recovery: { mode: 'always' },
        oob_otp_sms: { mode: 'always' },
      },
    },
  }

  it.each(flowTypes)('writes the %s flow so that declaring it changes nothing', (type) => {
    const config = configWith(sections)
    const authentication_flow: unknown = parse(explainFlow(config, type, 'default') ?? '')
    const declared = configWith({ ...sections, authentication_flow })
    expect(declared.authentication_flow.flows).toHaveLength(1)
    expect(declared.warnings).toEqual([])
    expect(findFlow(declared, type, 'default')).toEqual(findFlow(config, type, 'default'))
  })

  it('writes bot protection and account linking of branches', () => {
    const branch = {
      identification: 'email',
      bot_protection: { mode: 'never' },
      account_linking: { login_id: [{ name: 'own', action: 'error', login_flow: 'default' }] },
    }
    const steps = [{ type: 'identify', one_of: [branch] }, { type: 'prompt_create_passkey' }]
    const own = { name: 'own', key: 'email', user_profile: { pointer: '/email' } }
    const config = configWith({
      account_linking: { login_id: [own] },
      authentication_flow: { signup_flows: [{ name: 'mine', steps }] },
    })
    expect(explainFlow(config, 'signup', 'mine')).toBe(`signup_flows:
- name: mine
  steps:
  - type: identify
    one_of:
    - identification: email
      bot_protection:
        mode: never
      account_linking:
        login_id:
        - name: own
          action: error
          login_flow: default
  - type: prompt_create_passkey
`)
  })

  it('returns undefined for an unknown flow', () => {
    expect(explainFlow(configWith(), 'login', 'other')).toBeUndefined()
    expect(explainFlow(configWith(), 'reauth', 'again')).toBeUndefined()
  })
})
