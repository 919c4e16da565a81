import { describe, expect, it } from 'vitest'
import { deviceTokenCollection } from '../accounts/device-token-record.ts'
import { oauthHouse } from '../kinds/oauth/oauth-house.fixture.ts'
import { addAuthenticator } from '../people/add-authenticator.ts'
import { addIdentity } from '../people/add-identity.ts'
import { addRecoveryCodes } from '../people/add-recovery-codes.ts'
import { type ConfigDelta, type TestAuth, testAuth } from '../service.fixture.ts'
import { passkeyAuth } from '../webauthn/passkeys.fixture.ts'
import type { StoredPasskey } from '../webauthn/passkeys.ts'
import { changesOf, maya, type Person, signedIn, tom } from './account.fixture.ts'
import { getAccount } from './get-account.ts'
import { removeAuthenticator } from './remove-authenticator.ts'
import { revokeDeviceTokens } from './revoke-device-tokens.ts'

const secret = 'K5QW4ZLOM5SWK3TFOJQXIZLEEBRHSIDN'
const cause = (kind: string) => ({ reason: 'InvariantViolated', info: { cause: { kind } } })

/** A user with a TOTP app, recovery codes and two trusted devices. */
async function withApp(world: TestAuth, user = maya as Parameters<typeof signedIn>[1]) {
  const person = await signedIn(world, user)
  const app = await addAuthenticator(world.auth, person.id, { type: 'totp', secret })
  await addRecoveryCodes(world.auth, person.id)
  const token = { user_id: person.id, created_at: world.clock.now(), authenticator_id: app }
  await world.storage.commit([
    deviceTokenCollection.write(`a of ${person.id}`, token),
    deviceTokenCollection.write(`b of ${person.id}`, token),
  ])
  return { ...person, app }
}

const standIns = async ({ auth }: TestAuth, { session }: Person) => {
  const { recovery_codes, device_tokens } = await getAccount(auth, session)
  return { recovery_codes, device_tokens }
}

const passwordOf = async (person: Person): Promise<string> =>
  (await person.details()).authenticators.find(({ type }) => type === 'password')?.id ?? ''

describe('a removed second factor', () => {
  it('takes recovery codes and trusted devices with it, if it is the last one', async () => {
    const world = testAuth()
    const { auth } = world
    const other = await withApp(world, tom)
    const person = await withApp(world)
    const other_secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
    const spare = await addAuthenticator(auth, person.id, { type: 'totp', secret: other_secret })
    await removeAuthenticator(auth, person.session, spare, person.request)
    expect(await standIns(world, person)).toEqual({ recovery_codes: 16, device_tokens: 2 })
    await removeAuthenticator(auth, person.session, person.app, person.request)
    expect(await standIns(world, person)).toEqual({ recovery_codes: 0, device_tokens: 0 })
    expect(await standIns(world, other)).toEqual({ recovery_codes: 16, device_tokens: 2 })
    expect((await changesOf(world)).at(-1)).toMatchObject({
      type: 'authenticator.removed',
      payload: { user: { id: person.id }, authenticator: { id: person.app, type: 'totp' } },
      context: { triggered_by: 'user', ip_address: '192.0.2.7' },
    })
  })

  it('must not be the last one if one is required', async () => {
    const world = testAuth({ authentication: { secondary_authentication_mode: 'required' } })
    const person = await withApp(world)
    for (const holder of [person.session, person.id]) {
      await expect(removeAuthenticator(world.auth, holder, person.app)).rejects.toMatchObject(
        cause('RemoveLastSecondaryAuthenticator'),
      )
    }
    await removeAuthenticator(world.auth, person.id, person.app, { force: true })
    expect((await person.details()).authenticators).toMatchObject([{ type: 'password' }])
  })
})

describe('a removed password', () => {
  const remove = async (delta: ConfigDelta) => {
    const world = testAuth(delta)
    const person = await signedIn(world)
    await removeAuthenticator(world.auth, person.session, await passwordOf(person))
    return (await person.details()).authenticators
  }

  it('must not be needed to sign in', async () => {
    await expect(remove({})).rejects.toMatchObject(cause('RemoveLastPrimaryAuthenticator'))
    const codes = { authentication: { primary_authenticators: ['password', 'oob_otp_email'] } }
    expect(await remove(codes)).toEqual([])
    const phones = { authentication: { primary_authenticators: ['password', 'oob_otp_sms'] } }
    await expect(remove(phones)).rejects.toMatchObject(cause('RemoveLastPrimaryAuthenticator'))
  })

  it("may go if an identity provider's account can sign in", async () => {
    const world = oauthHouse()
    const person = await signedIn(world)
    const claims = { email: maya.email }
    await addIdentity(world.auth, person.id, {
      type: 'oauth',
      alias: 'cloud',
      subject: '1',
      claims,
    })
    await removeAuthenticator(world.auth, person.session, await passwordOf(person))
    expect((await person.details()).authenticators).toEqual([])
  })
})

describe('a passkey', () => {
  const passkey: StoredPasskey = {
    credential_id: 'AQID',
    public_key: 'pQ',
    sign_count: 0,
    transports: [],
    aaguid: '00000000-0000-0000-0000-000000000000',
    is_backed_up: false,
  }

  it('is a way to sign in, and cannot be removed if it is the only one', async () => {
    const world = passkeyAuth()
    const person = await signedIn(world)
    const id = await addAuthenticator(world.auth, person.id, { type: 'passkey', passkey })
    await removeAuthenticator(world.auth, person.session, await passwordOf(person))
    await expect(removeAuthenticator(world.auth, person.session, id)).rejects.toMatchObject(
      cause('RemoveLastPrimaryAuthenticator'),
    )
  })
})

describe('an authenticator', () => {
  it('is removed by its user, after a recent authentication', async () => {
    const world = testAuth()
    const other = await withApp(world, tom)
    const person = await withApp(world)
    for (const id of [other.app, 'nothing', '', '\0']) {
      await expect(removeAuthenticator(world.auth, person.session, id)).rejects.toMatchObject({
        reason: 'AuthenticatorNotFound',
        kind: 'NotFound',
      })
    }
    world.clock.advance(600_001)
    const late = removeAuthenticator(world.auth, person.session, person.app)
    await expect(late).rejects.toMatchObject({ reason: 'ReauthenticationRequired' })
    await removeAuthenticator(world.auth, person.session, person.app, { freshForMs: 3_600_000 })
    expect((await other.details()).authenticators).toHaveLength(2)
  })
})

describe('trusted devices', () => {
  it('are revoked by their user or the host', async () => {
    const world = testAuth()
    const other = await withApp(world, tom)
    const person = await withApp(world)
    world.clock.advance(86_400_000)
    expect(await revokeDeviceTokens(world.auth, person.session, person.request)).toBe(2)
    expect(await revokeDeviceTokens(world.auth, person.session)).toBe(0)
    expect(await revokeDeviceTokens(world.auth, other.id)).toBe(2)
    const events = (await changesOf(world)).slice(-2)
    expect(events).toMatchObject([
      { type: 'device_tokens.revoked', payload: { count: 2 }, context: { triggered_by: 'user' } },
      { type: 'device_tokens.revoked', context: { triggered_by: 'admin_api' } },
    ])
  })
})
