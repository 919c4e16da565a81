import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { configWith } from '../config/config.fixture.ts'
import type { AuthenticateBranch, DeclaredFlowType, Step } from '../config/flow-definition.ts'
import { flowTypes } from '../config/flows/flow-grammar.ts'
import { findFlow } from './find-flow.ts'
import { generateFlow } from './generate-flows.ts'

const stepsOf = (type: DeclaredFlowType, sections: object = {}): readonly Step[] =>
  generateFlow(configWith(sections), type).steps

/** A short form of steps, as `identify(email: verify, …)`. */
function outline(steps: readonly Step[]): string {
  return steps.map(outlineStep).join(', ')
}

function outlineStep(step: Step): string {
  if (!('one_of' in step)) return step.type
  const branches = step.one_of.map((branch) => {
    const { steps = [] } = branch
    const name = 'identification' in branch ? branch.identification : branch.authentication
    return steps.length === 0 ? name : `${name}: ${outline(steps)}`
  })
  const isOptional = 'optional' in step && step.optional === true
  return `${step.type}${isOptional ? '?' : ''}(${branches.join(' | ')})`
}

describe('the flows of an empty configuration', () => {
  const examples = `
signup:
  - { name: signup_identify, type: identify, one_of: [
      { identification: email, steps: [
          { type: verify, target_step: signup_identify },
          { name: authenticate_primary_email, type: create_authenticator, one_of: [ { authentication: primary_password } ] } ] } ] }
login:
  - { name: login_identify, type: identify, one_of: [
      { identification: select_account },
      { identification: email, steps: [
          { name: authenticate_primary_email, type: authenticate, one_of: [
              { authentication: primary_password, steps: [
                  { name: authenticate_secondary_email, type: authenticate, optional: true, one_of: [
                      { authentication: secondary_totp }, { authentication: recovery_code }, { authentication: device_token } ] },
                  { type: change_password, target_step: authenticate_primary_email } ] } ] } ] } ] }
  - { type: check_account_status }
  - { type: terminate_other_sessions }
account_recovery:
  - { type: identify, one_of: [ { identification: email, on_failure: ignore, steps: [
        { type: select_destination, allowed_channels: [ { channel: email, otp_form: link } ] } ] } ] }
  - { type: verify_account_recovery_code }
  - { type: reset_password }
signup_login:
  - { name: signup_login_identify, type: identify, one_of: [
      { identification: select_account, login_flow: default },
      { identification: email, signup_flow: default, login_flow: default } ] }
promote:
  - { name: promote_identify, type: identify, one_of: [
      { identification: email, steps: [
          { type: verify, target_step: promote_identify },
          { name: authenticate_primary_email, type: create_authenticator, one_of: [ { authentication: primary_password } ] } ] } ] }
reauth:
  - { type: identify, one_of: [ { identification: id_token } ] }
  - { name: reauthenticate, type: authenticate, one_of: [
      { authentication: primary_password }, { authentication: secondary_totp } ] }
`

  it.each(flowTypes)('match the reference: %s', (type) => {
    const written = parse(examples) as Readonly<Record<DeclaredFlowType, unknown>>
    expect(generateFlow(configWith(), type)).toEqual({
      type,
      name: 'default',
      steps: written[type],
    })
  })

  it('are the same each time', () => {
    expect(stepsOf('login')).toEqual(stepsOf('login'))
  })
})

const providers = [{ alias: 'google', type: 'google', client_id: 'g' }]

