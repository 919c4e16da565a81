import { describe, expect, it } from 'vitest'
import type { FlowInput } from '../flow/view.ts'
import type { FlowResult } from '../flows/flow-result.ts'
import { pinAuthenticator } from '../kinds/pin.fixture.ts'
import { totpCode } from '../kinds/totp/totp.ts'
import { eventsOf } from '../own-account/account.fixture.ts'
import { decodeBase32 } from '../secrets/base32.ts'
import { startFlow, stateOf, type TestAuth, testAuth } from '../service.fixture.ts'
import { createPasskeys } from '../webauthn/create-passkeys.ts'
import type { StoredPasskey } from '../webauthn/passkeys.ts'
import { addAuthenticator, type NewAuthenticator } from './add-authenticator.ts'
import { addRecoveryCodes } from './add-recovery-codes.ts'
import { createUser } from './create-user.ts'
import { listAuthenticators } from './list-authenticators.ts'

const email = 'maya@harborlight.example'
const password = 'tidal-lantern-42'
const secret = 'K5QW4ZLOM5SWK3TFOJQXIZLEEBRHSIDN'
const secondary_authenticators = ['totp', 'password', 'oob_otp_email', 'oob_otp_sms']
const cause = (kind: string) => ({ reason: 'InvariantViolated', info: { cause: { kind } } })

const house = async () => {
  const world = testAuth(
    { authentication: { secondary_authenticators } },
    { authenticators: [pinAuthenticator], passkeys: createPasskeys() },
  )
  return { ...world, id: await createUser(world.auth, { email, password }) }
}

/** A login that has reached its second factor, continued with an input. */
async function loginWith(world: TestAuth, input: FlowInput): Promise<FlowResult> {
  const flow = await startFlow(world, 'login')
  stateOf(await flow.input({ identification: 'email', login_id: email }))
  stateOf(await flow.input({ authentication: 'primary_password', password }))
  return flow.input(input)
}

