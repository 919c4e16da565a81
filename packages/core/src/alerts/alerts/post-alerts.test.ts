import { describe, expect, it } from 'vitest'
import { letOthersRun } from '../../async/end-of-turn.ts'
import type { Storage } from '../../storage/storage.ts'
import { createAlerts } from '../create-alerts.ts'
import { config, createFixture } from '../service.fixture.ts'
import { listAlertGroups } from './list-alert-groups.ts'
import { listAlerts, listAlertsJson } from './list-alerts.ts'
import { postAlerts } from './post-alerts.ts'

const minute = 60_000

describe('postAlerts', () => {
  it('stores the valid alerts of a request that also has invalid ones', async () => {
    const { alerts } = createFixture()
    const posting = postAlerts(alerts, [
      { labels: { alertname: 'ok' } },
      { labels: {} },
      { labels: { alertname: 'late' }, startsAt: 2, endsAt: 1 },
    ])
    await expect(posting).rejects.toMatchObject({
      reason: 'InvalidAlerts',
      message: 'at least one label pair required\nstart time must be before end time',
    })
    expect((await listAlerts(alerts)).map(({ labels }) => labels.alertname)).toEqual(['ok'])
  })

  it('an alert without an end resolves after the resolve timeout, and keeps firing when it is sent again', async () => {
    const { alerts, clock } = createFixture()
    await postAlerts(alerts, [{ labels: { alertname: 'a' } }])
    clock.advance(4 * minute)
    await postAlerts(alerts, [{ labels: { alertname: 'a' } }])
    clock.advance(4 * minute)
    const [alert] = await listAlerts(alerts)
    expect(alert?.startsAt).toBe('2026-01-02T12:00:00.000Z')
    clock.advance(minute)
    expect(await listAlerts(alerts)).toEqual([])
  })

  it('a resolved alert fires again with a new start', async () => {
    const { alerts, clock } = createFixture()
    const labels = { alertname: 'a' }
    await postAlerts(alerts, [{ labels, endsAt: clock.now() + minute }])
    clock.advance(2 * minute)
    expect(await listAlerts(alerts)).toEqual([])
    await postAlerts(alerts, [{ labels, startsAt: clock.now(), endsAt: clock.now() + minute }])
    expect((await listAlerts(alerts))[0]?.startsAt).toBe('2026-01-02T12:02:00.000Z')
  })

  it.each([5_000, 60 * minute, -5_000, -60 * minute])(
    'the last write wins between two processes whose clocks are %i ms apart',
    async (apartMs) => {
      const { alerts, clock, storage } = createFixture()
      const otherClock = { ...clock, now: () => clock.now() + apartMs }
      const other = createAlerts({ storage, clock: otherClock, config })
      const startsAt = clock.now() - 120 * minute
      const labels = { alertname: 'a' }
      const post = (by: typeof alerts, summary: string, endsInMs: number): Promise<void> =>
        postAlerts(by, [
          {
            labels,
            annotations: { summary },
            generatorURL: `http://${summary}/`,
            startsAt: startsAt + (summary === 'second' ? 1 : 0),
            endsAt: clock.now() + 120 * minute + endsInMs,
          },
        ])
      await post(other, 'first', 0)
      await post(alerts, 'second', 1)
      expect(await listAlerts(alerts)).toMatchObject([
        { annotations: { summary: 'second' }, generatorURL: 'http://second/' },
      ])
    },
  )

  it('two services on one storage that post at the same time lose no alert', async () => {
    const { alerts, clock, storage } = createFixture()
    const other = createAlerts({ storage, clock, config })
    const start = clock.now()
    await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        postAlerts(index % 2 === 0 ? alerts : other, [
          { labels: { alertname: 'shared' }, startsAt: start, endsAt: start + minute + index },
          { labels: { alertname: `own${index}` } },
        ]),
      ),
    )
    const names = (await listAlerts(alerts)).map(({ labels }) => labels.alertname)
    expect(new Set(names).size).toBe(41)
    expect(await listAlerts(other)).toEqual(await listAlerts(alerts))
  })

  it('a post gets its turn while others post the same alert all the time', async () => {
    const { storage: quick, clock } = createFixture()
    const slow: Storage = {
      ...quick,
      async commit(writes) {
        await letOthersRun()
        return quick.commit(writes)
      },
    }
    const alerts = createAlerts({ storage: slow, clock, config })
    let isOver = false
    const post = (summary: string) =>
      postAlerts(alerts, [{ labels: { alertname: 'a' }, annotations: { summary } }])
    const others = async () => {
      for (let times = 0; !isOver; times++) await post(`${times}`)
    }
    const posting = others()
    for (let times = 0; times < 20; times++) await post('late')
    isOver = true
    await posting
    expect(await listAlerts(alerts)).toHaveLength(1)
  })

  it('drops new alerts over the limit per alertname, and accepts updates of known ones', async () => {
    const { alerts, clock } = createFixture({ perAlertnameLimit: 2 })
    const post = (n: number) => ({ labels: { alertname: 'a', n: `${n}` } })
    await postAlerts(alerts, [post(1), post(2), post(3)])
    expect(await listAlerts(alerts)).toHaveLength(2)
    clock.advance(minute)
    await postAlerts(alerts, [{ ...post(1), annotations: { new: 'yes' } }, post(4)])
    const shown = await listAlerts(alerts)
    expect(shown.map(({ labels }) => labels.n).sort()).toEqual(['1', '2'])
    expect(shown.some(({ annotations }) => annotations.new === 'yes')).toBe(true)
  })
})

