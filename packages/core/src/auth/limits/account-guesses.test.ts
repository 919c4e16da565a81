import { describe, expect, it } from 'vitest'
import { createUser } from '../people/create-user.ts'
import {
  type ConfigDelta,
  errorOf,
  startFlow,
  type TestAuth,
  testAuth,
} from '../service.fixture.ts'

const email = 'maya@harborlight.example'
const password = 'tidal-lantern-42'
const hour = 3_600_000

async function withMaya(delta: ConfigDelta = {}): Promise<TestAuth> {
  const world = testAuth(delta)
  await createUser(world.auth, { email, password })
  return world
}

/** Tries a password, each time from another address, and returns the result. */
async function guess(world: TestAuth, number: number, text: string, address = email) {
  const ip = `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`
  const flow = await startFlow(world, 'login', { ip })
  await flow.input({ identification: 'email', login_id: address })
  return flow.input({ authentication: 'primary_password', password: text })
}

/** The reasons of consecutive wrong guesses. */
async function reasonsOf(world: TestAuth, count: number, address = email): Promise<string[]> {
  const reasons: string[] = []
  for (let i = 0; i < count; i++) {
    reasons.push(errorOf(await guess(world, i, 'wrong', address)).reason ?? '')
  }
  return reasons
}

describe('guesses at one account', () => {
  it('are limited by default, from any number of addresses', async () => {
    const world = await withMaya()
    const reasons = await reasonsOf(world, 52)
    expect(reasons.slice(0, 50)).toEqual(Array(50).fill('InvalidCredentials'))
    expect(reasons.slice(50)).toEqual(['RateLimited', 'RateLimited'])
    const refused = await guess(world, 99, password)
    expect(errorOf(refused)).toMatchObject({
      reason: 'RateLimited',
      info: { bucket_name: 'VerifyPasswordPerUser', rate_limit_name: 'authentication.password' },
    })
    expect(refused).toMatchObject({ retryAfterSeconds: 72 })
    world.clock.advance(72_000)
    expect((await guess(world, 100, password)).ok).toBe(true)
  })

  it('are never more than a hundred in an hour', async () => {
    const world = await withMaya()
    const startsAt = world.clock.now()
    let checked = 0
    for (let i = 0; world.clock.now() < startsAt + hour; i++) {
      const { reason } = errorOf(await guess(world, i, 'wrong'))
      if (reason === 'InvalidCredentials') checked++
      else world.clock.advance(72_000)
    }
    expect(checked).toBeGreaterThan(50)
    expect(checked).toBeLessThanOrEqual(100)
  })

  it('cost nothing if they are right', async () => {
    const world = await withMaya()
    for (let i = 0; i < 60; i++) expect((await guess(world, i, password)).ok).toBe(true)
  })

  it('are limited the same if the account does not exist', async () => {
    const world = await withMaya({ authentication: { enumeration_protection: 'login' } })
    const known = await reasonsOf(world, 52)
    expect(await reasonsOf(world, 52, 'nina@harborlight.example')).toEqual(known)
    expect(known.at(-1)).toBe('RateLimited')
  })

  it('are limited as configured', async () => {
    const limits = { password: { per_user: { enabled: true, period: '1h', burst: 3 } } }
    const world = await withMaya({ authentication: { rate_limits: limits } })
    expect((await reasonsOf(world, 4)).at(-1)).toBe('RateLimited')
    const off = { general: { per_user: { enabled: false } } }
    const open = await withMaya({ authentication: { rate_limits: off } })
    expect(new Set(await reasonsOf(open, 60))).toEqual(new Set(['InvalidCredentials']))
  })
})
