import { describe, expect, it } from 'vitest'
import { createAuth } from '../auth/create-auth.ts'
import { advanceFlow } from '../auth/flows/advance-flow.ts'
import { testAuth } from '../auth/service.fixture.ts'
import { resolveSession } from '../auth/sessions/resolve-session.ts'
import { driveFlow } from './drive-flow.ts'
import { signIn } from './sign-in.ts'
import { totpCode } from './totp-code.ts'

const email = 'maya@example.com'
const named = { identification: 'email', login_id: email }
const password = 'tidal-lantern-42'
const chosen = { authentication: 'primary_password', new_password: password }

describe('driveFlow', () => {
  it('signs up with the code that was sent, and ends with the cookies of a session', async () => {
    const { auth } = testAuth()
    const { state, cookie, cookies } = await driveFlow(auth, 'signup', [named, chosen])
    expect(state.action.type).toBe('finished')
    expect(cookies.map(({ name }) => name)).toContain('session')
    const session = await resolveSession(auth, { headers: new Headers({ cookie }) })
    expect(session).toMatchObject({ amr: expect.arrayContaining(['pwd']) })
  })

  it('answers a code at the end of the inputs, and before the next one', async () => {
    const { auth } = testAuth()
    expect((await driveFlow(auth, 'signup', [named])).state.action.type).toBe(
      'create_authenticator',
    )
  })

  it('recovers an account by the code that was sent', async () => {
    const { auth } = testAuth()
    await driveFlow(auth, 'signup', [named, chosen])
    const { state } = await driveFlow(auth, 'account_recovery', [
      named,
      { index: 0 },
      { new_password: 'quiet-harbour-77' },
    ])
    expect(state.action.type).toBe('finished')
    const login = [named, { authentication: 'primary_password', password: 'quiet-harbour-77' }]
    expect((await driveFlow(auth, 'login', login)).state.action.type).toBe('finished')
  })

  it('approves the link that was sent', async () => {
    const { auth } = testAuth({
      authenticator: { oob_otp: { email: { email_otp_mode: 'login_link' } } },
      authentication: { primary_authenticators: ['oob_otp_email'] },
    })
    const { state } = await driveFlow(auth, 'signup', [
      named,
      { authentication: 'primary_oob_otp_email' },
    ])
    expect(state.action.type).toBe('finished')
    const login = [named, { authentication: 'primary_oob_otp_email', index: 0 }]
    expect((await driveFlow(auth, 'login', login)).state.action.type).toBe('finished')
  })

  it('leaves codes to the inputs on demand, and goes on from a state', async () => {
    const { auth, codeTo } = testAuth()
    const asked = await driveFlow(auth, 'signup', [named], { answersCodes: false })
    expect(asked.state.action.type).toBe('verify')
    const wrong = codeTo(email) === '000000' ? '111111' : '000000'
    const { state_token } = asked.state
    expect(await advanceFlow(auth, { state_token, input: { code: wrong } })).toMatchObject({
      error: { reason: 'InvalidVerificationCode' },
    })
    const { state } = await driveFlow(auth, asked.state, [{ code: codeTo(email) }, chosen])
    expect(state.action.type).toBe('finished')
  })

  it('takes functions of the state, such as for the secret of an authenticator app', async () => {
    const { auth, clock } = testAuth({
      authentication: {
        secondary_authentication_mode: 'required',
        secondary_authenticators: ['totp'],
        recovery_code: { disabled: true },
      },
    })
    let secret = ''
    const { state } = await driveFlow(auth, 'signup', [
      named,
      chosen,
      { authentication: 'secondary_totp' },
      ({ action: { data } }) => {
        if ('secret' in data) secret = data.secret
        return { code: totpCode(secret, clock) }
      },
    ])
    expect(state.action.type).toBe('finished')
    clock.advance(60_000)
    const login = [
      named,
      { authentication: 'primary_password', password },
      { authentication: 'secondary_totp', code: totpCode(secret, clock) },
    ]
    expect((await driveFlow(auth, 'login', login)).state.action.type).toBe('finished')
  })

  describe('names', () => {
    it('the step, what it asks and the reason if an input does not fit', async () => {
      const { auth } = testAuth()
      const driven = driveFlow(auth, 'signup', [named, { authentication: 'primary_password' }])
      await expect(driven).rejects.toThrow(
        /^driveFlow: input 2 of 2, \{"authentication":"primary_password"\}, does not fit the step "create_authenticator" of the signup flow: ValidationFailed: .*new_password.*The step asks \{"type":"create_authenticator",.*"primary_password"/,
      )
    })

    it('inputs that are left when the flow has finished', async () => {
      const { auth } = testAuth()
      const driven = driveFlow(auth, 'signup', [named, chosen, chosen])
      await expect(driven).rejects.toThrow('has finished, but 1 of 3 inputs are left')
    })

    it('a flow that does not begin', async () => {
      const { auth } = testAuth()
      const options = { name: 'unknown' }
      await expect(driveFlow(auth, 'signup', [], options)).rejects.toThrow(
        'driveFlow: the flow does not begin: AuthenticationFlowFlowNotFound',
      )
    })

    it('the missing outbox if a code is asked for', async () => {
      const { storage } = testAuth()
      const auth = createAuth({
        storage,
        config: { id: 'test', http: { public_origin: 'https://auth.example.com' } },
        secrets: [{ id: 'k1', key: 'test key of at least thirty-two bytes' }],
        senders: { sendEmail: async () => {} },
        logger: false,
      })
      await expect(driveFlow(auth, 'signup', [named])).rejects.toThrow(
        'the step "verify" asks for a code, but the service sends to no outbox',
      )
    })

    it('a service, a flow or an input that is none', async () => {
      const { auth } = testAuth()
      const cases = [
        () => driveFlow({} as never, 'signup', []),
        () => driveFlow(auth, 7 as never, []),
        () => driveFlow(auth, 'signup', [7 as never]),
        () => driveFlow(auth, 'signup', [() => 7 as never]),
        () => driveFlow(auth, 'signup', [], { outbox: 1 } as never),
      ]
      for (const call of cases) await expect(call()).rejects.toMatchObject({ kind: 'Invalid' })
    })
  })
})

describe('signIn', () => {
  it('opens a session for a user by id, or for a new one, with its Cookie header', async () => {
    const { auth } = testAuth()
    const first = await signIn(auth, { email })
    const again = await signIn(auth, first.session.user_id, { amr: ['pwd'] })
    for (const { cookie, session } of [first, again]) {
      const found = await resolveSession(auth, { headers: new Headers({ cookie }) })
      expect(found).toMatchObject({ id: session.id, user_id: first.session.user_id })
    }
    expect(again.session.amr).toEqual(['pwd'])
  })

  it('refuses an unknown user', async () => {
    const { auth } = testAuth()
    await expect(signIn(auth, 'nobody')).rejects.toMatchObject({ reason: 'UserNotFound' })
  })
})

describe('totpCode', () => {
  // RFC 6238, appendix B, the last six digits.
  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [20_000_000_000, '353130'],
  ])('is the code at %d seconds', (seconds, code) => {
    const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
    expect(totpCode(secret, { now: () => seconds * 1_000 })).toBe(code)
    const asTyped = secret.toLowerCase().replace(/.{4}/g, '$& ')
    expect(totpCode(asTyped, { now: () => seconds * 1_000 })).toBe(code)
  })

  it.each(['', '0189', 'not a secret!', undefined])('refuses the secret %j', (secret) => {
    expect(() => totpCode(secret as string, { now: () => 0 })).toThrow(
      expect.objectContaining({ reason: 'InvalidInput' }),
    )
  })
})
