import { describe, expect, it } from 'vitest'
import type { AuthEvent } from '../../events/auth-event.ts'
import { createUser } from '../../people/create-user.ts'
import { errorOf, startFlow, stateOf, type TestAuth, testAuth } from '../../service.fixture.ts'
import { startEvents } from '../../start/start-events.ts'

const email = 'maya@harborlight.example'
const named = (address: string) => ({ identification: 'email', login_id: address })

const typesOf = async (world: TestAuth): Promise<readonly string[]> => {
  const running = startEvents(world.auth)
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
  await running.stop()
  return world.events.map(({ type }: AuthEvent) => type)
}

describe('a message', () => {
  it('that could not be sent is sent at the next request, without a cooldown', async () => {
    const world = testAuth()
    const flow = await startFlow(world, 'signup')
    world.outbox.failNext(new Error('the mail server is down'))
    expect(errorOf(await flow.input(named(email))).reason).toBe('OTPDeliveryUnexpectedError')
    const prompt = stateOf(await flow.input(named(email)))
    expect(prompt.action.data).toMatchObject({
      delivery_status: 'sent',
      can_resend_at: '2026-03-04T10:01:00Z',
    })
    expect(stateOf(await flow.input({ code: world.codeTo(email) })).action.type).toBe(
      'create_authenticator',
    )
    expect(await typesOf(world)).toEqual(['email.error', 'email.sent'])
  })

  it('is sent once, however often a state gets the input within a minute', async () => {
    const world = testAuth()
    const flow = await startFlow(world, 'signup')
    const start = flow.token
    for (let times = 0; times < 3; times++) stateOf(await flow.input(named(email), start))
    const other = await startFlow(world, 'signup')
    stateOf(await other.input(named(email)))
    expect(world.outbox.messages).toHaveLength(1)
    stateOf(await other.input({ code: world.codeTo(email) }))
  })

  it('is sent to one address a minute per flow, and the state shows when the next one can be', async () => {
    const world = testAuth()
    const flow = await startFlow(world, 'signup')
    const start = flow.token
    await flow.input(named('typo@harborlight.example'), start)
    world.clock.advance(20_000)
    const prompt = stateOf(await flow.input(named(email), start))
    expect(world.outbox.messages).toHaveLength(1)
    expect(prompt.action.data.can_resend_at).toBe('2026-03-04T10:01:00Z')
    expect(await flow.input({ resend: true })).toMatchObject({
      error: {
        reason: 'RateLimited',
        info: { bucket_name: 'VerificationCooldownEmailPerSession' },
      },
      retryAfterSeconds: 40,
    })
    world.clock.advance(40_000)
    stateOf(await flow.input({ resend: true }))
    expect(world.outbox.messages.map(({ target }) => target)).toEqual([
      'typo@harborlight.example',
      email,
    ])
  })

  it('counts against the limit of its address, and is refused above it', async () => {
    const limits = { email_per_target: { enabled: true, period: '24h', burst: 2 } }
    const world = testAuth({ messaging: { rate_limits: limits } })
    const reasons: string[] = []
    for (let times = 0; times < 3; times++) {
      const flow = await startFlow(world, 'signup')
      const result = await flow.input(named(email))
      reasons.push(result.ok ? 'sent' : JSON.stringify(result.error.info))
      world.clock.advance(60_000)
    }
    expect(reasons.slice(0, 2)).toEqual(['sent', 'sent'])
    expect(reasons[2]).toContain('MessagingEmailPerTarget')
    expect(world.outbox.messages).toHaveLength(2)
  })

  it('without a sender is refused', async () => {
    const world = testAuth(
      { identity: { login_id: { keys: [{ type: 'phone' }] } } },
      { senders: {} },
    )
    const flow = await startFlow(world, 'signup')
    await flow.input({ identification: 'phone', login_id: '+6591234567' })
    expect(errorOf(await flow.input({ channel: 'sms' }))).toMatchObject({
      code: 403,
      reason: 'SMSNotSupported',
    })
    expect(errorOf(await flow.input({ channel: 'whatsapp' })).reason).toBe(
      'OTPDeliveryUnexpectedError',
    )
  })

  it('is in the language of its recipient', async () => {
    const messages = { de: { verification: { subject: 'Ihr Code', text: '{{.Code}}' } } }
    const world = testAuth({}, { messages })
    const flow = await startFlow(world, 'signup', { query: 'ui_locales=it%20de-CH' })
    await flow.input(named(email))
    expect(world.outbox.messages).toMatchObject([{ locale: 'de', subject: 'Ihr Code' }])
  })

  it.each([
    [{ query: 'ui_locales=it%20fr', acceptLanguage: 'ja' }, 'fr'],
    [{ acceptLanguage: 'it, es;q=0.5, ja;q=0.8' }, 'ja'],
    [{ query: 'ui_locales=it', acceptLanguage: 'es' }, 'es'],
    [{ query: 'ui_locales=it' }, 'ar'],
    [{}, 'ar'],
  ])(
    'is in a language of the flow, of the browser, or of the profile: %j',
    async (request, locale) => {
      const world = testAuth()
      const standard_attributes = { email, locale: 'ar' }
      await createUser(world.auth, { email, password: 'tidal-lantern-42', standard_attributes })
      const flow = await startFlow(world, 'account_recovery', request)
      await flow.input(named(email))
      await flow.input({ index: 0 })
      await Promise.all(world.auth.sending)
      expect(world.outbox.messages.at(-1)).toMatchObject({ locale, kind: 'forgot_password' })
    },
  )
})

describe('the test mode', () => {
  const rules = [{ regex: '.*@harborlight\\.example', fixed_code: '111111' }]

  it('fixes codes, but only for the addresses that it matches', async () => {
    const world = testAuth({ test_mode: { oob_otp: { enabled: true, rules } } })
    const flow = await startFlow(world, 'signup')
    await flow.input(named(email))
    expect(world.codeTo(email)).toBe('111111')
    const other = await startFlow(world, 'signup')
    await other.input(named('maya@elsewhere.example'))
    expect(world.codeTo('maya@elsewhere.example')).toMatch(/^\d{6}$/)
  })

  it('suppresses messages as if they were sent', async () => {
    const suppressed = [{ regex: '.*', suppressed: true }]
    const world = testAuth({
      test_mode: {
        oob_otp: { enabled: true, rules },
        email: { enabled: true, rules: suppressed },
      },
    })
    const flow = await startFlow(world, 'signup')
    const prompt = stateOf(await flow.input(named(email)))
    expect(prompt.action.data.delivery_status).toBe('sent')
    expect(world.outbox.messages).toEqual([])
    stateOf(await flow.input({ code: '111111' }))
    expect(await typesOf(world)).toEqual(['email.suppressed'])
  })
})
