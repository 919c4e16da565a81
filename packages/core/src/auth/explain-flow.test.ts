import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { configWith } from './config.fixture.ts'
import { explainFlow } from './explain-flow.ts'
import { findFlow } from './find-flow.ts'

describe('explainFlow', () => {
  it('writes a flow as it could be declared', () => {
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

  it.each(['signup', 'login', 'signup_login', 'account_recovery'] as const)(
    'writes the %s flow so that declaring it changes nothing',
    (type) => {
      const sections = {
        authentication: { secondary_authentication_mode: 'required' },
        identity: { login_id: { keys: [{ type: 'email' }, { type: 'phone' }] } },
      }
      const config = configWith(sections)
      const authentication_flow: unknown = parse(explainFlow(config, type, 'default') ?? '')
      const declared = configWith({ ...sections, authentication_flow })
      expect(declared.authentication_flow.flows).toHaveLength(1)
      expect(findFlow(declared, type, 'default')).toEqual(findFlow(config, type, 'default'))
    },
  )

  it('has nothing to say of a flow that is not there', () => {
    expect(explainFlow(configWith(), 'login', 'other')).toBeUndefined()
    expect(explainFlow(configWith(), 'reauth', 'default')).toBeUndefined()
  })
})
