import { describe, expect, it } from 'vitest'
import { userCollection } from '../accounts/user-record.ts'
import { createFlow } from '../flows/create-flow.ts'
import { createBcryptVerifier } from '../kinds/password/bcrypt-hash.ts'
import { combineHashers } from '../kinds/password/password-hasher.ts'
import { createScryptHasher } from '../kinds/password/scrypt-hasher.ts'
import { errorOf, startFlow, stateOf, type TestAuth, testAuth } from '../service.fixture.ts'
import { createUser } from './create-user.ts'
import { getUser } from './get-user.ts'
import { importUsers } from './import-users.ts'
import type { ImportedUser } from './imported-user.ts'
import { listAuthenticators } from './list-authenticators.ts'

const email = 'maya@harborlight.example'
const password = 'correct horse'
const totpSecret = 'K5QW4ZLOM5SWK3TF'
// Made by crypt(3) of libxcrypt.
const bcrypt = '$2b$05$abcdefghijklmnopqrstuuHNbAKRhpaujgo33bRWs.NLUTJO3lOy2'

/** The outcomes of an import of arbitrary records. */
async function outcomesOf({ auth }: TestAuth, records: readonly unknown[]) {
  const outcomes = await importUsers(auth, records as readonly ImportedUser[])
  return outcomes.map((one) =>
    one.outcome === 'inserted' ? 'inserted' : { reason: one.error.reason, ...one.error.info },
  )
}

const login = ({ auth }: TestAuth, text: string) =>
  createFlow(auth, {
    type: 'login',
    name: 'default',
    batch_input: [
      { identification: 'email', login_id: email },
      { authentication: 'primary_password', password: text },
    ],
  })

const countOf = async ({ storage }: TestAuth): Promise<number> =>
  (await storage.find(userCollection, { by: 'id', limit: 100 })).length

describe('an imported user', () => {
  it('signs in with the old password, which is then rehashed', async () => {
    const hasher = combineHashers(createScryptHasher({ N: 16, r: 1, p: 1 }), [
      createBcryptVerifier(),
    ])
    const world = testAuth({}, { hasher })
    const record = { email, password: { type: 'bcrypt', password_hash: bcrypt } }
    expect(await outcomesOf(world, [record])).toEqual(['inserted'])
    expect(errorOf(await login(world, 'wrong horse')).reason).toBe('InvalidCredentials')
    expect(stateOf(await login(world, password)).action.type).toBe('finished')
    expect(stateOf(await login(world, password)).action.type).toBe('finished')
    const [stored] = await world.storage.find(
      { name: 'auth_authenticators', fields: { user_id: 'text' }, feed: false },
      { by: 'id', limit: 2 },
    )
    expect(stored?.value).toMatchObject({ hash: expect.stringMatching(/^\$scrypt\$/) })
  })

  it('keeps the imported data', async () => {
    const world = testAuth()
    const [made] = await importUsers(world.auth, [
      {
        email,
        email_verified: true,
        phone_number: '+6591234567',
        disabled: true,
        account_valid_until: world.clock.now() + 1_000,
        standard_attributes: { given_name: 'Maya' },
        custom_attributes: { x_size: 'S' },
        mfa: { email: 'Maya.Safe@Harborlight.example', totp: { secret: 'K5QW4ZLOM5SWK3TF' } },
      },
    ])
    expect(
      await getUser(world.auth, made?.outcome === 'inserted' ? made.user_id : ''),
    ).toMatchObject({
      is_disabled: true,
      account_valid_until: world.clock.now() + 1_000,
      standard_attributes: { email, phone_number: '+6591234567', given_name: 'Maya' },
      custom_attributes: { x_size: 'S' },
      verified_claims: [{ name: 'email', value: email }],
      authenticators: expect.arrayContaining([
        expect.objectContaining({ type: 'totp', kind: 'secondary' }),
        expect.objectContaining({ type: 'oob_otp_email', kind: 'secondary' }),
      ]),
    })
  })

  it('has no members that would be lost', async () => {
    const world = testAuth()
    const unknown = (location: string) => ({
      reason: 'ValidationFailed',
      causes: [{ location, kind: 'general', details: { msg: 'no user has this member' } }],
    })
    const outcomes = await outcomesOf(world, [
      { email, name: 'Maya' },
      { email, mfa: { phone: '+6591234567' } },
      { email, 'a/b~c': 1 },
      { email, identities: [], passkeys: [], standard_attributes: { anything: 1 } },
    ])
    expect(outcomes).toEqual([
      unknown('/name'),
      unknown('/mfa/phone'),
      unknown('/a~1b~0c'),
      'inserted',
    ])
  })

  it('gets a code at the imported second address, in any spelling', async () => {
    const world = testAuth({
      authentication: { secondary_authenticators: ['oob_otp_email'] },
    })
    const safe = 'maya.safe@harborlight.example'
    const hash = await world.auth.hasher.hash(password)
    const records = [
      {
        email,
        password: { type: 'scrypt', password_hash: hash },
        mfa: { email: ' Maya.Safe@Harborlight.example' },
      },
    ]
    expect(await outcomesOf(world, records)).toEqual(['inserted'])
    const flow = await startFlow(world, 'login')
    await flow.input({ identification: 'email', login_id: email })
    await flow.input({ authentication: 'primary_password', password })
    await flow.input({ authentication: 'secondary_oob_otp_email', target: safe })
    const done = await flow.input({ code: world.codeTo(safe) })
    expect(stateOf(done).action.type).toBe('finished')
  })
})

