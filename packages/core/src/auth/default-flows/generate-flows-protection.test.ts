import { describe, expect, it } from 'vitest'
import { configWith } from '../config/config.fixture.ts'
import type { DeclaredFlowType } from '../config/flow-definition.ts'
import { allSteps, branchesOf } from '../config/flows/all-steps.ts'
import { flowTypes } from '../config/flows/flow-grammar.ts'
import { generateFlow } from './generate-flows.ts'

interface Made {
  readonly requirements?: readonly string[]
  readonly verified?: boolean
  readonly enabled?: boolean
}

/** The branches of a generated flow that have bot protection, in order. */
function protectedBranches(
  type: DeclaredFlowType,
  { requirements = [], verified = true, enabled = true }: Made,
): readonly string[] {
  const claim = { enabled: verified, required: verified }
  const config = configWith({
    authentication: {
      identities: ['login_id', 'oauth', 'passkey'],
      primary_authenticators: ['password', 'passkey', 'oob_otp_email', 'oob_otp_sms'],
      secondary_authenticators: ['password', 'totp', 'oob_otp_email', 'oob_otp_sms'],
      secondary_authentication_mode: 'required',
    },
    identity: {
      login_id: { keys: [{ type: 'email' }, { type: 'phone' }, { type: 'username' }] },
      oauth: { providers: [{ alias: 'google', type: 'google', client_id: 'g' }] },
    },
    verification: { claims: { email: claim, phone_number: claim } },
    bot_protection: {
      enabled,
      provider: { type: 'cloudflare' },
      requirements: Object.fromEntries(requirements.map((key) => [key, { mode: 'always' }])),
    },
  })
  const branches = allSteps(generateFlow(config, type).steps).flatMap(branchesOf)
  return branches.flatMap((branch) => {
    const name = 'identification' in branch ? branch.identification : branch.authentication
    if (branch.bot_protection === undefined) return []
    expect(branch.bot_protection).toEqual({ mode: 'always' })
    return [name]
  })
}

const every = ['signup_or_login', 'account_recovery', 'password', 'oob_otp_email', 'oob_otp_sms']
const unique = (names: readonly string[]): readonly string[] => [...new Set(names)]

describe('generated flows with bot protection', () => {
  it('protect nothing if it is off, or if nothing requires it', () => {
    for (const type of flowTypes) {
      expect(protectedBranches(type, { requirements: every, enabled: false })).toEqual([])
      expect(protectedBranches(type, {})).toEqual([])
    }
  })

  it('protect login IDs, but not identifications that prove ownership themselves', () => {
    const requirements = ['signup_or_login']
    for (const type of ['signup', 'promote', 'login', 'signup_login'] as const) {
      expect(protectedBranches(type, { requirements })).toEqual(['email', 'phone', 'username'])
    }
    expect(protectedBranches('reauth', { requirements })).toEqual([])
    expect(protectedBranches('account_recovery', { requirements })).toEqual([])
  })

  it('protect account recovery by its own requirement', () => {
    const requirements = ['account_recovery']
    expect(protectedBranches('account_recovery', { requirements })).toEqual(['email', 'phone'])
    expect(protectedBranches('login', { requirements })).toEqual([])
  })

  it('protect passwords at login, not when they are set', () => {
    const requirements = ['password']
    expect(unique(protectedBranches('login', { requirements }))).toEqual([
      'primary_password',
      'secondary_password',
    ])
    expect(protectedBranches('signup', { requirements })).toEqual([])
  })

  it('protect every branch that sends a code, and login IDs that are sent one at once', () => {
    const email = { requirements: ['oob_otp_email'] }
    const codes = ['primary_oob_otp_email', 'secondary_oob_otp_email']
    expect(unique(protectedBranches('login', email)).toSorted()).toEqual(codes)
    expect(unique(protectedBranches('reauth', email)).toSorted()).toEqual(codes)
    expect(unique(protectedBranches('signup', email)).toSorted()).toEqual(['email', ...codes])
    expect(protectedBranches('signup_login', email)).toEqual(['email'])
    const sms = { requirements: ['oob_otp_sms'] }
    expect(protectedBranches('signup_login', sms)).toEqual(['phone'])
    expect(unique(protectedBranches('promote', sms)).toSorted()).toEqual([
      'phone',
      'primary_oob_otp_sms',
      'secondary_oob_otp_sms',
    ])
  })

  it('do not protect unverified login IDs on account of the code', () => {
    const requirements = ['oob_otp_email', 'oob_otp_sms']
    expect(protectedBranches('signup_login', { requirements, verified: false })).toEqual([])
    expect(protectedBranches('signup', { requirements, verified: false })).not.toContain('email')
    const strictest = { requirements: ['signup_or_login', 'oob_otp_email'], verified: false }
    expect(protectedBranches('signup_login', strictest)).toEqual(['email', 'phone', 'username'])
  })
})
