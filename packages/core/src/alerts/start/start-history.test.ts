import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSqliteStorage } from '@gatehouse/store-sqlite'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { storageUnavailable } from '../../storage/storage.ts'
import { acknowledge, unacknowledge } from '../alerts/acknowledge.ts'
import { getFiringHistory } from '../alerts/get-firing-history.ts'
import { listAlertHistory } from '../alerts/list-alert-history.ts'
import { listAlerts } from '../alerts/list-alerts.ts'
import { postAlerts } from '../alerts/post-alerts.ts'
import { alertHistoryCollection } from '../history/alert-event.ts'
import { createSilence } from '../silences/create-silence.ts'
import { expireSilence } from '../silences/expire-silence.ts'
import { listSilenceHistory } from '../silences/list-silence-history.ts'
import {
  createHistoryWorld,
  day,
  type HistoryProcess,
  type HistoryWorld,
  hour,
  minute,
  second,
  touches,
} from './start-history.fixture.ts'
import { collectGarbage } from './start-maintenance.ts'

let world: HistoryWorld
beforeEach(() => {
  world = createHistoryWorld()
})
afterEach(() => world.end())

const metric = async ({ alerts }: HistoryProcess, name: string): Promise<string | undefined> => {
  const { body } = await alerts.metrics.expose(null)
  return body.split('\n').find((line) => line.startsWith(`gatehouse_alerts_history_${name}`))
}

describe('the life of an alert', () => {
  it('follows its changes, not repeated posts of the same alert', async () => {
    const one = world.start()
    await one.post('a', 4 * minute)
    await world.pass(minute)
    await one.post('a', 4 * minute)
    await world.pass(minute)
    await one.post('a', 4 * minute, { runbook: 'new' })
    await world.pass(minute)
    await one.post('a', 0, { runbook: 'new' })
    await one.post('a', 0, { runbook: 'new' })
    await world.pass(minute)
    await one.post('a', minute)
    await world.pass(second)
    expect(await world.events(one)).toEqual([
      '0s firing a',
      '120s changed a',
      '180s resolved a',
      '240s firing a',
    ])
  })

  it('has the people who acknowledged it, and who took that back', async () => {
    const one = world.start()
    const labels = { alertname: 'a' }
    await one.post('a', hour)
    const until = world.clock.now() + minute
    await acknowledge(one.alerts, { labels, by: 'maya', comment: 'on it', until })
    await world.pass(second)
    await one.post('a', hour)
    await unacknowledge(one.alerts, { labels, by: 'tom' })
    await world.pass(second)
    expect(await world.events(one)).toEqual([
      '0s firing a',
      '0s acknowledged a',
      '1s unacknowledged a',
    ])
    const [back, made] = (await listAlertHistory(one.alerts)).items
    expect(made).toMatchObject({
      by: 'maya',
      comment: 'on it',
      until: new Date(until).toISOString(),
      labels,
    })
    expect(back).toMatchObject({ by: 'tom', labels })
    expect(back).not.toHaveProperty('comment')
  })

  it('includes its labels, annotations, start and end', async () => {
    const one = world.start()
    const now = world.clock.now()
    const alert = {
      labels: { alertname: 'a', __proto__x: '1' },
      annotations: { summary: 'it is <b>' },
      generatorURL: 'http://prometheus/graph',
      startsAt: now - minute,
    }
    await postAlerts(one.alerts, [{ ...alert, endsAt: now + minute }])
    world.clock.advance(second)
    await postAlerts(one.alerts, [{ ...alert, endsAt: now + 500 }])
    await one.history.flush()
    const { items } = await listAlertHistory(one.alerts)
    const common = {
      fingerprint: expect.stringMatching(/^[\da-f]{16}$/),
      labels: alert.labels,
      annotations: alert.annotations,
      generatorURL: alert.generatorURL,
      startsAt: '2026-01-02T11:59:00.000Z',
    }
    expect(items).toEqual([
      {
        id: expect.any(String),
        at: '2026-01-02T12:00:01.000Z',
        event: 'resolved',
        ...common,
        endsAt: '2026-01-02T12:00:00.500Z',
      },
      { id: expect.any(String), at: '2026-01-02T12:00:00.000Z', event: 'firing', ...common },
    ])
  })

  it('records annotations that change with each post once an hour', async () => {
    const one = world.start()
    for (let n = 0; n < 130; n++) {
      await one.post('a', 4 * minute, { value: `${n}` })
      world.clock.advance(minute)
    }
    await one.history.flush()
    expect(await world.events(one)).toEqual([
      '0s firing a',
      '60s changed a',
      '3660s changed a',
      '7260s changed a',
    ])
  })

  it('keeps only a part of very large values', async () => {
    const one = world.start()
    const annotations = { a: 'kept', b: 'x'.repeat(100_000) }
    await postAlerts(one.alerts, [
      {
        labels: { alertname: 'a', z: 'y'.repeat(9_000) },
        annotations,
        generatorURL: `/${'u'.repeat(1e5)}`,
      },
    ])
    await one.history.flush()
    const [event] = (await listAlertHistory(one.alerts)).items
    expect(event).toMatchObject({ labels: { alertname: 'a' }, annotations: { a: 'kept' } })
    expect(JSON.stringify(event).length).toBeLessThan(3_000)
  })
})

