import { describe, expect, it } from 'vitest'
import { approveLink } from '../../flows/approve-link.ts'
import { getFlowState } from '../../flows/get-flow-state.ts'
import { importUsers } from '../../people/import-users.ts'
import { errorOf, startFlow, stateOf, type TestAuth, testAuth } from '../../service.fixture.ts'

const email = 'maya@harborlight.example'
const phone = '+6591234567'

const passwordless = {
  authentication: {
    primary_authenticators: ['oob_otp_email'],
    secondary_authentication_mode: 'disabled',
  },
}

async function withMaya(world: TestAuth): Promise<void> {
  await importUsers(world.auth, [{ email }])
}

describe('a code by mail', () => {
  it('can be sent again after a minute, and older states stay valid', async () => {
    const world = testAuth(passwordless)
    await withMaya(world)
    const flow = await startFlow(world, 'login')
    await flow.input({ identification: 'email', login_id: email })
    const choice = { authentication: 'primary_oob_otp_email', index: 0, channel: 'email' }
    const prompt = stateOf(await flow.input(choice))
    expect(prompt.action).toMatchObject({
      type: 'authenticate',
      authentication: 'primary_oob_otp_email',
      data: { can_resend_at: '2026-03-04T10:01:00Z' },
    })
    const early = await flow.input({ resend: true })
    expect(early).toMatchObject({
      error: { reason: 'RateLimited', info: { bucket_name: 'OOBOTPCooldownEmail' } },
      retryAfterSeconds: 60,
    })
    const first = world.codeTo(email)
    world.clock.advance(61_000)
    const again = stateOf(await flow.input({ resend: true }))
    expect(again.action.data).toMatchObject({ can_resend_at: '2026-03-04T10:02:01Z' })
    const outdated = await flow.input({ code: first }, prompt.state_token)
    expect(errorOf(outdated)).toMatchObject({
      reason: 'InvalidCredentials',
      info: { AuthenticationType: 'oob_otp_email', FlowType: 'login' },
    })
    const done = await flow.input({ code: ` ${world.codeTo(email)} ` }, prompt.state_token)
    expect(stateOf(done).action.type).toBe('finished')
  })

  it('is revoked after ten wrong attempts, until a new one is sent', async () => {
    const limits = { general: { per_user_per_ip: { enabled: false } } }
    const world = testAuth({
      authentication: { ...passwordless.authentication, rate_limits: limits },
    })
    await withMaya(world)
    const flow = await startFlow(world, 'login')
    await flow.input({ identification: 'email', login_id: email })
    await flow.input({ authentication: 'primary_oob_otp_email', index: 0 })
    for (let attempt = 1; attempt < 10; attempt++) {
      expect(errorOf(await flow.input({ code: 'wrong' })).reason).toBe('InvalidCredentials')
    }
    const dead = { reason: 'RateLimited', info: { bucket_name: 'TrackFailedOTPAttemptBucket' } }
    expect(errorOf(await flow.input({ code: 'wrong' }))).toMatchObject(dead)
    expect(errorOf(await flow.input({ code: world.codeTo(email) }))).toMatchObject(dead)
    const read = await getFlowState(world.auth, { state_token: flow.token })
    expect(stateOf(read).action.data.failed_attempt_rate_limit_exceeded).toBe(true)
    world.clock.advance(60_000)
    await flow.input({ resend: true })
    stateOf(await flow.input({ code: world.codeTo(email) }))
  })

  it('that cannot be sent refuses the input without a new state', async () => {
    const world = testAuth()
    const flow = await startFlow(world, 'signup')
    world.outbox.failNext(new Error('the mail server is away'))
    const refused = await flow.input({ identification: 'email', login_id: email })
    expect(errorOf(refused)).toMatchObject({ code: 500, reason: 'OTPDeliveryUnexpectedError' })
    expect(JSON.stringify(refused)).not.toContain('away')
    expect(refused).toMatchObject({ result: { action: { type: 'identify' } } })
  })
})

