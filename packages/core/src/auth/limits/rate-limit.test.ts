import { describe, expect, it } from 'vitest'
import { type TestAuth, testAuth } from '../service.fixture.ts'
import type { BucketUse } from './limit-questions.ts'
import { bucketCollection, giveBack, nextTokensAt, rateLimited, takeTokens } from './rate-limit.ts'

const use = (more: Partial<BucketUse> = {}): BucketUse => ({
  bucket: 'VerifyPasswordPerIP',
  limit: { name: 'authentication.password.per_ip', group: 'authentication.password' },
  subject: ['192.0.2.1'],
  period_ms: 60_000,
  burst: 3,
  ...more,
})

const recordsOf = ({ storage }: TestAuth) => bucketCollection.find(storage, { by: 'id', limit: 10 })

/** Takes tokens of a bucket until it is empty. Returns their number, and the wait for the next one. */
async function drain({ auth }: TestAuth, one: BucketUse): Promise<[taken: number, waitMs: number]> {
  for (let taken = 0; ; taken++) {
    const result = await takeTokens(auth, [one])
    if (!result.ok) return [taken, result.waitMs]
  }
}

describe('a bucket', () => {
  it('gives as many tokens at once as its burst, and says when the next one is due', async () => {
    const world = testAuth()
    expect(await drain(world, use())).toEqual([3, 20_000])
  })

  it('regains its tokens evenly over its period, up to its burst', async () => {
    const world = testAuth()
    await drain(world, use())
    world.clock.advance(19_999)
    expect(await drain(world, use())).toEqual([0, 1])
    world.clock.advance(1)
    expect(await drain(world, use())).toEqual([1, 20_000])
    world.clock.advance(40_000)
    expect(await drain(world, use())).toEqual([2, 20_000])
    world.clock.advance(24 * 3_600_000)
    expect(await drain(world, use())).toEqual([3, 20_000])
  })

  it('is separate for each subject and each name', async () => {
    const world = testAuth()
    await drain(world, use())
    expect((await drain(world, use({ subject: ['192.0.2.2'] })))[0]).toBe(3)
    expect((await drain(world, use({ subject: ['192.0.2', '1'] })))[0]).toBe(3)
    expect((await drain(world, use({ bucket: 'VerifyTOTPPerIP' })))[0]).toBe(3)
  })

  it('is deleted when it is full again', async () => {
    const world = testAuth()
    await drain(world, use())
    expect(await recordsOf(world)).toHaveLength(1)
    world.clock.advance(60_000)
    expect(await recordsOf(world)).toEqual([])
  })

  it('does not reveal its subject in the storage', async () => {
    const world = testAuth()
    await takeTokens(world.auth, [use({ subject: ['maya@harborlight.example'] })])
    expect(JSON.stringify(await recordsOf(world))).not.toContain('maya')
  })

  it('allows exactly its burst, however many requests are concurrent', async () => {
    const { auth } = testAuth()
    const results = await Promise.all(Array.from({ length: 20 }, () => takeTokens(auth, [use()])))
    expect(results.filter(({ ok }) => ok)).toHaveLength(3)
  })
})

describe('a returned token', () => {
  it('can be taken again', async () => {
    const world = testAuth()
    await drain(world, use())
    await giveBack(world.auth, [use()])
    expect(await drain(world, use())).toEqual([1, 20_000])
  })

  it('does not fill a bucket above its burst', async () => {
    const world = testAuth()
    await takeTokens(world.auth, [use()])
    for (let times = 0; times < 5; times++) await giveBack(world.auth, [use()])
    expect(await recordsOf(world)).toEqual([])
    expect((await drain(world, use()))[0]).toBe(3)
  })
})

