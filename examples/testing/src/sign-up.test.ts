import { readFileSync } from 'node:fs'
import {
  advanceFlow,
  createAuth,
  type FlowInput,
  type FlowResult,
  type FlowType,
  getUser,
  resolveSession,
} from '@gatehouse/core'
import { createScryptHasher } from '@gatehouse/core/auth'
import {
  createManualClock,
  createMessageOutbox,
  driveFlow,
  totpCode,
} from '@gatehouse/core/testing'
import { createMemoryStorage } from '@gatehouse/store-memory'
import { describe, expect, it } from 'vitest'

const config = readFileSync(new URL('../authgear.yaml', import.meta.url), 'utf8')
const second = 1_000
const minute = 60 * second
const day = 24 * 60 * minute

const email = 'maya@example.com'
const password = 'tidal-lantern-42'

/** The service, with an outbox in place of the mail server. Its clock moves only when a test advances it. */
function createService() {
  const clock = createManualClock(Date.UTC(2026, 0, 2, 12))
  const outbox = createMessageOutbox()
  const auth = createAuth({
    storage: createMemoryStorage({ clock }),
    clock,
    config,
    secrets: [{ id: 'test', key: 'a key for tests, of 32 bytes or more' }],
    senders: outbox.senders,
    hasher: createScryptHasher({ N: 1_024 }), // cheap, for tests
  })

  /** Begins a flow, and gives one input after the other to its newest state, also such that are refused. */
  const begin = async (type: FlowType) => {
    let { state } = await driveFlow(auth, type, [])
    return {
      async input(input: FlowInput): Promise<FlowResult> {
        const result = await advanceFlow(auth, { state_token: state.state_token, input })
        if (result.ok) state = result.result
        return result
      },
    }
  }
  return { auth, clock, outbox, begin }
}

const named: FlowInput = { identification: 'email', login_id: email }
const stepOf = (result: FlowResult): string => (result.ok ? result.result.action.type : 'none')
const reasonOf = (result: FlowResult): string => (result.ok ? 'none' : result.error.reason)

/** Signs Maya up, with TOTP. The codes of mails come from the outbox. */
async function signUp({ auth, clock }: ReturnType<typeof createService>) {
  let secret = ''
  const codeNow = (): string => totpCode(secret, clock)
  const { cookie } = await driveFlow(auth, 'signup', [
    named,
    { authentication: 'primary_password', new_password: password },
    { authentication: 'secondary_totp' },
    ({ action }) => {
      if ('secret' in action.data) secret = action.data.secret
      return { code: codeNow() }
    },
    { confirm_recovery_code: true },
  ])
  const request = { headers: new Headers({ cookie }) }
  const session = await resolveSession(auth, request)
  return { codeNow, request, session, userId: session?.user_id ?? '' }
}

describe('a sign-up', () => {
  it('verifies the address, sets up a password and TOTP, and ends signed in', async () => {
    const service = createService()
    const { session, userId } = await signUp(service)
    expect(session).toMatchObject({ aal: 2, amr: expect.arrayContaining(['pwd', 'otp', 'mfa']) })
    expect(await getUser(service.auth, userId)).toMatchObject({
      standard_attributes: { email },
      verified_claims: [{ name: 'email', value: email }],
      recovery_codes: 10,
    })
  })

  it('sends one mail with one code, valid for five minutes', async () => {
    const { begin, clock, outbox } = createService()
    const flow = await begin('signup')
    await flow.input(named)
    expect(outbox.messages).toMatchObject([{ kind: 'verification', target: email }])
    const code = outbox.codeTo(email)
    clock.advance(5 * minute)
    expect(reasonOf(await flow.input({ code }))).toBe('InvalidVerificationCode')
    await flow.input({ resend: true })
    const next = await flow.input({ code: outbox.codeTo(email) })
    expect(stepOf(next)).toBe('create_authenticator')
  })

  it('sends another mail after a minute, and not before', async () => {
    const { begin, clock, outbox } = createService()
    const flow = await begin('signup')
    await flow.input(named)
    clock.advance(minute - second)
    expect(await flow.input({ resend: true })).toMatchObject({
      error: { reason: 'RateLimited' },
      retryAfterSeconds: 1,
    })
    clock.advance(second)
    expect(reasonOf(await flow.input({ resend: true }))).toBe('none')
    expect(outbox.messages).toHaveLength(2)
  })

  it('enforces the configured password length', async () => {
    const { begin, outbox } = createService()
    const flow = await begin('signup')
    await flow.input(named)
    await flow.input({ code: outbox.codeTo(email) })
    const refused = await flow.input({ authentication: 'primary_password', new_password: 'short' })
    expect(refused).toMatchObject({
      error: { info: { causes: [{ Name: 'PasswordTooShort', Info: { min_length: 12 } }] } },
    })
  })

  it('reports that the mail server is away, and continues when it is back', async () => {
    const { begin, outbox } = createService()
    const flow = await begin('signup')
    outbox.failNext(new Error('connection refused'))
    expect(reasonOf(await flow.input(named))).toBe('OTPDeliveryUnexpectedError')
    expect(stepOf(await flow.input(named))).toBe('verify')
    expect(outbox.messages).toHaveLength(1)
  })

  it('leaves nothing behind when abandoned', async () => {
    const service = createService()
    const flow = await service.begin('signup')
    await flow.input(named)
    service.clock.advance(20 * minute)
    expect(reasonOf(await flow.input({ code: '123456' }))).toBe('AuthenticationFlowNotFound')
    expect((await signUp(service)).session).toBeDefined()
  })
})

describe('a session', () => {
  it('ends after 30 days without use', async () => {
    const service = createService()
    const { request } = await signUp(service)
    service.clock.advance(30 * day)
    expect(await resolveSession(service.auth, request)).toBeUndefined()
  })
})

describe('a login', () => {
  it('takes the password and a TOTP code', async () => {
    const service = createService()
    const { codeNow } = await signUp(service)
    service.clock.advance(minute)
    const known = { authentication: 'primary_password', password }
    const asked = await driveFlow(service.auth, 'login', [named, known])
    expect(asked.state.action.data).toMatchObject({
      options: [{ authentication: 'secondary_totp' }, { authentication: 'recovery_code' }],
    })
    const app = { authentication: 'secondary_totp', code: codeNow() }
    const done = await driveFlow(service.auth, asked.state, [app])
    expect(done.state.action.type).toBe('finished')
  })

  it('is locked for five minutes after the fifth wrong password', async () => {
    const service = createService()
    await signUp(service)
    const flow = await service.begin('login')
    await flow.input(named)
    const guess = (text: string) =>
      flow.input({ authentication: 'primary_password', password: text })
    for (let attempt = 1; attempt < 5; attempt++) {
      expect(reasonOf(await guess('wrong'))).toBe('InvalidCredentials')
    }
    expect(reasonOf(await guess('wrong'))).toBe('AccountLockout')
    service.clock.advance(5 * minute - second)
    expect(reasonOf(await guess(password))).toBe('AccountLockout')
    service.clock.advance(second)
    expect(reasonOf(await guess(password))).toBe('none')
  })
})
