import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { configWith } from '../config/config.fixture.ts'
import type { DeclaredFlowType, Step } from '../config/flow-definition.ts'
import { generateFlow } from './generate-flows.ts'

const provingThemselves = ['oauth', 'passkey', 'select_account']

interface Made {
  readonly identities: readonly string[]
  readonly keys: readonly string[]
  readonly primary: readonly string[]
  readonly secondary: readonly string[]
  readonly hasRecoveryCodes: boolean
  readonly hasDeviceTokens: boolean
  readonly isVerified: boolean
}

const made: fc.Arbitrary<Made> = fc.record({
  identities: fc.shuffledSubarray(['oauth', 'passkey', 'anonymous']),
  keys: fc.shuffledSubarray(['email', 'phone', 'username']),
  primary: fc.shuffledSubarray(['password', 'oob_otp_email', 'oob_otp_sms']),
  secondary: fc.shuffledSubarray(['password', 'totp', 'oob_otp_email', 'oob_otp_sms'], {
    minLength: 1,
  }),
  hasRecoveryCodes: fc.boolean(),
  hasDeviceTokens: fc.boolean(),
  isVerified: fc.boolean(),
})

function sectionsOf(
  one: Made,
  secondary_authentication_mode: string,
  applied: readonly string[],
): object {
  const hasPasskey = one.identities.includes('passkey')
  return {
    authentication: {
      identities: ['login_id', ...one.identities],
      primary_authenticators: hasPasskey ? [...one.primary, 'passkey'] : one.primary,
      secondary_authenticators: one.secondary,
      secondary_authentication_mode,
      secondary_applies_to: applied,
      recovery_code: { disabled: !one.hasRecoveryCodes },
      device_token: { disabled: !one.hasDeviceTokens },
    },
    identity: {
      login_id: { keys: one.keys.map((type) => ({ type })) },
      oauth: { providers: [{ alias: 'google', type: 'google', client_id: 'g' }] },
    },
    verification: { claims: { email: { required: one.isVerified } } },
  }
}

/** Every path through steps, as the choices made. Optional steps may be skipped. */
function waysThrough(steps: readonly Step[]): readonly (readonly string[])[] {
  const [step, ...rest] = steps
  if (step === undefined) return [[]]
  if (!('one_of' in step)) return waysThrough(rest)
  const chosen = step.one_of.flatMap((branch) => {
    const name = 'identification' in branch ? branch.identification : branch.authentication
    return waysThrough([...(branch.steps ?? []), ...rest]).map((way) => [name, ...way])
  })
  const isOptional = step.type === 'authenticate' && step.optional === true
  return isOptional ? [...chosen, ...waysThrough(rest)] : chosen
}

const ways = (type: DeclaredFlowType, sections: object): readonly (readonly string[])[] =>
  waysThrough(generateFlow(configWith(sections), type).steps)

const isSecond = (name: string): boolean => /^(secondary_|recovery_code$|device_token$)/.test(name)

describe('where a second factor is required, for any identification', () => {
  it('every path through a generated login uses one', () => {
    fc.assert(
      fc.property(made, (one) => {
        const all = ways('login', sectionsOf(one, 'required', provingThemselves))
        expect(all.filter((way) => !way.some(isSecond))).toEqual([])
        expect(all.length).toBeGreaterThan(0)
      }),
    )
  })

  it('every path through a generated sign-up creates one, so that the next login has one', () => {
    fc.assert(
      fc.property(made, fc.constantFrom<DeclaredFlowType>('signup', 'promote'), (one, type) => {
        const all = ways(type, sectionsOf(one, 'required', provingThemselves))
        expect(all.filter((way) => !way.some(isSecond))).toEqual([])
      }),
    )
  })
})

describe('secondary_applies_to', () => {
  const one: Made = {
    identities: ['oauth', 'passkey'],
    keys: ['email'],
    primary: ['password'],
    secondary: ['totp', 'oob_otp_sms'],
    hasRecoveryCodes: true,
    hasDeviceTokens: true,
    isVerified: true,
  }
  const stepsBehind = (name: string, mode: string, applied: readonly string[]): unknown => {
    const [step] = generateFlow(configWith(sectionsOf(one, mode, applied)), 'login').steps
    if (step?.type !== 'identify') return undefined
    return step.one_of.find(({ identification }) => identification === name)
  }

  it.each(provingThemselves)('adds the second factor of login IDs after %s', (name) => {
    const second = {
      name: `authenticate_secondary_${name}`,
      type: 'authenticate',
      one_of: [
        { authentication: 'secondary_totp' },
        { authentication: 'secondary_oob_otp_sms' },
        { authentication: 'recovery_code' },
        { authentication: 'device_token' },
      ],
    }
    const alone = { identification: name }
    expect(stepsBehind(name, 'required', [name])).toEqual({ ...alone, steps: [second] })
    expect(stepsBehind(name, 'if_exists', [name])).toEqual({
      ...alone,
      steps: [{ ...second, optional: true }],
    })
    expect(stepsBehind(name, 'disabled', [name])).toEqual(alone)
    const others = provingThemselves.filter((other) => other !== name)
    expect(stepsBehind(name, 'required', others)).toEqual(alone)
  })

  it('adds none to a passkey beside a login ID, unless it lists passkeys', () => {
    const passkeyWays = (applied: readonly string[]): readonly (readonly string[])[] =>
      ways('login', sectionsOf(one, 'required', applied)).filter((way) =>
        way.includes('primary_passkey'),
      )
    expect(passkeyWays(['oauth'])).toEqual([['email', 'primary_passkey']])
    expect(passkeyWays(['passkey']).map((way) => way.at(-1))).toEqual([
      'secondary_totp',
      'secondary_oob_otp_sms',
      'recovery_code',
      'device_token',
    ])
  })

  it('makes sign-ups by a provider create one only if every login will ask for it', () => {
    const oauthWays = (mode: string, applied: readonly string[]): readonly (readonly string[])[] =>
      ways('signup', sectionsOf(one, mode, applied)).filter(([name]) => name === 'oauth')
    expect(oauthWays('required', [])).toEqual([['oauth']])
    expect(oauthWays('if_exists', ['oauth'])).toEqual([['oauth']])
    expect(oauthWays('required', ['oauth'])).toEqual([
      ['oauth', 'secondary_totp'],
      ['oauth', 'secondary_oob_otp_sms'],
    ])
  })
})