describe('a bucket used by a process whose clock was ahead', () => {
  const hour = 3_600_000

  it('refuses for no longer than its period once the clock is corrected', async () => {
    const world = testAuth()
    world.clock.setWallClock(world.clock.now() + hour)
    await drain(world, use())
    world.clock.setWallClock(world.clock.now() - hour)
    expect(await drain(world, use())).toEqual([0, 20_000])
    world.clock.advance(20_000)
    expect(await drain(world, use())).toEqual([1, 20_000])
    world.clock.advance(60_000)
    expect(await drain(world, use())).toEqual([3, 20_000])
  })

  it('reports a next token within its period, even if nothing is taken', async () => {
    const world = testAuth()
    const cooldown = use({ burst: 1 })
    world.clock.setWallClock(world.clock.now() + hour)
    await drain(world, cooldown)
    world.clock.setWallClock(world.clock.now() - hour)
    const at = world.clock.now() + 60_000
    expect(await nextTokensAt(world.auth, [cooldown])).toEqual([at])
    world.clock.advance(30_000)
    expect(await nextTokensAt(world.auth, [cooldown])).toEqual([at])
  })

  it('gives no more tokens to processes with slightly different clocks than to one', async () => {
    const world = testAuth()
    const skew = 5_000
    let taken = 0
    for (let second = 0; second < 60; second++) {
      taken += (await drain(world, use()))[0]
      world.clock.setWallClock(world.clock.now() - skew)
      taken += (await drain(world, use()))[0]
      world.clock.setWallClock(world.clock.now() + skew)
      world.clock.advance(1_000)
    }
    expect(taken).toBe(3 + 2)
  })
})

describe('several buckets', () => {
  const empty = use({ bucket: 'VerifyPasswordPerUserPerIP', burst: 1 })

  it('give a token each, or none at all', async () => {
    const world = testAuth()
    expect(await takeTokens(world.auth, [use(), empty])).toEqual({ ok: true })
    for (let times = 0; times < 5; times++) {
      expect(await takeTokens(world.auth, [use(), empty])).toEqual({
        ok: false,
        use: empty,
        waitMs: 60_000,
      })
    }
    expect((await drain(world, use()))[0]).toBe(2)
  })

  it('allow everything if there are none', async () => {
    expect(await takeTokens(testAuth().auth, [])).toEqual({ ok: true })
  })
})

describe('the next token', () => {
  it('is available now, or at a later instant; reading that takes none', async () => {
    const world = testAuth()
    const one = use({ burst: 1 })
    expect((await nextTokensAt(world.auth, [one]))[0]).toBeLessThanOrEqual(world.clock.now())
    await takeTokens(world.auth, [one])
    const at = world.clock.now() + 60_000
    expect(await nextTokensAt(world.auth, [one])).toEqual([at])
    expect(await nextTokensAt(world.auth, [one])).toEqual([at])
    world.clock.setTo(at)
    expect((await nextTokensAt(world.auth, [one]))[0]).toBeLessThanOrEqual(at)
  })
})

describe('the error of a rate limit', () => {
  it('names the limit, and the wait in whole seconds', async () => {
    const world = testAuth()
    await drain(world, use())
    world.clock.advance(1)
    const taken = await takeTokens(world.auth, [use()])
    expect(rateLimited(use(), taken.ok ? 0 : taken.waitMs)).toMatchObject({
      kind: 'TooManyRequest',
      reason: 'RateLimited',
      message: 'request rate limited',
      info: {
        bucket_name: 'VerifyPasswordPerIP',
        rate_limit_name: 'authentication.password',
        rate_limit: { name: 'authentication.password.per_ip', group: 'authentication.password' },
        retryAfterSeconds: 20,
      },
    })
  })

  it('names no limit for a cooldown', () => {
    const cooldown: BucketUse = {
      bucket: 'OOBOTPCooldownEmail',
      subject: ['maya@harborlight.example'],
      period_ms: 60_000,
      burst: 1,
    }
    expect(rateLimited(cooldown, 0).info).toEqual({
      bucket_name: 'OOBOTPCooldownEmail',
      retryAfterSeconds: 1,
    })
  })
})
