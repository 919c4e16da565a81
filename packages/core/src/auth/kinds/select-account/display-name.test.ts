import { describe, expect, it } from 'vitest'
import type {
  IdentityRecord,
  LoginIdIdentity,
  OAuthIdentity,
} from '../../accounts/identity-record.ts'
import { configWith } from '../../config/config.fixture.ts'
import { displayNameOf } from './display-name.ts'

const base = { user_id: 'u1', created_at: 0, unique_key: 'k' }

const loginId = (
  login_id_type: LoginIdIdentity['login_id_type'],
  original: string,
  login_id_key: string = login_id_type,
): LoginIdIdentity => ({
  ...base,
  type: 'login_id',
  login_id_type,
  login_id_key,
  original,
  normalized: original.toLowerCase(),
})

const google = (claims: Partial<OAuthIdentity> = {}): OAuthIdentity => ({
  ...base,
  type: 'oauth',
  provider_type: 'google',
  provider_alias: 'work',
  subject: 'sub-1',
  claims: {},
  ...claims,
})

const nameOf = (identities: readonly IdentityRecord[], keys: readonly object[] = []) =>
  displayNameOf(
    identities,
    configWith(keys.length === 0 ? {} : { identity: { login_id: { keys } } }),
  )

describe('the display name', () => {
  it('prefers the address to the number and the number to the user name, as typed', () => {
    const all = [loginId('username', 'Maya'), loginId('phone', '+6591234567')]
    expect(nameOf([...all, loginId('email', 'Maya@Example.com')])).toBe('Maya@Example.com')
    expect(nameOf(all)).toBe('+6591234567')
    expect(nameOf(all.slice(0, 1))).toBe('Maya')
    expect(nameOf([google({ email: 'g@example.com' }), ...all])).toBe('+6591234567')
  })

  it('prefers the login ID of the first key, and takes one without a key last', () => {
    const keys = [
      { type: 'email', key: 'work' },
      { type: 'email', key: 'home' },
    ]
    const identities = [
      loginId('email', 'old@example.com', 'gone'),
      loginId('email', 'home@example.com', 'home'),
      loginId('email', 'work@example.com', 'work'),
    ]
    expect(nameOf(identities, keys)).toBe('work@example.com')
    expect(nameOf(identities.slice(0, 2), keys)).toBe('home@example.com')
    expect(nameOf(identities.slice(0, 1), keys)).toBe('old@example.com')
  })

  it('is that of the provider or custom identity if there is no login ID', () => {
    expect(nameOf([google({ email: 'g@example.com', phone_number: '+6591234567' })])).toBe(
      'google:g@example.com',
    )
    expect(nameOf([google({ preferred_username: 'maya' })])).toBe('google:maya')
    expect(nameOf([google()])).toBe('google:sub-1')
    const badge = { ...base, type: 'custom', identification: 'badge', data: null } as const
    expect(nameOf([{ ...badge, unique_key: 'b-17' }])).toBe('badge:b-17')
  })

  it('is missing for an anonymous user', () => {
    expect(nameOf([{ ...base, type: 'anonymous' }])).toBeUndefined()
    expect(nameOf([])).toBeUndefined()
  })
})
