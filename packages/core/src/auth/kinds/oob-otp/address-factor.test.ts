import { describe, expect, it } from 'vitest'
import type { Account, Identified } from '../../accounts/account.ts'
import type { AuthenticatorRecord } from '../../accounts/authenticator-record.ts'
import type { LoginIdIdentity } from '../../accounts/identity-record.ts'
import { configWith } from '../../config/config.fixture.ts'
import { blankUser } from '../../flow/account.ts'
import type { Fact } from '../../flow/state.ts'
import type { FlowView } from '../../flow/view.ts'
import { type AddressFactor, decideSetUp, signInTargets } from './address-factor.ts'

const target = 'maya@example.com'
const dates = { user_id: 'maya', created_at: 0, updated_at: 0 }

const codes = (kind: AddressFactor['kind'], to = target): Identified<AuthenticatorRecord> => ({
  ...dates,
  id: `${kind} codes to ${to}`,
  type: 'oob_otp_email',
  kind,
  target: to,
})
const password: Identified<AuthenticatorRecord> = {
  ...dates,
  id: 'password',
  type: 'password',
  kind: 'primary',
  hash: 'h',
  expire_after: null,
}
const address = (email: string): Identified<LoginIdIdentity> => ({
  ...dates,
  id: `id of ${email}`,
  type: 'login_id',
  login_id_type: 'email',
  login_id_key: 'email',
  original: email,
  normalized: email,
  unique_key: email,
  email,
})

/** What an account has, in one word each. */
const has = {
  nothing: {},
  'the address verified': {
    verified_claims: [
      { user_id: 'maya', name: 'email', value: target, channel: 'email', created_at: 0 },
    ],
  },
  'codes to it': { authenticators: [codes('primary'), codes('secondary')] },
  'codes to another': {
    authenticators: [codes('primary', 'm@example.com'), codes('secondary', 'm@example.com')],
  },
  'only it to sign in with': { identities: [address(target)] },
  'it and a password': { identities: [address(target)], authenticators: [password] },
} satisfies Readonly<Record<string, Partial<Account>>>

const accountWith = (parts: Partial<Account>): Account => ({
  user: blankUser('maya', 0),
  identities: [],
  authenticators: [],
  verified_claims: [],
  recovery_codes: 0,
  ...parts,
})

const config = configWith({
  authentication: { primary_authenticators: ['oob_otp_email', 'password'] },
})

/** What the flow has established. */
const flows = {
  nothing: [],
  'a code to it': [{ kind: 'claim_verified', name: 'email', value: target, channel: 'email' }],
  'its word alone': [{ kind: 'claim_verified', name: 'email', value: target, channel: null }],
  'a sign-in by it': [
    {
      kind: 'authentication_used',
      authentication: 'primary_oob_otp_email',
      authenticator_id: null,
      target,
    },
  ],
} satisfies Readonly<Record<string, readonly Fact[]>>

const viewOf = (facts: readonly Fact[]): FlowView => ({ config, state: { facts } }) as FlowView

describe('an address that is set up', () => {
  it.each([
    // kind, the account has, the flow has shown, a proof is wanted, what becomes of it
    ['primary', 'nothing', 'nothing', true, 'to prove'],
    ['primary', 'nothing', 'nothing', false, 'unshown'],
    ['primary', 'nothing', 'a code to it', false, 'proven'],
    ['primary', 'nothing', 'its word alone', false, 'unshown'],
    ['primary', 'the address verified', 'nothing', true, 'unshown'],
    ['primary', 'the address verified', 'a code to it', true, 'proven'],
    ['primary', 'codes to it', 'nothing', true, 'taken'],
    ['primary', 'codes to another', 'nothing', true, 'to prove'],
    ['primary', 'only it to sign in with', 'a sign-in by it', true, 'to prove'],
    ['secondary', 'nothing', 'nothing', true, 'to prove'],
    ['secondary', 'nothing', 'nothing', false, 'unshown'],
    ['secondary', 'nothing', 'a code to it', true, 'to prove'],
    ['secondary', 'nothing', 'a code to it', false, 'proven'],
    ['secondary', 'nothing', 'a sign-in by it', true, 'taken'],
    ['secondary', 'the address verified', 'nothing', true, 'to prove'],
    ['secondary', 'codes to it', 'nothing', true, 'taken'],
    ['secondary', 'codes to another', 'nothing', true, 'to prove'],
    ['secondary', 'only it to sign in with', 'nothing', true, 'taken'],
    ['secondary', 'it and a password', 'nothing', true, 'to prove'],
  ] as const)(
    'as the %s factor: of an account with %s, in a flow with %s, asked %s: %s',
    (...row) => {
      const [kind, having, shown, isAsked, becomes] = row
      const factor = { kind, medium: 'email' } as const
      const account = accountWith(has[having])
      expect(decideSetUp(factor, account, viewOf(flows[shown]), { target, isAsked })).toBe(becomes)
    },
  )
})

describe('an address that gets codes', () => {
  const branch = { authentication: 'primary_oob_otp_email' } as const

  it('as the first factor belongs to an identity, with an authenticator or without', () => {
    const account = accountWith({
      identities: [address(target), address('m@example.com')],
      authenticators: [codes('primary'), codes('primary', 'gone@example.com')],
    })
    expect(
      signInTargets({ kind: 'primary', medium: 'email' }, branch, account, viewOf([])),
    ).toEqual([
      { target, authenticator_id: `primary codes to ${target}` },
      { target: 'm@example.com', authenticator_id: null },
    ])
  })

  it('as the second factor is that of an authenticator', () => {
    const account = accountWith({
      identities: [address('m@example.com')],
      authenticators: [codes('primary'), codes('secondary')],
    })
    expect(
      signInTargets({ kind: 'secondary', medium: 'email' }, branch, account, viewOf([])),
    ).toEqual([{ target, authenticator_id: `secondary codes to ${target}` }])
  })
})