describe('an alert whose end passes silently', () => {
  it('is recorded as expired at its end, once that is certain', async () => {
    const one = world.start()
    await one.post('a', minute)
    await world.pass(minute + second)
    expect(await world.events(one)).toEqual(['0s firing a'])
    await world.pass(5 * second)
    expect(await world.events(one)).toEqual(['0s firing a', '60s expired a'])
    expect((await listAlertHistory(one.alerts)).items[0]?.endsAt).toBe('2026-01-02T12:01:00.000Z')
  })

  it('is not recorded as expired if it was extended or resolved', async () => {
    const one = world.start()
    await one.post('a', minute)
    await one.post('b', minute)
    await world.pass(59 * second)
    await one.post('a', minute)
    await one.post('b', 0)
    await world.pass(59 * second)
    expect(await world.events(one)).toEqual(['0s firing a', '0s firing b', '59s resolved b'])
  })

  it('is recorded as expired even if it fires again before the next look', async () => {
    const one = world.start()
    await one.post('a', minute)
    world.clock.advance(minute)
    await one.post('a', minute)
    await world.pass(2 * second)
    expect(await world.events(one)).toEqual(['0s firing a', '60s expired a', '60s firing a'])
  })

  it('is recorded as expired even if it is removed before the next look', async () => {
    const one = world.start()
    await one.post('a', minute)
    await world.pass(59 * second)
    world.clock.advance(second)
    await collectGarbage(one.alerts)
    await world.pass(5 * second)
    expect(await world.events(one)).toEqual(['0s firing a', '60s expired a'])
  })

  it('is recorded as expired even if no process ran meanwhile', async () => {
    const one = world.start()
    await one.post('a', minute)
    await one.history.flush()
    one.crash()
    world.clock.advance(hour)
    const two = world.start()
    await world.pass(second)
    expect(await world.events(two)).toEqual(['0s firing a', '60s expired a'])
    two.crash()
    const three = world.start()
    await world.pass(second)
    expect(await world.events(three)).toHaveLength(2)
  })
})