describe('the flows with phones, usernames and a required second factor', () => {
  const sections = {
    authentication: {
      identities: ['login_id', 'oauth'],
      primary_authenticators: ['oob_otp_sms', 'password'],
      secondary_authenticators: ['totp'],
      secondary_authentication_mode: 'required',
    },
    identity: {
      login_id: { keys: [{ type: 'phone' }, { type: 'username' }] },
      oauth: { providers },
    },
  }

  const examples = `
signup:
  - name: signup_identify
    type: identify
    one_of:
      - identification: phone
        steps:
          - { type: verify, target_step: signup_identify }
          - name: authenticate_primary_phone
            type: create_authenticator
            one_of:
              - { authentication: primary_oob_otp_sms, target_step: signup_identify }
              - { authentication: primary_password }
          - name: authenticate_secondary_phone
            type: create_authenticator
            one_of: [ { authentication: secondary_totp, steps: [ { type: view_recovery_code } ] } ]
      - identification: username
        steps:
          - { name: authenticate_primary_username, type: create_authenticator, one_of: [ { authentication: primary_password } ] }
          - name: authenticate_secondary_username
            type: create_authenticator
            one_of: [ { authentication: secondary_totp, steps: [ { type: view_recovery_code } ] } ]
      - identification: oauth
login:
  - name: login_identify
    type: identify
    one_of:
      - identification: select_account
      - identification: phone
        steps:
          - name: authenticate_primary_phone
            type: authenticate
            one_of:
              - authentication: primary_oob_otp_sms
                target_step: login_identify
                steps:
                  - &second
                    name: authenticate_secondary_phone
                    type: authenticate
                    one_of: [ { authentication: secondary_totp }, { authentication: recovery_code }, { authentication: device_token } ]
              - authentication: primary_password
                steps:
                  - *second
                  - { type: change_password, target_step: authenticate_primary_phone }
      - identification: username
        steps:
          - name: authenticate_primary_username
            type: authenticate
            one_of:
              - authentication: primary_password
                steps:
                  - name: authenticate_secondary_username
                    type: authenticate
                    one_of: [ { authentication: secondary_totp }, { authentication: recovery_code }, { authentication: device_token } ]
                  - { type: change_password, target_step: authenticate_primary_username }
      - identification: oauth
  - { type: check_account_status }
  - { type: terminate_other_sessions }
`

  it.each(['signup', 'login'] as const)('match the reference: %s', (type) => {
    const written = parse(examples) as Readonly<Record<string, unknown>>
    expect(stepsOf(type, sections)).toEqual(written[type])
  })

  it('send codes to the address that was just entered', () => {
    const targets = (type: DeclaredFlowType): readonly (string | undefined)[] => {
      const found: AuthenticateBranch[] = []
      const visit = (steps: readonly Step[]): void => {
        for (const step of steps) {
          if (!('one_of' in step)) continue
          for (const branch of step.one_of) {
            if ('authentication' in branch) found.push(branch)
            visit(branch.steps ?? [])
          }
        }
      }
      visit(stepsOf(type, sections))
      return found
        .filter(({ authentication }) => authentication === 'primary_oob_otp_sms')
        .map(({ target_step }) => target_step)
    }
    expect(targets('signup')).toEqual(['signup_identify'])
    expect(targets('login')).toEqual(['login_identify'])
  })

  it('recover by phone only, because a username receives no messages', () => {
    expect(stepsOf('account_recovery', sections)[0]).toEqual({
      type: 'identify',
      one_of: [
        {
          identification: 'phone',
          on_failure: 'ignore',
          steps: [
            {
              type: 'select_destination',
              allowed_channels: [{ channel: 'sms', otp_form: 'code' }],
            },
          ],
        },
      ],
    })
  })
})

describe('the flows without passwords', () => {
  const sections = {
    authentication: {
      primary_authenticators: ['oob_otp_email'],
      secondary_authentication_mode: 'disabled',
    },
  }

  it('sign up and log in by code, and have no password to change', () => {
    expect(outline(stepsOf('signup', sections))).toBe(
      'identify(email: verify, create_authenticator(primary_oob_otp_email))',
    )
    expect(outline(stepsOf('login', sections))).toBe(
      'identify(select_account | email: authenticate(primary_oob_otp_email)), check_account_status, terminate_other_sessions',
    )
  })
})

describe('the flows with passkeys', () => {
  const sections = {
    authentication: {
      identities: ['passkey', 'login_id', 'oauth'],
      primary_authenticators: ['passkey', 'password', 'oob_otp_email'],
    },
    identity: {
      login_id: { keys: [{ type: 'email' }, { type: 'username' }] },
      oauth: { providers },
    },
  }

  it('offer one at the end of a sign-up, but do not sign up by one', () => {
    for (const type of ['signup', 'promote'] as const) {
      expect(outline(stepsOf(type, sections))).toBe(
        'identify(email: verify, create_authenticator(primary_password | primary_oob_otp_email) | ' +
          'username: create_authenticator(primary_password) | oauth), prompt_create_passkey',
      )
    }
  })

  it('sign in by a passkey alone, or beside a login ID without a second factor', () => {
    const second = 'authenticate?(secondary_totp | recovery_code | device_token)'
    const password = `primary_password: ${second}, change_password`
    expect(outline(stepsOf('login', sections))).toBe(
      'identify(select_account | passkey | ' +
        `email: authenticate(primary_passkey | ${password} | primary_oob_otp_email: ${second}) | ` +
        `username: authenticate(primary_passkey | ${password}) | oauth), ` +
        'check_account_status, terminate_other_sessions, prompt_create_passkey',
    )
  })

  it('become a login when a passkey is used', () => {
    const both = { signup_flow: 'default', login_flow: 'default' }
    expect(stepsOf('signup_login', sections)).toEqual([
      {
        name: 'signup_login_identify',
        type: 'identify',
        one_of: [
          { identification: 'select_account', login_flow: 'default' },
          { identification: 'passkey', login_flow: 'default' },
          { identification: 'email', ...both },
          { identification: 'username', ...both },
          { identification: 'oauth', ...both },
        ],
      },
    ])
  })

  it('reauthenticate with every available authenticator', () => {
    const first = 'primary_passkey | primary_password | primary_oob_otp_email'
    expect(outline(stepsOf('reauth', sections))).toBe(
      `identify(id_token), authenticate(${first} | secondary_totp)`,
    )
    const disabled = { ...sections.authentication, secondary_authentication_mode: 'disabled' }
    expect(outline(stepsOf('reauth', { ...sections, authentication: disabled }))).toBe(
      `identify(id_token), authenticate(${first})`,
    )
  })
})

