import { createAuth, createFlow, getUser } from '@gatehouse/core'
import {
  combineHashers,
  createBcryptVerifier,
  createScryptHasher,
  findUsers,
} from '@gatehouse/core/auth'
import { createMemoryStorage } from '@gatehouse/store-memory'
import { describe, expect, it } from 'vitest'
import { userOfAuthgear } from './authgear.ts'
import { storeUsers } from './import-users.ts'

// In the form that Authgear documents for its User Export API.
const exported = {
  sub: '7f3d2a1c-0b9e-4f57-9d0e-2f6a3c1b8e55',
  preferred_username: 'louischan',
  email: 'louischan@x.example',
  phone_number: '+85298765432',
  email_verified: true,
  phone_number_verified: false,
  name: 'Louis Chan',
  family_name: 'Chan',
  middle_name: '',
  address: { locality: 'Hong Kong' },
  custom_attributes: { member_id: '123456789' },
  roles: ['role_a'],
  groups: [],
  disabled: false,
  identities: [
    {
      type: 'login_id',
      login_id: {
        key: 'username',
        type: 'username',
        value: 'louischan',
        original_value: 'LOUISCHAN',
      },
      claims: { preferred_username: 'louischan' },
    },
    { type: 'login_id', login_id: { key: 'email', type: 'email', value: 'louischan@x.example' } },
    { type: 'login_id', login_id: { key: 'email', type: 'email', value: 'second@x.example' } },
    { type: 'login_id', login_id: { key: 'phone', type: 'phone', value: '+85298765432' } },
    {
      type: 'oauth',
      oauth: { provider_alias: 'google', provider_type: 'google', provider_subject_id: 'blahblah' },
      claims: { email: 'louischan@x.example' },
    },
    { type: 'ldap', ldap: { server_name: 'a' } },
  ],
  mfa: {
    emails: ['safe@x.example', 'safer@x.example'],
    phone_numbers: [],
    totps: [{ secret: 'K5QW4ZLOM5SWK3TF', uri: 'otpauth://totp/x' }],
  },
  biometric_count: 0,
  passkey_count: 1,
}
// Made by crypt(3) of libxcrypt from "correct horse".
const bcrypt = '$2b$05$abcdefghijklmnopqrstuuHNbAKRhpaujgo33bRWs.NLUTJO3lOy2'

function newAuth() {
  const none = () => Promise.reject(new Error('no provider is asked'))
  return createAuth({
    storage: createMemoryStorage(),
    secrets: [{ id: 'k', key: new Uint8Array(32) }],
    hasher: combineHashers(createScryptHasher({ N: 16 }), [createBcryptVerifier()]),
    oauth: { status: () => 'active', authorizationUrl: none, redeem: none },
    config: {
      id: 'app',
      http: { public_origin: 'https://new.example.com' },
      identity: {
        login_id: { keys: [{ type: 'email' }, { type: 'username' }, { type: 'phone' }] },
        oauth: { providers: [{ type: 'google', alias: 'google', client_id: 'web' }] },
      },
      authentication: {
        identities: ['login_id', 'oauth'],
        secondary_authentication_mode: 'disabled',
      },
    },
  })
}

const passwords = new Map([[exported.sub, { user_id: exported.sub, password_hash: bcrypt }]])

describe('a user in an export of Authgear', () => {
  it('keeps id, identities, attributes and second factors, and the password of a separate file', async () => {
    const auth = newAuth()
    const one = userOfAuthgear(exported, { aliasOf: (name) => name, passwords })
    expect(one.notes).toEqual([
      'an identity of the type ldap is left out',
      'the export has no passkeys',
    ])
    expect(await storeUsers(auth, [{ ...one, notes: [] }])).toMatchObject({ stored: 1, failed: 0 })
    const user = await getUser(auth, exported.sub)
    expect(user).toMatchObject({
      standard_attributes: {
        name: 'Louis Chan',
        address: { locality: 'Hong Kong' },
        email: 'louischan@x.example',
      },
      custom_attributes: { member_id: '123456789' },
      verified_claims: [{ name: 'email', value: 'louischan@x.example' }],
    })
    expect(user.standard_attributes).not.toHaveProperty('middle_name')
    expect(user.identities).toHaveLength(5)
    const types = user.authenticators.map(({ type }) => type).sort()
    expect(types).toEqual(['oob_otp_email', 'oob_otp_email', 'password', 'totp'])
    expect(await findUsers(auth, { login_id: 'second@x.example' })).toHaveLength(1)
    const login = await createFlow(auth, {
      type: 'login',
      name: 'default',
      batch_input: [
        { identification: 'username', login_id: 'LouisChan' },
        { authentication: 'primary_password', password: 'correct horse' },
      ],
    })
    expect(login).toMatchObject({ ok: true, result: { action: { type: 'finished' } } })
  })

  it('with a provider account only has no login ID of its address', () => {
    const [, , , , oauth] = exported.identities
    const record = { sub: 'a', email: 'a@x.example', identities: [oauth] }
    const { user } = userOfAuthgear(record, { aliasOf: (name) => `our-${name}`, passwords })
    expect(user).not.toHaveProperty('email')
    expect(user.identities).toEqual([
      {
        type: 'oauth',
        alias: 'our-google',
        subject: 'blahblah',
        claims: { email: 'louischan@x.example' },
      },
    ])
  })
})