describe('a user from another system', () => {
  const google = { type: 'google', alias: 'google', client_id: 'web' } as const
  const oauth = {
    status: () => 'active' as const,
    authorizationUrl: () => Promise.reject(new Error('no provider is asked')),
    redeem: () => Promise.reject(new Error('no provider is asked')),
  }
  const withGoogle = () =>
    testAuth(
      {
        identity: { oauth: { providers: [google] } },
        authentication: { identities: ['login_id', 'oauth'] },
      },
      { oauth },
    )

  it('may have a provider account only, and keeps id and age', async () => {
    const { auth, clock } = withGoogle()
    const claims = { email: 'maya@gmail.example', email_verified: true, name: 'Maya' }
    const account = { type: 'oauth', alias: 'google', subject: 'g1', claims } as const
    const created_at = clock.now() - 1_000
    const user = { id: 'aB3-xyz_9', created_at, last_login_at: '2026-01-02T00:00:00Z' }
    expect(await createUser(auth, { ...user, identities: [account] })).toBe('aB3-xyz_9')
    expect(await getUser(auth, 'aB3-xyz_9')).toMatchObject({
      created_at,
      last_login_at: Date.UTC(2026, 0, 2),
      standard_attributes: { email: 'maya@gmail.example', name: 'Maya' },
      identities: [{ type: 'oauth', subject: 'g1', created_at }],
      verified_claims: [{ name: 'email', value: 'maya@gmail.example' }],
    })
    const again = createUser(auth, { ...user, identities: [{ ...account, subject: 'g2' }] })
    await expect(again).rejects.toMatchObject({ info: { cause: { kind: 'DuplicatedUser' } } })
    const other = createUser(auth, { identities: [account] })
    await expect(other).rejects.toMatchObject({ info: { cause: { kind: 'DuplicatedIdentity' } } })
  })

  it('brings further addresses, passkeys, a TOTP secret and recovery codes', async () => {
    const world = withGoogle()
    const passkey = {
      credential_id: 'Y3JlZA',
      public_key: 'a2V5',
      sign_count: 3,
      transports: ['internal'],
      aaguid: '00000000-0000-0000-0000-000000000000',
      is_backed_up: true,
    }
    const record: ImportedUser = {
      email,
      email_verified: true,
      identities: [
        { type: 'email', value: 'second@harborlight.example', verified: true },
        { type: 'oauth', alias: 'google', subject: 'g1', claims: { email, email_verified: true } },
      ],
      passkeys: [{ ...passkey, display_name: 'Phone' }],
      mfa: {
        totp: { secret: totpSecret, display_name: 'App' },
        recovery_codes: ['aB3dE-fGh1J', 'uu11oo22kk'],
      },
    }
    const [made] = await importUsers(world.auth, [record])
    const id = made?.outcome === 'inserted' ? made.user_id : ''
    const { identities, recovery_codes } = await getUser(world.auth, id)
    expect(identities.map(({ type }) => type).sort()).toEqual(['login_id', 'login_id', 'oauth'])
    expect(recovery_codes).toBe(2)
    const listed = await listAuthenticators(world.auth, id)
    const names = listed.map(({ type, display_name }) => `${type} ${display_name}`)
    expect(names.sort()).toEqual(['passkey Phone', 'totp App'])
    const taken = await outcomesOf(world, [{ email: 'lena@x.example', passkeys: [passkey] }])
    expect(taken).toMatchObject([{ cause: { kind: 'DuplicatedAuthenticator' } }])
  })

  it('recovers with an imported code', async () => {
    const world = testAuth({ authentication: { secondary_authentication_mode: 'required' } })
    const [hash, mfa] = [
      await world.auth.hasher.hash(password),
      { totp: { secret: totpSecret }, recovery_codes: ['aB3dE-fUh1J'] },
    ]
    await createUser(world.auth, { email, password: { type: 'scrypt', password_hash: hash }, mfa })
    const flow = await startFlow(world, 'login')
    await flow.input({ identification: 'email', login_id: email })
    await flow.input({ authentication: 'primary_password', password })
    const input = { authentication: 'recovery_code', recovery_code: 'ab3defuhij' }
    expect(stateOf(await flow.input(input)).action.type).toBe('finished')
  })

  it('must change a password that was set too long ago', async () => {
    const expiry = { force_change: { enabled: true, duration_since_last_update: '24h' } }
    const world = testAuth({ authenticator: { password: { expiry } } })
    const password_hash = await world.auth.hasher.hash(password)
    const days = (count: number) => world.clock.now() - count * 24 * 3_600_000
    const make = (name: string, set_at: number) =>
      createUser(world.auth, {
        preferred_username: name,
        email: `${name}@x.example`,
        password: { type: 'scrypt', password_hash, set_at },
      })
    await make('old', days(2))
    await make('new', days(0.5))
    const stepOf = async (name: string) => {
      const flow = await startFlow(world, 'login')
      await flow.input({ identification: 'email', login_id: `${name}@x.example` })
      return stateOf(await flow.input({ authentication: 'primary_password', password })).action
    }
    expect(await stepOf('old')).toMatchObject({ type: 'change_password' })
    expect(await stepOf('new')).toMatchObject({ type: 'finished' })
  })

  it.each([
    ['bcrypt', '$scrypt$ln=14,r=8,p=1$aaaaaaaaaaaaaaaaaaaaaa$aaaaaaaaaaaaaaaaaaaaaa'],
    ['scrypt', '$scrypt$ln=40,r=8,p=1$aaaaaaaaaaaaaaaaaaaaaa$aaaaaaaaaaaaaaaaaaaaaa'],
    ['argon2', '$argon2id$v=19$m=999999,t=2,p=1$aaaaaaaaaaa$aaaaaaaaaaa'],
    ['pbkdf2', '$pbkdf2-md5$i=1$aaaa$aaaaaaaaaaaaaaaa'],
  ] as const)('is refused with a hash that is not one of %s', async (type, password_hash) => {
    const world = testAuth()
    const causes = [{ location: '/password/password_hash', kind: 'format' }]
    const [outcome] = await outcomesOf(world, [{ email, password: { type, password_hash } }])
    expect(outcome).toMatchObject({ reason: 'ValidationFailed', causes })
    const made = createUser(world.auth, { email, password: { type, password_hash } })
    await expect(made).rejects.toMatchObject({ reason: 'ValidationFailed', info: { causes } })
  })

  it.each<[object, string]>([
    [{ id: 'a:b' }, '/id'],
    [{ id: '' }, '/id'],
    [{ mfa: { recovery_codes: ['short'] } }, '/mfa/recovery_codes/0'],
    [{ identities: [{ type: 'email', value: 'nobody' }] }, '/identities/0/value'],
  ])('is refused with %j', async (more, location) => {
    const world = testAuth()
    const [outcome] = await outcomesOf(world, [{ email, ...more }])
    expect(outcome).toMatchObject({ reason: 'ValidationFailed', causes: [{ location }] })
  })

  it.each([
    [{ identities: [{ type: 'oauth', alias: 5 }] }, 'records[0].identities[0].alias'],
    [{ identities: [{ type: 'anonymous' }] }, 'records[0].identities[0].type'],
    [{ passkeys: [{ credential_id: 'a' }] }, 'records[0].passkeys[0].public_key'],
  ])('names the path of what is wrong in %j', async (more, path) => {
    const [outcome] = await outcomesOf(testAuth(), [{ email, ...more }])
    expect(outcome).toMatchObject({ reason: 'InvalidInput', path })
  })
})