describe('the flows with identity providers', () => {
  it('have one branch for all providers, at the position of oauth among the identities', () => {
    const two = [
      ...providers,
      { alias: 'hub', type: 'github', client_id: 'h', create_disabled: true },
    ]
    const of = (identities: readonly string[]): object => ({
      authentication: { identities, secondary_authentication_mode: 'required' },
      identity: { oauth: { providers: two } },
    })
    const login = of(['oauth', 'login_id'])
    const rest = 'check_account_status, terminate_other_sessions'
    expect(outline(stepsOf('login', of(['oauth'])))).toBe(
      `identify(select_account | oauth), ${rest}`,
    )
    expect(outline(stepsOf('signup', of(['oauth'])))).toBe('identify(oauth)')
    expect(outline(stepsOf('signup_login', login))).toBe('identify(select_account | oauth | email)')
    expect(outline(stepsOf('login', of(['login_id'])))).not.toContain('oauth')
    expect(
      outline(stepsOf('signup', { authentication: { identities: ['oauth', 'login_id'] } })),
    ).not.toContain('oauth')
  })
})

describe('a generated flow', () => {
  it('verifies only addresses that need it', () => {
    for (const email of [{ enabled: false }, { required: false }]) {
      expect(outline(stepsOf('signup', { verification: { claims: { email } } }))).toBe(
        'identify(email: create_authenticator(primary_password))',
      )
    }
  })

  it('omits recovery codes and trusted devices that are disabled', () => {
    const authentication = {
      secondary_authentication_mode: 'required',
      recovery_code: { disabled: true },
      device_token: { disabled: true },
    }
    expect(outline(stepsOf('signup', { authentication }))).toContain(
      'create_authenticator(secondary_totp))',
    )
    expect(outline(stepsOf('login', { authentication }))).toContain('authenticate(secondary_totp),')
  })

  it('has one branch per type of login ID, however many keys it has', () => {
    const keys = [{ type: 'username' }, { type: 'email' }, { type: 'email', key: 'work' }]
    expect(outline(stepsOf('signup_login', { identity: { login_id: { keys } } }))).toBe(
      'identify(select_account | username | email)',
    )
  })

  it('creates no authenticator that its login ID cannot use', () => {
    const sections = {
      authentication: { primary_authenticators: ['oob_otp_email'] },
      identity: { login_id: { keys: [{ type: 'username' }] } },
    }
    expect(outline(stepsOf('signup', sections))).toBe('identify(username)')
  })

  it('has no empty list of steps', () => {
    const login = stepsOf('login', {
      authentication: {
        primary_authenticators: ['oob_otp_email'],
        secondary_authentication_mode: 'disabled',
      },
    })
    expect(login[0]).toEqual({
      name: 'login_identify',
      type: 'identify',
      one_of: [
        { identification: 'select_account' },
        {
          identification: 'email',
          steps: [
            {
              name: 'authenticate_primary_email',
              type: 'authenticate',
              one_of: [{ authentication: 'primary_oob_otp_email', target_step: 'login_identify' }],
            },
          ],
        },
      ],
    })
  })

  it('is replaced by a declared default', () => {
    const steps = [{ type: 'identify', one_of: [{ identification: 'phone' }] }]
    const config = configWith({
      authentication_flow: { signup_flows: [{ name: 'default', steps }] },
    })
    expect(findFlow(config, 'signup', 'default')).toEqual({
      type: 'signup',
      name: 'default',
      steps,
    })
    expect(findFlow(config, 'login', 'default')).toEqual(generateFlow(config, 'login'))
  })
})