describe('a code by phone', () => {
  it('asks for the channel if there are two, each with its own cooldown', async () => {
    const world = testAuth({
      identity: { login_id: { keys: [{ type: 'phone' }] } },
      authentication: {
        primary_authenticators: ['oob_otp_sms'],
        secondary_authentication_mode: 'disabled',
      },
    })
    const flow = await startFlow(world, 'signup')
    const spaced = await flow.input({ identification: 'phone', login_id: '+65 9123 4567' })
    expect(errorOf(spaced)).toMatchObject({
      message: 'invalid login ID',
      info: {
        FlowType: 'signup',
        causes: [{ location: '/login_id', kind: 'format', details: { format: 'phone' } }],
      },
    })
    const choice = stateOf(await flow.input({ identification: 'phone', login_id: phone }))
    expect(choice.action).toEqual({
      type: 'verify',
      data: {
        type: 'select_oob_otp_channels_data',
        channels: ['whatsapp', 'sms'],
        masked_claim_value: '+659123****',
      },
    })
    await flow.input({ channel: 'sms' })
    const limited = await flow.input({ resend: true })
    expect(errorOf(limited).info).toMatchObject({ bucket_name: 'VerificationCooldownSMS' })
    const sms = flow.token
    await flow.input({ channel: 'whatsapp' }, choice.state_token)
    expect(world.outbox.messages.map(({ channel }) => channel)).toEqual(['sms', 'whatsapp'])
    const create = stateOf(await flow.input({ code: world.codeTo(phone) }, sms))
    expect(create.action.data.options).toEqual([
      {
        authentication: 'primary_oob_otp_sms',
        otp_form: 'code',
        channels: ['whatsapp', 'sms'],
        target: { masked_display_name: '+659123****', verification_required: false },
      },
    ])
    const done = await flow.input({ authentication: 'primary_oob_otp_sms' })
    expect(stateOf(done).action.type).toBe('finished')
  })
})

describe('a link by mail', () => {
  it('is approved elsewhere, and the flow goes on where it began', async () => {
    const world = testAuth({ verification: { claims: { email: { otp_form: 'link' } } } })
    const flow = await startFlow(world, 'signup')
    const prompt = stateOf(await flow.input({ identification: 'email', login_id: email }))
    const { data } = prompt.action
    expect(data).toMatchObject({ otp_form: 'link', code_length: 32, can_check: false })
    expect(data.websocket_url).toMatch(
      /^wss:\/\/auth\.example\.com\/api\/v1\/authentication_flows\/ws\?channel=ws_[0-9A-Z]{32}$/,
    )
    expect(errorOf(await flow.input({ check: true })).reason).toBe('InvalidVerificationCode')
    const code = world.codeTo(email)
    await approveLink(world.auth, code)
    await approveLink(world.auth, code)
    const read = await getFlowState(world.auth, { state_token: flow.token })
    expect(stateOf(read).action.data.can_check).toBe(true)
    const next = stateOf(await flow.input({ check: true }))
    expect(next.action.type).toBe('create_authenticator')
    await expect(approveLink(world.auth, code)).rejects.toMatchObject({
      reason: 'InvalidOTPCode',
      info: { cause: { kind: 'UsedCode' } },
    })
    await expect(approveLink(world.auth, 'unknown')).rejects.toMatchObject({
      info: { cause: { kind: 'CodeNotFound' } },
    })
  })
})

describe('with enumeration protection', () => {
  const hidden = (mode: string) => ({ authentication: { enumeration_protection: mode } })

  it('a login without an account proceeds like any other, but never succeeds', async () => {
    const world = testAuth(hidden('login'))
    const flow = await startFlow(world, 'login')
    const asked = stateOf(await flow.input({ identification: 'email', login_id: email }))
    expect(asked.action.data.options).toMatchObject([{ authentication: 'primary_password' }])
    const wrong = await flow.input({ authentication: 'primary_password', password: 'anything' })
    expect(errorOf(wrong)).toMatchObject({
      reason: 'InvalidCredentials',
      info: { AuthenticationType: 'password', FlowType: 'login' },
    })
  })

  it('a sign-up with a taken address asks for a code that does not exist, and its owner is notified', async () => {
    const world = testAuth(hidden('strict'))
    await withMaya(world)
    const flow = await startFlow(world, 'signup')
    const prompt = stateOf(await flow.input({ identification: 'email', login_id: email }))
    expect(prompt.action.type).toBe('verify')
    expect(world.outbox.messages).toMatchObject([{ kind: 'signup_taken', target: email }])
    expect(world.outbox.messages[0]).not.toHaveProperty('code')
    expect(errorOf(await flow.input({ code: '123456' })).reason).toBe('InvalidVerificationCode')
  })
})
