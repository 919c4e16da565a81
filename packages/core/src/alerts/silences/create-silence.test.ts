import { createMemoryStorage } from '@gatehouse/store-memory'
import { describe, expect, it } from 'vitest'
import type { Write } from '../../storage/storage.ts'
import { listAlerts } from '../alerts/list-alerts.ts'
import { postAlerts } from '../alerts/post-alerts.ts'
import type { AlertsContext } from '../context.ts'
import { createAlerts } from '../create-alerts.ts'
import { config, createFixture } from '../service.fixture.ts'
import type { PostableSilence } from '../silence/silence-input.ts'
import { createSilence } from './create-silence.ts'
import { expireSilence } from './expire-silence.ts'
import { getSilence } from './get-silence.ts'
import { listSilences, listSilencesJson } from './list-silences.ts'

const minute = 60_000

function silence(alerts: AlertsContext, change: Partial<PostableSilence> = {}): PostableSilence {
  const now = alerts.clock.now()
  return {
    matchers: [{ name: 'alertname', value: 'x', isRegex: false }],
    startsAt: now,
    endsAt: now + 10 * minute,
    createdBy: 'me',
    comment: 'c',
    ...change,
  }
}

const silencedBy = async (alerts: AlertsContext): Promise<readonly string[]> =>
  (await listAlerts(alerts))[0]?.status.silencedBy ?? []

describe('createSilence', () => {
  it('silences stored and future alerts, from its start to its end', async () => {
    const { alerts, clock } = createFixture()
    const endsAt = clock.now() + 60 * minute
    await postAlerts(alerts, [{ labels: { alertname: 'x' }, endsAt }])
    const id = await createSilence(alerts, silence(alerts, { startsAt: clock.now() + minute }))
    await postAlerts(alerts, [{ labels: { alertname: 'x', n: '2' }, endsAt }])
    const all = async () => (await listAlerts(alerts)).map(({ status }) => status.silencedBy)
    expect(await all()).toEqual([[], []])
    clock.advance(minute)
    expect(await all()).toEqual([[id], [id]])
    clock.advance(9 * minute)
    expect(await all()).toEqual([[], []])
  })

  it('updates a silence under its id, or expires it and creates another, as the change requires', async () => {
    const { alerts } = createFixture()
    await postAlerts(alerts, [{ labels: { alertname: 'x' } }])
    const id = await createSilence(alerts, silence(alerts))
    expect(await createSilence(alerts, silence(alerts, { id, comment: 'new' }))).toBe(id)
    expect((await getSilence(alerts, id)).comment).toBe('new')
    const matchers = [{ name: 'alertname', value: 'x|y', isRegex: true }]
    const other = await createSilence(alerts, silence(alerts, { id, matchers }))
    expect(other).not.toBe(id)
    expect((await getSilence(alerts, id)).status.state).toBe('expired')
    expect(await silencedBy(alerts)).toEqual([other])
  })

  it('leaves the old silence alone when the replacement is not valid', async () => {
    const { alerts } = createFixture()
    const id = await createSilence(alerts, silence(alerts))
    const matchers = [{ name: 'x', value: '(', isRegex: true }]
    await expect(createSilence(alerts, silence(alerts, { id, matchers }))).rejects.toMatchObject({
      reason: 'InvalidSilence',
    })
    expect((await getSilence(alerts, id)).status.state).toBe('active')
  })

  it('rejects an id that is not stored', async () => {
    const { alerts } = createFixture()
    for (const call of [
      () => createSilence(alerts, silence(alerts, { id: 'nope' })),
      () => getSilence(alerts, 'nope'),
      () => expireSilence(alerts, 'nope'),
    ]) {
      await expect(call()).rejects.toMatchObject({ reason: 'SilenceNotFound' })
    }
  })

  it('expires a silence once and creates all replacements when two services replace it at once', async () => {
    const { alerts, clock, storage } = createFixture()
    const other = createAlerts({ storage, clock, config })
    const id = await createSilence(alerts, silence(alerts))
    const ids = await Promise.all(
      Array.from({ length: 10 }, (_, index) => {
        const matchers = [{ name: 'n', value: `${index}`, isRegex: false }]
        return createSilence(index % 2 === 0 ? alerts : other, silence(alerts, { id, matchers }))
      }),
    )
    expect(new Set(ids).size).toBe(10)
    const active = await listSilences(alerts, { expired: false })
    expect(active.map((one) => one.id).sort()).toEqual([...ids].sort())
    expect(await listSilences(other)).toHaveLength(11)
  })

  it('stores silences of concurrent requests in one commit, and a failure concerns only its own', async () => {
    const storage = createMemoryStorage()
    let commits = 0
    const counting = {
      ...storage,
      commit: (writes: readonly Write[]) => {
        commits++
        return storage.commit(writes)
      },
    }
    const { alerts } = createFixture({ storage: counting })
    const id = await createSilence(alerts, silence(alerts))
    commits = 0
    const created = await Promise.all(
      ['a', 'b', 'c'].map((comment) => createSilence(alerts, silence(alerts, { comment }))),
    )
    expect(commits).toBe(1)
    const updates = ['d', 'e'].map((comment) =>
      createSilence(alerts, silence(alerts, { id, comment })),
    )
    const other = createSilence(alerts, silence(alerts, { comment: 'f' }))
    expect(await Promise.all(updates)).toEqual([id, id])
    const stored = (await listSilences(alerts)).map(({ comment }) => comment)
    expect(stored.sort()).toEqual(
      ['a', 'b', 'c', (await getSilence(alerts, id)).comment, 'f'].sort(),
    )
    expect(new Set([id, ...created, await other]).size).toBe(5)
  })

  it('reads nothing for a new silence, unless their number is limited', async () => {
    const storage = createMemoryStorage()
    let reads = 0
    const counting = {
      ...storage,
      changes: (...of: Parameters<typeof storage.changes>) => {
        reads++
        return storage.changes(...of)
      },
    }
    const { alerts } = createFixture({ storage: counting })
    await createSilence(alerts, silence(alerts))
    expect(reads).toBe(0)
    const { alerts: limited } = createFixture({ storage: counting, maxSilences: 5 })
    await createSilence(limited, silence(limited))
    expect(reads).toBeGreaterThan(0)
  })

  it('enforces the limit on the number for concurrent requests', async () => {
    const { alerts } = createFixture({ maxSilences: 2 })
    const results = await Promise.allSettled(
      ['a', 'b', 'c'].map((comment) => createSilence(alerts, silence(alerts, { comment }))),
    )
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected'])
  })

  it('enforces the limits on number and size', async () => {
    const { alerts } = createFixture({ maxSilences: 1, maxSilenceSizeBytes: 200 })
    await expect(
      createSilence(alerts, silence(alerts, { comment: 'x'.repeat(200) })),
    ).rejects.toMatchObject({
      reason: 'SilenceLimitExceeded',
      message: expect.stringMatching(
        /^silence exceeded maximum size: 3\d\d bytes \(limit: 200 bytes\)$/,
      ),
    })
    const id = await createSilence(alerts, silence(alerts))
    await expect(createSilence(alerts, silence(alerts))).rejects.toMatchObject({
      message: 'exceeded maximum number of silences: 1 (limit: 1)',
    })
    expect(await createSilence(alerts, silence(alerts, { id }))).toBe(id)
  })
})

