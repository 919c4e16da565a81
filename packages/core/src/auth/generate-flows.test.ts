import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { configWith } from './config.fixture.ts'
import { findFlow } from './find-flow.ts'
import type { AuthenticateBranch, FlowType, Step } from './flow-definition.ts'
import { generateFlow } from './generate-flows.ts'

const stepsOf = (type: FlowType, sections: object = {}): readonly Step[] | undefined =>
  generateFlow(configWith(sections), type)?.steps

/** The shape of steps, as `identify(email: verify, …)`. */
function outline(steps: readonly Step[] | undefined = []): string {
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

describe('the flows of a document that says nothing', () => {
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
`

  it.each(['signup', 'login', 'account_recovery', 'signup_login'] as const)(
    'are those of the reference: %s',
    (type) => {
      const written = parse(examples) as Readonly<Record<FlowType, unknown>>
      expect(generateFlow(configWith(), type)).toEqual({
        type,
        name: 'default',
        steps: written[type],
      })
    },
  )

  it('are the same each time', () => {
    expect(stepsOf('login')).toEqual(stepsOf('login'))
  })

  it('are none for the types that need one declared', () => {
    expect(stepsOf('reauth')).toBeUndefined()
    expect(stepsOf('promote')).toBeUndefined()
  })
})

describe('the flows of phones and usernames with a required second factor', () => {
  const sections = {
    authentication: {
      identities: ['login_id', 'oauth'],
      primary_authenticators: ['oob_otp_sms', 'password'],
      secondary_authenticators: ['totp'],
      secondary_authentication_mode: 'required',
    },
    identity: { login_id: { keys: [{ type: 'phone' }, { type: 'username' }] } },
  }

  it('sign up with everything that is needed later', () => {
    expect(outline(stepsOf('signup', sections))).toBe(
      'identify(' +
        'phone: verify, create_authenticator(primary_oob_otp_sms | primary_password), ' +
        'create_authenticator(secondary_totp: view_recovery_code) | ' +
        'username: create_authenticator(primary_password), ' +
        'create_authenticator(secondary_totp: view_recovery_code))',
    )
  })

  it('log in with both factors, whichever comes first', () => {
    const second = 'authenticate(secondary_totp | recovery_code | device_token)'
    expect(outline(stepsOf('login', sections))).toBe(
      'identify(select_account | ' +
        `phone: authenticate(primary_oob_otp_sms: ${second} | primary_password: ${second}, change_password) | ` +
        `username: authenticate(primary_password: ${second}, change_password)), ` +
        'check_account_status, terminate_other_sessions',
    )
  })

  it('send codes to the address that was just given', () => {
    const targets = (type: FlowType): readonly (string | undefined)[] => {
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
      visit(stepsOf(type, sections) ?? [])
      return found
        .filter(({ authentication }) => authentication === 'primary_oob_otp_sms')
        .map(({ target_step }) => target_step)
    }
    expect(targets('signup')).toEqual(['signup_identify'])
    expect(targets('login')).toEqual(['login_identify'])
  })

  it('recover by phone alone, since usernames receive nothing', () => {
    expect(stepsOf('account_recovery', sections)?.[0]).toEqual({
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

  it('sign up and log in by code, with no password to change', () => {
    expect(outline(stepsOf('signup', sections))).toBe(
      'identify(email: verify, create_authenticator(primary_oob_otp_email))',
    )
    expect(outline(stepsOf('login', sections))).toBe(
      'identify(select_account | email: authenticate(primary_oob_otp_email)), check_account_status, terminate_other_sessions',
    )
  })
})

describe('a generated flow', () => {
  it('verifies no address that need not be verified', () => {
    for (const email of [{ enabled: false }, { required: false }]) {
      expect(outline(stepsOf('signup', { verification: { claims: { email } } }))).toBe(
        'identify(email: create_authenticator(primary_password))',
      )
    }
  })

  it('leaves out recovery codes and trusted devices that are disabled', () => {
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

  it('has one branch for a type of login IDs, however many keys it has', () => {
    const keys = [{ type: 'username' }, { type: 'email' }, { type: 'email', key: 'work' }]
    expect(outline(stepsOf('signup_login', { identity: { login_id: { keys } } }))).toBe(
      'identify(select_account | username | email)',
    )
  })

  it('creates nothing that a login ID cannot be shown with', () => {
    const sections = {
      authentication: { primary_authenticators: ['oob_otp_email'] },
      identity: { login_id: { keys: [{ type: 'username' }] } },
    }
    expect(outline(stepsOf('signup', sections))).toBe('identify(username)')
  })

  it('gives way to one that is declared as the default', () => {
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