describe('a list of users', () => {
  it('is imported except invalid records, each with its error', async () => {
    const world = testAuth()
    const at = (location: string, kind: string) => ({
      reason: 'ValidationFailed',
      causes: [expect.objectContaining({ location, kind })],
    })
    const outcomes = await outcomesOf(world, [
      { email },
      { email: 'nobody' },
      { email: 'lena@harborlight.example', password: { type: 'bcrypt', password_hash: 'md5' } },
      { email: 'lena@harborlight.example', mfa: { totp: { secret: 'not base 32' } } },
      { email: 'lena@harborlight.example', mfa: { email: 'nobody' } },
      { email: 'lena@harborlight.example', mfa: { phone_number: '12' } },
      {},
      { email: 'MAYA@harborlight.example' },
      { email: 'lena@harborlight.example' },
    ])
    expect(outcomes).toEqual([
      'inserted',
      at('/email', 'format'),
      at('/password/password_hash', 'format'),
      at('/mfa/totp/secret', 'format'),
      at('/mfa/email', 'format'),
      at('/mfa/phone_number', 'format'),
      at('', 'required'),
      { reason: 'InvariantViolated', cause: { kind: 'DuplicatedIdentity' } },
      'inserted',
    ])
    expect(await countOf(world)).toBe(2)
  })

  it.each([
    [null, '', 'type'],
    ['maya', '', 'type'],
    [{ email: 5 }, '/email', 'type'],
    [{ email, email_verified: 'yes' }, '/email_verified', 'type'],
    [{ email, password: 'tidal-lantern-42' }, '/password', 'type'],
    [{ email, password: {} }, '/password', 'required'],
    [{ email, password: { type: 'md5', password_hash: 'x' } }, '/password/type', 'enum'],
    [{ email, mfa: { totp: {} } }, '/mfa/totp', 'required'],
    [{ email, account_valid_until: '2027' }, '/account_valid_until', 'type'],
    [{ email, standard_attributes: [] }, '/standard_attributes', 'type'],
  ])('continues after a record %j', async (record, location, kind) => {
    const world = testAuth()
    const [outcome, next] = await outcomesOf(world, [record, { preferred_username: 'lena' }])
    expect(outcome).toMatchObject({
      reason: 'ValidationFailed',
      causes: [{ location, kind }],
    })
    expect(next).toBe('inserted')
    expect(JSON.stringify(outcome)).not.toContain('tidal-lantern-42')
  })

  it('can have undefined members', async () => {
    const world = testAuth()
    const record = { email, password: undefined, mfa: undefined, standard_attributes: undefined }
    expect(await outcomesOf(world, [record])).toEqual(['inserted'])
  })
})
