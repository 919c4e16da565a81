import { describe, expect, it } from 'vitest'
import { isWide } from '../../../../../test-support/lane.ts'
import { errorOf, startFlow, type TestAuth, type TestFlow, testAuth } from '../service.fixture.ts'
import { createUser } from './create-user.ts'
import { getLockout, resetLockout } from './lockouts.ts'

const email = 'maya@harborlight.example'
const password = 'tidal-lantern-42'
const lockout = {
  max_attempts: 3,
  history_duration: '1h',
  minimum_duration: '1m',
  maximum_duration: '5m',
  backoff_factor: 2,
  lockout_type: 'per_user',
  password: { enabled: true },
}

async function withMaya(more: object = {}) {
  const rate_limits = { general: { per_user: { enabled: false } } }
  const world = testAuth({ authentication: { rate_limits, lockout: { ...lockout, ...more } } })
  return { ...world, id: await createUser(world.auth, { email, password }) }
}

async function login(world: TestAuth, ip = '192.0.2.1'): Promise<TestFlow> {
  const flow = await startFlow(world, 'login', { ip })
  await flow.input({ identification: 'email', login_id: email })
  return flow
}
const show = (flow: TestFlow, text: string) =>
  flow.input({ authentication: 'primary_password', password: text })

describe('an account', () => {
  it('is locked by the failure that reaches the limit, and the error names the end of the lock', async () => {
    const world = await withMaya()
    const flow = await login(world)
    for (let attempt = 1; attempt < 3; attempt++) {
      expect(errorOf(await show(flow, 'wrong')).reason).toBe('InvalidCredentials')
    }
    const locked = {
      code: 429,
      reason: 'AccountLockout',
      info: { FlowType: 'login', until: '2026-03-04T10:01:00Z' },
    }
    const third = await show(flow, 'wrong')
    expect(errorOf(third)).toMatchObject(locked)
    expect(third).toMatchObject({ retryAfterSeconds: 60 })
    world.clock.advance(59_000)
    expect(errorOf(await show(flow, password))).toMatchObject(locked)
    world.clock.advance(1_000)
    expect((await show(flow, password)).ok).toBe(true)
  })

  it('is locked for all addresses or for one, as configured', async () => {
    const everywhere = await withMaya()
    const one = await login(everywhere)
    for (let attempt = 0; attempt < 3; attempt++) await show(one, 'wrong')
    const other = await login(everywhere, '198.51.100.1')
    expect(errorOf(await show(other, password)).reason).toBe('AccountLockout')

    const apart = await withMaya({ lockout_type: 'per_user_per_ip' })
    const here = await login(apart)
    for (let attempt = 0; attempt < 3; attempt++) await show(here, 'wrong')
    expect(errorOf(await show(here, password)).reason).toBe('AccountLockout')
    const locked_until = apart.clock.now() + 60_000
    expect(await getLockout(apart.auth, apart.id)).toEqual({
      attempts: 3,
      lockout_type: 'per_user_per_ip',
      locked_until,
      addresses: [{ ip: '192.0.2.1', locked_until }],
    })
    expect((await show(await login(apart, '198.51.100.1'), password)).ok).toBe(true)
  })

  it('shows its lock to the host, which can end it', async () => {
    const world = await withMaya()
    expect(await getLockout(world.auth, world.id)).toMatchObject({
      attempts: 0,
      locked_until: null,
      addresses: [],
    })
    const flow = await login(world)
    for (let attempt = 0; attempt < 3; attempt++) await show(flow, 'wrong')
    expect(await getLockout(world.auth, world.id)).toEqual({
      attempts: 3,
      lockout_type: 'per_user',
      locked_until: world.clock.now() + 60_000,
      addresses: [],
    })
    await resetLockout(world.auth, world.id)
    await resetLockout(world.auth, world.id)
    expect(await getLockout(world.auth, world.id)).toMatchObject({
      attempts: 0,
      locked_until: null,
      addresses: [],
    })
    expect((await show(flow, password)).ok).toBe(true)
  })

  it('forgets failures an hour after the last one', async () => {
    const world = await withMaya()
    const flow = await login(world)
    await show(flow, 'wrong')
    world.clock.advance(3_600_000)
    expect((await getLockout(world.auth, world.id)).attempts).toBe(0)
  })

  it('forgets the failures of an address that signs in, and keeps those of others', async () => {
    const world = await withMaya()
    const [here, there] = [await login(world), await login(world, '198.51.100.1')]
    await show(here, 'wrong')
    await show(there, 'wrong')
    await show(here, password)
    expect(await getLockout(world.auth, world.id)).toMatchObject({ attempts: 1 })
  })

  it('counts many attackers as attempts on one account', async () => {
    const world = await withMaya({ minimum_duration: '1h', maximum_duration: '24h' })
    const attackers = isWide ? 1_000 : 200
    const reasons = new Map<string, number>()
    for (let attacker = 0; attacker < attackers; attacker++) {
      const flow = await login(world, `198.51.${attacker >> 8}.${attacker & 255}`)
      const { reason } = errorOf(await show(flow, `guess ${attacker}`))
      reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
    }
    expect(Object.fromEntries(reasons)).toEqual({
      InvalidCredentials: 2,
      AccountLockout: attackers - 2,
    })
  })
})