describe('listAlerts', () => {
  it('returns the same alerts as values and as JSON, in the order of the fingerprints', async () => {
    const { alerts } = createFixture()
    await postAlerts(
      alerts,
      Array.from({ length: 700 }, (_, n) => ({
        labels: { alertname: `a${n}`, team: n % 3 === 0 ? 'a' : 'b', __proto__x: '<&>\u2028"' },
        annotations: { summary: `it is ${n}\n` },
        generatorURL: 'http://x/?a&b',
      })),
    )
    const values = await listAlerts(alerts)
    expect(JSON.parse(new TextDecoder().decode(await listAlertsJson(alerts)))).toEqual(values)
    const prints = values.map(({ fingerprint }) => fingerprint)
    expect(prints).toEqual([...prints].sort())
  })

  it('an alert of two routes shows both receivers and is in both groups', async () => {
    const { alerts } = createFixture()
    await postAlerts(alerts, [{ labels: { alertname: 'x', team: 'a' } }])
    const [alert] = await listAlerts(alerts)
    expect(alert?.receivers).toEqual([{ name: 'team-a' }, { name: 'night' }])
    const groups = await listAlertGroups(alerts)
    expect(groups.map(({ receiver }) => receiver.name)).toEqual(['night', 'team-a'])
    expect(await listAlertGroups(alerts, { receiver: 'team-.' })).toHaveLength(1)
  })

  it('a time interval mutes a group, in the groups view only', async () => {
    const { alerts, clock } = createFixture()
    await postAlerts(alerts, [
      { labels: { alertname: 'x', team: 'night' }, endsAt: clock.now() + 12 * 60 * minute },
    ])
    expect((await listAlerts(alerts))[0]?.status.state).toBe('active')
    const [group] = await listAlertGroups(alerts)
    expect(group?.alerts[0]?.status).toMatchObject({ state: 'suppressed', mutedBy: ['day'] })
    expect(await listAlertGroups(alerts, { muted: false })).toEqual([])
    clock.advance(8 * 60 * minute)
    const [later] = await listAlertGroups(alerts, { muted: false })
    expect(later?.alerts[0]?.status).toMatchObject({ state: 'active', mutedBy: [] })
  })

  it('an alert is inhibited exactly as long as its source fires', async () => {
    const { alerts, clock } = createFixture()
    await postAlerts(alerts, [
      { labels: { alertname: 'x', severity: 'critical' }, endsAt: clock.now() + minute },
      { labels: { alertname: 'x', severity: 'warning' }, endsAt: clock.now() + 9 * minute },
    ])
    expect(await listAlerts(alerts, { inhibited: false })).toHaveLength(1)
    clock.advance(minute - 1)
    expect(await listAlerts(alerts, { active: false })).toHaveLength(1)
    clock.advance(1)
    const [left] = await listAlerts(alerts)
    expect(left?.status).toEqual({ state: 'active', silencedBy: [], inhibitedBy: [], mutedBy: [] })
  })
})