describe('an authenticator that the host adds', () => {
  it('is asked for at the next login', async () => {
    const world = await house()
    const { auth, id, clock } = world
    const app = await addAuthenticator(auth, id, { type: 'totp', secret, display_name: 'phone' })
    const kind = 'secondary'
    await addAuthenticator(auth, id, { type: 'password', kind, password: 'copper-meadow-58' })
    const spare = { type: 'oob_otp_email', kind, target: 'Spare@Harborlight.example' } as const
    await addAuthenticator(auth, id, spare)
    const code = totpCode(
      decodeBase32(secret) ?? new Uint8Array(),
      Math.floor(clock.now() / 30_000),
    )
    const inputs = [
      { authentication: 'secondary_totp', code },
      { authentication: 'secondary_password', password: 'copper-meadow-58' },
    ]
    for (const input of inputs) {
      expect(stateOf(await loginWith(world, input)).action.type).toBe('finished')
    }
    const asked = { authentication: 'secondary_oob_otp_email', index: 2 }
    expect(stateOf(await loginWith(world, asked)).action.data).toMatchObject({
      masked_claim_value: 'sp***@harborlight.example',
    })
    const listed = await listAuthenticators(auth, id)
    expect(listed.find((one) => one.id === app)).toEqual({
      id: app,
      type: 'totp',
      kind,
      authentication: 'secondary_totp',
      created_at: clock.now(),
      updated_at: clock.now(),
      display_name: 'phone',
    })
    expect(listed.map((one) => one.target)).toContain('spare@harborlight.example')
    expect(JSON.stringify(listed)).not.toMatch(/hash|secret/)
    const added = (await eventsOf(world)).filter(({ type }) => type === 'authenticator.added')
    expect(added).toHaveLength(3)
    expect(added[0]?.context).toMatchObject({ triggered_by: 'admin_api', user_id: id })
  })

  it('can be of a custom kind', async () => {
    const { auth, id } = await house()
    const { authentication } = pinAuthenticator
    const given = {
      type: 'custom',
      kind: 'secondary',
      authentication,
      data: { pin: 'hash' },
    } as const
    await addAuthenticator(auth, id, given)
    expect(await listAuthenticators(auth, id)).toContainEqual(
      expect.objectContaining({ type: 'custom', authentication }),
    )
  })

  it('must be valid, and is added once', async () => {
    const { auth, id } = await house()
    const kind = 'secondary'
    const wrong: readonly (readonly [NewAuthenticator, object])[] = [
      [{ type: 'totp', secret: 'no base32!' }, { reason: 'ValidationFailed' }],
      [{ type: 'totp', secret: '' }, { reason: 'ValidationFailed' }],
      [{ type: 'oob_otp_email', kind, target: 'nowhere' }, { reason: 'ValidationFailed' }],
      [{ type: 'oob_otp_sms', kind, target: '12345' }, { reason: 'ValidationFailed' }],
      [{ type: 'password', kind, password: 'short' }, { reason: 'PasswordPolicyViolated' }],
      [{ type: 'password', kind: 'primary', password }, cause('DuplicatedAuthenticator')],
      [
        { type: 'custom', kind, authentication: 'secondary_hat', data: null },
        { reason: 'ValidationFailed' },
      ],
    ]
    for (const [given, error] of wrong) {
      await expect(addAuthenticator(auth, id, given)).rejects.toMatchObject(error)
    }
    const passkey: StoredPasskey = {
      credential_id: 'AQID',
      public_key: 'pQ',
      sign_count: 0,
      transports: [],
      aaguid: '00000000-0000-0000-0000-000000000000',
      is_backed_up: false,
    }
    const other = await createUser(auth, { email: 'tom@harborlight.example' })
    await addAuthenticator(auth, id, { type: 'passkey', passkey })
    await expect(addAuthenticator(auth, other, { type: 'passkey', passkey })).rejects.toMatchObject(
      cause('DuplicatedAuthenticator'),
    )
    expect(await listAuthenticators(auth, id)).toHaveLength(2)
    await addAuthenticator(auth, id, { type: 'totp', secret })
    for (const again of [secret, secret.toLowerCase()]) {
      // One code would be good twice.
      await expect(
        addAuthenticator(auth, id, { type: 'totp', secret: again }),
      ).rejects.toMatchObject(cause('DuplicatedAuthenticator'))
    }
    await addAuthenticator(auth, other, { type: 'totp', secret })
    const nobody = addAuthenticator(auth, 'nobody', { type: 'totp', secret })
    await expect(nobody).rejects.toMatchObject({ reason: 'UserNotFound' })
    await expect(listAuthenticators(auth, 'nobody')).rejects.toMatchObject({
      reason: 'UserNotFound',
    })
  })
})

describe('recovery codes that the host adds', () => {
  it('work once each, and replace the earlier ones', async () => {
    const world = await house()
    const { auth, id } = world
    await addAuthenticator(auth, id, { type: 'totp', secret })
    const [old = ''] = await addRecoveryCodes(auth, id)
    const fresh = await addRecoveryCodes(auth, id)
    expect(fresh).toHaveLength(16)
    const outcomes = []
    for (const recovery_code of [old, fresh[0] ?? '', fresh[0] ?? '']) {
      const result = await loginWith(world, { authentication: 'recovery_code', recovery_code })
      outcomes.push(result.ok ? 'finished' : result.error.reason)
    }
    expect(outcomes).toEqual(['InvalidCredentials', 'finished', 'InvalidCredentials'])
    const events = (await eventsOf(world)).filter(({ type }) => type === 'recovery_codes.created')
    expect(events.map(({ payload }) => payload.count)).toEqual([16, 16])
    expect(JSON.stringify(events)).not.toContain(fresh[1])
  })

  it('can be codes that the user already has', async () => {
    const { auth, id } = await house()
    const codes = ['abcde-fgh1k', 'ABCDEFGHJM', 'ABCDEFGHJM']
    expect(await addRecoveryCodes(auth, id, { codes })).toEqual(['ABCDEFGH1K', 'ABCDEFGHJM'])
    for (const wrong of [['short'], Array.from({ length: 51 }, () => 'ABCDEFGHJM')]) {
      await expect(addRecoveryCodes(auth, id, { codes: wrong })).rejects.toMatchObject({
        reason: 'ValidationFailed',
      })
    }
  })
})