describe('several processes on one storage', () => {
  const folder = mkdtempSync(join(tmpdir(), 'history-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it.each(['memory', 'sqlite'])(
    'in %s record all events together, and each end once',
    async (store) => {
      const shared =
        store === 'memory'
          ? world
          : createHistoryWorld({
              open: (clock) => createSqliteStorage({ filename: join(folder, 'test.db'), clock }),
            })
      const [a, b] = [shared.start(), shared.start()]
      await a.post('a', 2 * minute)
      await b.post('b', minute)
      await shared.pass(30 * second)
      await b.post('a', 0)
      await shared.pass(2 * minute)
      const expected = ['0s firing a', '0s firing b', '30s resolved a', '60s expired b']
      expect((await shared.events(a)).sort()).toEqual(expected)
      expect((await shared.events(b)).sort()).toEqual(expected)
      for (const { alerts } of [a, b]) {
        expect((await getFiringHistory(alerts)).peaks.at(-1)).toBe(2)
      }
      if (shared !== world) await shared.end()
    },
  )
})

describe('silences', () => {
  it('are recorded with the users who created, changed and expired them', async () => {
    const one = world.start()
    const now = world.clock.now()
    const silence = {
      matchers: [{ name: 'alertname', value: 'a', isRegex: false }],
      startsAt: now,
      endsAt: now + hour,
      createdBy: 'ann',
      comment: 'on its way',
    }
    const id = await createSilence(one.alerts, silence)
    world.clock.advance(second)
    await createSilence(one.alerts, { ...silence, id, endsAt: now + 2 * hour, createdBy: 'bob' })
    world.clock.advance(second)
    const other = { name: 'alertname', value: 'b', isRegex: false }
    const next = await createSilence(one.alerts, {
      ...silence,
      id,
      matchers: [other],
      createdBy: 'cy',
    })
    world.clock.advance(second)
    await expireSilence(one.alerts, next)
    await expireSilence(one.alerts, next)
    await one.history.flush()
    const { items } = await listSilenceHistory(one.alerts)
    const brief = items.map(({ event, silenceId, by }) => [event, silenceId, by])
    expect(brief.reverse()).toEqual([
      ['created', id, 'ann'],
      ['changed', id, 'bob'],
      ['created', next, 'cy'],
      ['expired', id, 'cy'],
      ['expired', next, undefined],
    ])
    expect(items[0]).toMatchObject({
      at: '2026-01-02T12:00:03.000Z',
      matchers: [{ ...other, isEqual: true }],
      startsAt: '2026-01-02T12:00:02.000Z',
      endsAt: '2026-01-02T12:00:03.000Z',
      createdBy: 'cy',
      comment: 'on its way',
    })
    const found = await listSilenceHistory(one.alerts, { silenceId: id, event: ['expired'] })
    expect(found.items.map(({ by }) => by)).toEqual(['cy'])
  })
})

describe('writing', () => {
  it('happens every second, after the alerts are stored', async () => {
    const one = world.start()
    await world.settle()
    await one.post('a', hour)
    await world.settle()
    expect(await world.events(one)).toEqual([])
    expect(await metric(one, 'waiting')).toBe('gatehouse_alerts_history_waiting 1')
    world.clock.advance(second)
    await world.settle()
    expect(await world.events(one)).toEqual(['0s firing a'])
    expect(await metric(one, 'written_total{')).toBe(
      'gatehouse_alerts_history_written_total{collection="alert_history"} 1',
    )
  })

  it('happens at once when many records wait', async () => {
    const one = world.start()
    await world.settle()
    const names = Array.from({ length: 10_000 }, (_, n) => ({ labels: { alertname: `a${n}` } }))
    await postAlerts(one.alerts, names)
    await world.settle()
    expect((await world.events(one)).length).toBe(1_000)
  })

  it('is at most one batch behind when the process is killed, and no alert is lost', async () => {
    const one = world.start()
    await one.post('a', hour)
    await world.pass(second)
    await one.post('b', hour)
    one.crash()
    const two = world.start()
    await world.pass(second)
    expect(await world.events(two)).toEqual(['0s firing a'])
    expect(await listAlerts(two.alerts)).toHaveLength(2)
  })

  it('waits for a failing storage, loses nothing, and logs the failure once', async () => {
    let isAway = false
    const one = world.start({
      refuse: (writes) =>
        isAway && touches(writes, alertHistoryCollection) ? storageUnavailable('away') : undefined,
    })
    await world.settle()
    isAway = true
    for (let n = 0; n < 600; n++) await one.post(`a${n}`, hour)
    await world.pass(10 * second)
    expect(await world.events(one)).toEqual([])
    expect(await listAlerts(one.alerts)).toHaveLength(600)
    isAway = false
    await world.pass(second)
    expect(await world.events(one)).toHaveLength(600)
    expect(one.log).toEqual([
      'warn: history could not be written',
      'info: history is written again',
    ])
    expect(await metric(one, 'dropped')).toBe('gatehouse_alerts_history_dropped_total 0')
  })

  it('that was committed without a confirmation is not repeated', async () => {
    let isLost = true
    const one = world.start({
      loseAnswer(writes) {
        if (!isLost || !touches(writes, alertHistoryCollection)) return undefined
        isLost = false
        return storageUnavailable('the connection was lost')
      },
    })
    await one.post('a', hour)
    await world.pass(3 * second)
    expect(await world.events(one)).toEqual(['0s firing a'])
    expect(one.log).toHaveLength(2)
  })

  it('keeps no more records than its limit, counts lost ones, and logs that once', async () => {
    let isAway = true
    const one = world.start({
      refuse: (writes) =>
        isAway && touches(writes, alertHistoryCollection) ? storageUnavailable('away') : undefined,
    })
    const names = Array.from({ length: 50_500 }, (_, n) => ({ labels: { alertname: `a${n}` } }))
    for (let from = 0; from < names.length; from += 10_000) {
      await postAlerts(one.alerts, names.slice(from, from + 10_000))
    }
    await world.pass(second)
    expect(await metric(one, 'waiting')).toBe('gatehouse_alerts_history_waiting 50000')
    expect(await metric(one, 'dropped')).toBe('gatehouse_alerts_history_dropped_total 500')
    isAway = false
    await world.pass(second)
    expect(await metric(one, 'waiting')).toBe('gatehouse_alerts_history_waiting 0')
    // Whether the first write fails before the limit is reached depends on how the requests are split into commits.
    expect(one.log.toSorted()).toEqual([
      'info: history is written again',
      'warn: history could not be written',
      'warn: history is lost: too many records wait',
    ])
  })

  it('continues after a record that the storage will never accept', async () => {
    let isRefused = true
    const one = world.start({
      refuse: (writes) => {
        if (!isRefused || !touches(writes, alertHistoryCollection)) return undefined
        isRefused = false
        return new TypeError('a record cannot have this value')
      },
    })
    await one.post('a', hour)
    await one.history.flush()
    await one.post('b', hour)
    await one.history.flush()
    expect(await world.events(one)).toEqual(['0s firing b'])
    expect(await metric(one, 'dropped')).toBe('gatehouse_alerts_history_dropped_total 1')
    expect(one.log).toEqual(['error: the storage refuses history'])
  })

  it('finishes when it is stopped, and nothing happens after that', async () => {
    const one = world.start()
    await one.post('a', hour)
    await one.history.stop()
    await one.post('b', hour)
    await world.pass(2 * second)
    expect(await world.events(one)).toEqual(['0s firing a'])
    expect(one.alerts.dispatch.followsAlerts).toBe(false)
    expect(world.clock.pendingTimers).toBe(0)
  })

  it('that is no longer possible does not prevent stopping', async () => {
    const one = world.start({
      refuse: (writes) =>
        touches(writes, alertHistoryCollection) ? storageUnavailable('away') : undefined,
    })
    await one.post('a', hour)
    await one.history.stop()
    expect(one.log.at(-1)).toBe('error: history is lost: it could not be written')
    expect(await metric(one, 'dropped')).toBe('gatehouse_alerts_history_dropped_total 1')
  })
})

describe('retention', () => {
  it('is 14 days', async () => {
    const one = world.start()
    await one.post('a', 20 * day)
    await one.history.flush()
    world.clock.advance(14 * day - 1)
    expect(await world.events(one)).toEqual(['0s firing a'])
    world.clock.advance(1)
    expect(await world.events(one)).toEqual([])
  })

  it('removes everything old from the storage with the next writes', async () => {
    const one = world.start({ historyRetentionMs: minute })
    for (let n = 0; n < 60; n++) {
      await one.post(`a${n}`, hour)
      await world.pass(2 * second)
    }
    const { storage } = one.alerts
    const kept = await storage.find(alertHistoryCollection, { by: 'id', limit: 1_000 })
    expect(kept.length).toBeLessThanOrEqual(30)
  })

  it('applies at once when it is shortened', async () => {
    const one = world.start()
    await one.post('a', 20 * day)
    await one.history.flush()
    world.clock.advance(hour)
    expect(await world.events(world.start({ historyRetentionMs: 2 * hour }))).toHaveLength(1)
    expect(await world.events(world.start({ historyRetentionMs: minute }))).toEqual([])
  })

  it('of 0 records nothing and reads nothing', async () => {
    const one = world.start({ historyRetentionMs: 0 })
    expect(one.alerts.dispatch.followsAlerts).toBe(false)
    await one.post('a', minute)
    await world.pass(2 * minute)
    expect(await world.events(one)).toEqual([])
    expect(world.clock.pendingTimers).toBe(0)
  })
})
