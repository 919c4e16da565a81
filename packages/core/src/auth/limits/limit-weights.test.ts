import { describe, expect, it } from 'vitest'
import {
  email,
  type HookedAuth,
  hookedAuth,
  importMaya,
  password,
  totpNow,
  totpSecret,
} from '../events/hook.fixture.ts'
import type { HookAnswer } from '../flow/hooks/host-hook.ts'
import { type ConfigDelta, errorOf, startFlow, stateOf, testAuth } from '../service.fixture.ts'
import type { BucketUse } from './limit-questions.ts'
import { weigh } from './limit-weights.ts'
import { takeTokens } from './rate-limit.ts'

const use = (group: string): BucketUse => ({
  bucket: 'B',
  limit: { name: `${group}.per_ip`, group },
  subject: ['192.0.2.1'],
  period_ms: 60_000,
  burst: 10,
})

describe('the weight of a use', () => {
  it.each([
    ['its own group', { 'authentication.password': 3 }, 'authentication.password', 3],
    ['the general one, for secrets', { 'authentication.general': 2 }, 'authentication.totp', 2],
    [
      'the general one, for codes',
      { 'authentication.general': 2 },
      'authentication.oob_otp.sms.validate',
      2,
    ],
    [
      'its own before the general one',
      { 'authentication.general': 2, 'authentication.passkey': 5 },
      'authentication.passkey',
      5,
    ],
  ])('is %s', (_, weights, group, weight) => {
    expect(weigh([use(group)], weights)).toEqual([{ ...use(group), weight }])
  })

  it('is not the general one for limits without a secret', () => {
    for (const group of ['authentication.signup', 'verification.email.validate', 'messaging.sms']) {
      expect(weigh([use(group)], { 'authentication.general': 2 })).toEqual([use(group)])
    }
  })

  it('of 0 and below skips the limit', () => {
    for (const weight of [0, -1]) {
      expect(weigh([use('authentication.totp')], { 'authentication.totp': weight })).toEqual([])
    }
  })

  it('does not apply to cooldowns, and a name that every object has is not a group', () => {
    const { limit: _limit, ...cooldown } = use('')
    expect(weigh([cooldown, use('constructor')], { 'authentication.general': 2 })).toEqual([
      cooldown,
      use('constructor'),
    ])
  })
})

describe('a bucket', () => {
  it('allows as many uses as fit into its burst by their weight', async () => {
    const { auth, clock } = testAuth()
    const taken = async (weight: number) => (await takeTokens(auth, [{ ...use('g'), weight }])).ok
    expect([await taken(4), await taken(4), await taken(4)]).toEqual([true, true, false])
    expect([await taken(2), await taken(0.5)]).toEqual([true, false])
    clock.advance(24_000)
    expect([await taken(4), await taken(0.5)]).toEqual([true, false])
  })

  it('never allows a use above its burst, however long it waits', async () => {
    const { auth, clock } = testAuth()
    clock.advance(3_600_000)
    const taken = await takeTokens(auth, [{ ...use('g'), weight: 10.5 }])
    expect(taken).toMatchObject({ ok: false, waitMs: Number.POSITIVE_INFINITY })
  })
})

const limits = (count: number): ConfigDelta => ({
  authentication: {
    secondary_authentication_mode: 'if_exists',
    rate_limits: { general: { per_ip: { enabled: true, period: '1m', burst: count } } },
  },
})

const weights = (given: { readonly [group: string]: number }): Partial<HookAnswer> => ({
  rate_limits: Object.fromEntries(
    Object.entries(given).map(([group, weight]) => [group, { weight }]),
  ),
})

/** How many wrong passwords are refused as such before the limit is reached. */
async function wrongPasswords(world: HookedAuth): Promise<number> {
  const flow = await startFlow(world, 'login')
  await flow.input({ identification: 'email', login_id: email })
  for (let count = 0; count < 20; count++) {
    const refused = await flow.input({ authentication: 'primary_password', password: 'wrong' })
    if (errorOf(refused).reason === 'RateLimited') return count
  }
  return Number.POSITIVE_INFINITY
}

