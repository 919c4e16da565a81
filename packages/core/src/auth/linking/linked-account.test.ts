import { describe, expect, it } from 'vitest'
import type { Account, Identified } from '../accounts/account.ts'
import type { AuthenticatorRecord } from '../accounts/authenticator-record.ts'
import type { IdentityRecord } from '../accounts/identity-record.ts'
import type { EnteredStep } from '../config/flow-definition.ts'
import { blankUser } from '../flow/account.ts'
import type { Fact } from '../flow/state.ts'
import { establishedFor, hasFactor, hasIdentity } from './linked-account.ts'

const identity = (email: string, userId = 'new'): Identified<IdentityRecord> => ({
  id: `id of ${email}`,
  user_id: userId,
  created_at: 0,
  type: 'login_id',
  login_id_type: 'email',
  login_id_key: 'email',
  original: email,
  normalized: email,
  unique_key: email,
  email,
})
const anonymousBadge: Identified<IdentityRecord> = {
  id: 'badge',
  user_id: 'new',
  created_at: 0,
  type: 'custom',
  identification: 'badge',
  unique_key: 'b-17',
  data: null,
}

const dates = { user_id: 'new', created_at: 0, updated_at: 0 }
const password: Identified<AuthenticatorRecord> = {
  ...dates,
  id: 'password',
  type: 'password',
  kind: 'primary',
  hash: 'h',
  expire_after: null,
}
const codesTo = (target: string): Identified<AuthenticatorRecord> => ({
  ...dates,
  id: `codes to ${target}`,
  type: 'oob_otp_email',
  kind: 'primary',
  target,
})
const totp: Identified<AuthenticatorRecord> = {
  ...dates,
  id: 'totp',
  type: 'totp',
  kind: 'secondary',
  sealed_secret: 's',
  display_name: '',
  last_step: null,
}
const pin: Identified<AuthenticatorRecord> = {
  ...dates,
  id: 'pin',
  type: 'custom',
  kind: 'secondary',
  authentication: 'secondary_pin',
  data: null,
}

const account = (parts: Partial<Account> = {}): Account => ({
  user: blankUser('maya', 0),
  identities: [],
  authenticators: [],
  verified_claims: [],
  recovery_codes: 0,
  ...parts,
})

const created = (one: Identified<IdentityRecord>): Fact => ({
  kind: 'identity_created',
  identity: one,
})
const makes = (authenticator: Identified<AuthenticatorRecord>): Fact => ({
  kind: 'authenticator_created',
  authenticator,
})
const proven = (value: string): Fact => ({
  kind: 'claim_verified',
  name: 'email',
  value,
  channel: 'email',
})

describe('the parts of an account', () => {
  it('identities go by the names that flows use', () => {
    const maya = account({ identities: [identity('maya@x.io'), anonymousBadge] })
    expect(hasIdentity(maya, ['email'])).toBe(true)
    expect(hasIdentity(maya, ['phone', 'badge'])).toBe(true)
    expect(hasIdentity(maya, ['phone', 'oauth'])).toBe(false)
  })

  it('authenticators that send codes are compared by address', () => {
    const maya = account({ authenticators: [password, codesTo('maya@x.io'), pin] })
    const has = (authentication: string, targets?: readonly string[]): boolean =>
      hasFactor(maya, targets === undefined ? { authentication } : { authentication, targets })
    expect(has('primary_password')).toBe(true)
    expect(has('secondary_password')).toBe(false)
    expect(has('secondary_pin')).toBe(true)
    expect(has('primary_oob_otp_email')).toBe(true)
    expect(has('primary_oob_otp_email', ['maya@x.io'])).toBe(true)
    expect(has('primary_oob_otp_email', ['other@x.io'])).toBe(false)
    expect(has('primary_password', ['other@x.io'])).toBe(true)
    expect(has('secondary_totp')).toBe(false)
  })
})

describe('the progress of a sign-up whose user exists', () => {
  const entered: readonly EnteredStep[] = [
    { type: 'identify', name: 'first', identity_id: 'id of second@x.io' },
    { type: 'create_authenticator', authenticator_id: 'password' },
  ]
  const facts: readonly Fact[] = [
    { kind: 'user_created', user_id: 'new' },
    created(identity('second@x.io')),
    proven('second@x.io'),
    makes(password),
    makes(codesTo('second@x.io')),
    makes(totp),
    { kind: 'recovery_codes_created', hashes: ['h'] },
    { kind: 'profile_filled', changes: [{ pointer: '/name', value: 'Maya' }] },
  ]

  it('becomes that of the existing user', () => {
    const had = establishedFor(account(), { facts, entered })
    expect(had.entered).toEqual(entered)
    expect(had.facts.map(({ kind }) => kind)).toEqual(facts.slice(1).map(({ kind }) => kind))
    const owners = had.facts.flatMap((fact) => {
      if (fact.kind === 'identity_created') return fact.identity.user_id
      return fact.kind === 'authenticator_created' ? fact.authenticator.user_id : []
    })
    expect(owners).toEqual(['maya', 'maya', 'maya', 'maya'])
  })

  it('drops what the user has already and what depends on it', () => {
    const maya = account({
      identities: [identity('maya@x.io', 'maya')],
      authenticators: [{ ...totp, id: 'other' }],
      recovery_codes: 3,
    })
    const had = establishedFor(maya, { facts, entered })
    expect(
      had.facts.map((fact) =>
        fact.kind === 'authenticator_created' ? fact.authenticator.id : fact.kind,
      ),
    ).toEqual(['password', 'profile_filled'])
    expect(had.entered).toEqual(entered.slice(1))
  })

  it('keeps other kinds, and codes to other addresses', () => {
    const maya = account({
      identities: [anonymousBadge],
      authenticators: [password, codesTo('maya@x.io')],
    })
    const had = establishedFor(maya, { facts, entered })
    expect(
      had.facts.flatMap((fact) =>
        fact.kind === 'authenticator_created' ? fact.authenticator.id : [],
      ),
    ).toEqual(['codes to second@x.io', 'totp'])
    expect(had.facts).toContainEqual(proven('second@x.io'))
  })
})
