import { describe, expect, it } from 'vitest'
import { standardClaims } from './standard-claims.ts'

describe('standard claims', () => {
  it('are those with names in OpenID Connect, and no others', () => {
    const claims = {
      email: 'maya@harborlight.example',
      email_verified: true,
      phone_number: '+4420123456',
      phone_number_verified: false,
      name: 'Maya Quill',
      given_name: 'Maya',
      middle_name: 'J',
      family_name: 'Quill',
      nickname: 'may',
      preferred_username: 'mquill',
      profile: 'https://people.example/maya',
      picture: 'https://pictures.example/maya.png',
      website: 'http://maya.example/',
      gender: 'female',
      birthdate: '1990-01-02',
      zoneinfo: 'Europe/London',
      locale: 'en-GB',
      address: { formatted: '1 Quay\nPort', country: 'UK' },
    }
    const said = { ...claims, sub: '1', groups: ['admins'], updated_at: 5, roles: { a: 1 } }
    expect(standardClaims(said)).toEqual(claims)
  })

  it.each([
    ['a number', 5],
    ['null', null],
    ['a list', ['maya@harborlight.example']],
    ['an object', { toString: 'x' }],
    ['empty', ''],
    ['blank', '  '],
    ['several lines long', 'Maya\nBcc: all@harborlight.example'],
    ['with a NUL', 'Maya\u0000'],
    ['malformed Unicode', 'Maya\ud83d'],
    ['very long', 'x'.repeat(1_001)],
  ])('have no text that is %s', (_, value) => {
    expect(standardClaims({ name: value, given_name: 'Maya' })).toEqual({ given_name: 'Maya' })
  })

  it('are trimmed', () => {
    expect(standardClaims({ name: ' Maya ' })).toEqual({ name: 'Maya' })
  })

  it.each([
    'javascript:alert(1)',
    'data:image/png;base64,AA',
    '/maya.png',
    5,
    `https://x.example/${'x'.repeat(2_000)}`,
  ])('have no link like %s', (picture) => {
    expect(standardClaims({ picture })).toEqual({})
  })

  it.each([
    [true, true],
    [false, false],
    ['true', true],
    ['false', false],
  ])('accept %j as a boolean', (email_verified, expected) => {
    expect(standardClaims({ email: 'a@b.example', email_verified })).toEqual({
      email: 'a@b.example',
      email_verified: expected,
    })
  })

  it.each([1, 'yes', 'TRUE', null, {}])('do not accept %j as true', (email_verified) => {
    expect(standardClaims({ email: 'a@b.example', email_verified })).toEqual({
      email: 'a@b.example',
    })
  })

  it('have no verification of a missing address', () => {
    expect(standardClaims({ email_verified: true, phone_number_verified: true })).toEqual({})
  })

  it('have the parts of a postal address', () => {
    const address = { locality: 'Port', geo: { lat: 5 }, country: 7, region: '' }
    expect(standardClaims({ address })).toEqual({ address: { locality: 'Port' } })
    expect(standardClaims({ address: { geo: 1 } })).toEqual({})
    expect(standardClaims({ address: 'Port' })).toEqual({})
  })

  it('are not read from a prototype', () => {
    expect(standardClaims(JSON.parse('{"__proto__": {"name": "Maya"}}'))).toEqual({})
  })
})