describe('a hook', () => {
  it.each([
    [{}, 8],
    [{ 'authentication.general': 2 }, 4],
    [{ 'authentication.password': 4, 'authentication.general': 1 }, 2],
    [{ 'authentication.password': 100 }, 0],
    [{ 'authentication.totp': 100 }, 8],
  ])('with the weights %j allows so many wrong passwords', async (given, count) => {
    const world = hookedAuth({ 'authentication.post_identified': weights(given) }, limits(8))
    await importMaya(world)
    expect(await wrongPasswords(world)).toBe(count)
  })

  it('that turns a limit off leaves the others on', async () => {
    const world = hookedAuth(
      { 'authentication.pre_initialize': weights({ 'authentication.password': 0 }) },
      limits(8),
    )
    await importMaya(world)
    expect(await wrongPasswords(world)).toBe(Number.POSITIVE_INFINITY)
  })

  it('sets weights before the same input goes on to the password', async () => {
    const world = hookedAuth(
      { 'authentication.post_identified': weights({ 'authentication.password': 100 }) },
      limits(8),
    )
    await importMaya(world)
    const flow = await startFlow(world, 'login')
    const input = { authentication: 'primary_password', password }
    const refused = await flow.input({ identification: 'email', login_id: email, ...input })
    expect(errorOf(refused)).toMatchObject({ code: 429, reason: 'RateLimited' })
    // Waiting would not help.
    expect(refused).not.toHaveProperty('retryAfterSeconds')
  })

  it('at a later point overrides the weights, group by group', async () => {
    const world = hookedAuth(
      {
        'authentication.pre_initialize': weights({
          'authentication.password': 100,
          'authentication.totp': 100,
        }),
        'authentication.post_identified': weights({ 'authentication.password': 1 }),
      },
      limits(8),
    )
    await importMaya(world, { totp: { secret: totpSecret } })
    const flow = await startFlow(world, 'login')
    await flow.input({ identification: 'email', login_id: email })
    stateOf(await flow.input({ authentication: 'primary_password', password }))
    const code = totpNow(world)
    const refused = await flow.input({ authentication: 'secondary_totp', code })
    expect(errorOf(refused)).toMatchObject({ reason: 'RateLimited' })
  })

  it('has its weights refunded as well', async () => {
    const world = hookedAuth(
      { 'authentication.pre_initialize': weights({ 'authentication.password': 6 }) },
      limits(8),
    )
    await importMaya(world)
    for (let count = 0; count < 3; count++) {
      const flow = await startFlow(world, 'login')
      await flow.input({ identification: 'email', login_id: email })
      stateOf(await flow.input({ authentication: 'primary_password', password }))
    }
    expect(await wrongPasswords(world)).toBe(1)
  })

  it('can keep messages from being sent, and sign-ups from ending', async () => {
    const mails = hookedAuth({
      'authentication.post_identified': weights({ 'messaging.email': 1_000 }),
    })
    const flow = await startFlow(mails, 'signup')
    const refused = await flow.input({ identification: 'email', login_id: email })
    expect(errorOf(refused)).toMatchObject({
      reason: 'RateLimited',
      info: { bucket_name: 'MessagingEmailPerIP' },
    })
    expect(mails.outbox.messages).toEqual([])

    const signUps = hookedAuth(
      { 'authentication.pre_authenticated': weights({ 'authentication.signup': 1_000 }) },
      { verification: { claims: { email: { required: false } } } },
    )
    const signUp = await startFlow(signUps, 'signup')
    await signUp.input({ identification: 'email', login_id: email })
    const input = { authentication: 'primary_password', new_password: password }
    expect(errorOf(await signUp.input(input))).toMatchObject({
      reason: 'RateLimited',
      info: { bucket_name: 'SignupPerIP' },
    })
  })
})
