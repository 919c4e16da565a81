import { describe, expect, it } from 'vitest'
import { userCollection } from '../collections.ts'
import { createFlow } from '../create-flow.ts'
import { createBcryptVerifier } from '../kinds/password/bcrypt-hash.ts'
import { combineHashers } from '../kinds/password/password-hasher.ts'
import { createScryptHasher } from '../kinds/password/scrypt-hasher.ts'
import { errorOf, startFlow, stateOf, type TestAuth, testAuth } from '../service.fixture.ts'
import { getUser } from './get-user.ts'
import { type ImportedUser, importUsers } from './import-users.ts'

const email = 'maya@harborlight.example'
const password = 'correct horse'
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
