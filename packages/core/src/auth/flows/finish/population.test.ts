import { describe, expect, it } from 'vitest'
import type { Json } from '../../../storage/storage.ts'
import type { IdentityRecord } from '../../accounts/identity-record.ts'
import { initialAttributes } from './population.ts'

const base = { user_id: 'u', created_at: 0 }
const loginId: IdentityRecord = {
  ...base,
  type: 'login_id',
  login_id_type: 'email',
  login_id_key: 'email',
  original: 'Maya@x.io',
  normalized: 'maya@x.io',
  unique_key: 'maya@x.io',
  email: 'maya@x.io',
}
const account = (claims: { readonly [name: string]: Json }, email?: string): IdentityRecord => ({
  ...base,
  type: 'oauth',
  provider_type: 'google',
  provider_alias: 'g',
  subject: 's',
  unique_key: 'k',
  claims,
  ...(email === undefined ? {} : { email }),
})

describe('the initial attributes of a user', () => {
  it('are limited to values that a user could have typed', () => {
    const claims = {
      name: 'Maya Sole',
      given_name: '',
      family_name: 5,
      picture: 'https://x.io/1.png',
      website: 'no page',
      birthdate: '1990-02-30',
      zoneinfo: 'Europe/Lisbon',
      locale: 'pt-PT',
      address: { locality: 'Lisbon', planet: 'Earth' },
      'address/region': 'nowhere',
      email: 'Other@x.io',
      email_verified: true,
      phone_number: '+6591234567',
      preferred_username: 'maya',
      sub: 's',
    }
    expect(initialAttributes([account(claims, 'maya@x.io')])).toEqual({
      name: 'Maya Sole',
      picture: 'https://x.io/1.png',
      zoneinfo: 'Europe/Lisbon',
      locale: 'pt-PT',
      address: { locality: 'Lisbon' },
      email: 'maya@x.io',
    })
  })

  it('come from the first identity, then from provider profiles', () => {
    const profile = account({ name: 'Maya' }, 'maya@cloud.example')
    expect(initialAttributes([loginId, profile])).toEqual({ email: 'maya@x.io', name: 'Maya' })
    const { email: _none, ...name } = loginId
    expect(initialAttributes([{ ...name, preferred_username: 'maya' }, profile])).toEqual({
      preferred_username: 'maya',
      name: 'Maya',
      email: 'maya@cloud.example',
    })
  })

  it('take nothing from a second login ID, and are empty without an identity', () => {
    const second: IdentityRecord = { ...loginId, email: 'other@x.io' }
    expect(initialAttributes([loginId, second])).toEqual({ email: 'maya@x.io' })
    expect(initialAttributes([])).toEqual({})
  })
})