describe('expireSilence', () => {
  it('expires a silence at once and lets its alerts fire again', async () => {
    const { alerts, clock } = createFixture()
    await postAlerts(alerts, [{ labels: { alertname: 'x' } }])
    const id = await createSilence(alerts, silence(alerts))
    expect(await silencedBy(alerts)).toEqual([id])
    clock.advance(1_000)
    await expireSilence(alerts, id)
    expect(await silencedBy(alerts)).toEqual([])
    const { status, endsAt, updatedAt } = await getSilence(alerts, id)
    expect([status.state, endsAt, updatedAt]).toEqual([
      'expired',
      '2026-01-02T12:00:01.000Z',
      '2026-01-02T12:00:01.000Z',
    ])
    clock.advance(1_000)
    await expireSilence(alerts, id)
    expect((await getSilence(alerts, id)).endsAt).toBe(endsAt)
  })
})

describe('listSilences', () => {
  it('compares a filter literally and selects by state', async () => {
    const { alerts, clock } = createFixture()
    const regex = [{ name: 'alertname', value: 'x', isRegex: true }]
    await createSilence(alerts, silence(alerts))
    const second = await createSilence(
      alerts,
      silence(alerts, { matchers: regex, startsAt: clock.now() + minute }),
    )
    expect(await listSilences(alerts, { filter: ['alertname=~"x"'] })).toHaveLength(1)
    expect((await listSilences(alerts, { active: false })).map(({ id }) => id)).toEqual([second])
    await expect(listSilences(alerts, { filter: ['alertname'] })).rejects.toMatchObject({
      reason: 'InvalidMatcher',
      message: 'bad matcher format: alertname',
    })
  })

  it('returns the same silences as values and as JSON', async () => {
    const { alerts } = createFixture()
    await createSilence(alerts, silence(alerts, { annotations: { b: '<', a: '' } }))
    await createSilence(alerts, silence(alerts, { comment: '"\n' }))
    expect(JSON.parse(new TextDecoder().decode(await listSilencesJson(alerts)))).toEqual(
      await listSilences(alerts),
    )
  })
})
