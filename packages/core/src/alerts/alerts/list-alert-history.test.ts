import { createMemoryStorage } from '@gatehouse/store-memory'
import { createSqliteStorage } from '@gatehouse/store-sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isWide } from '../../../../../test-support/lane.ts'
import { createHistoryIds } from '../../history/history-id.ts'
import { createManualClock, type ManualClock } from '../../testing/manual-clock.ts'
import { fingerprintOfObject } from '../alert/label-set.ts'
import type { AlertsContext } from '../context.ts'
import { createAlerts } from '../create-alerts.ts'
import { alertHistoryCollection, type StoredAlertEvent } from '../history/alert-event.ts'
import { type AlertHistoryQuery, listAlertHistory } from './list-alert-history.ts'

const config = 'route: { receiver: team }\nreceivers: [ { name: team } ]'
const second = 1_000

describe.each(['memory', 'sqlite'])('the history of alerts in %s', (store) => {
  let clock: ManualClock
  let alerts: AlertsContext
  let startedAt: number
  let idAt: ReturnType<typeof createHistoryIds>

  beforeEach(() => {
    clock = createManualClock()
    startedAt = clock.now()
    const storage =
      store === 'memory'
        ? createMemoryStorage({ clock })
        : createSqliteStorage({ filename: ':memory:', clock })
    alerts = createAlerts({ storage, clock, config })
    idAt = createHistoryIds(alerts.ids)
  })
  afterEach(() => alerts.storage.close())

  /** Records one event a second from the start, for ten alerts in turn; every third is a resolution. */
  async function fill(count: number): Promise<void> {
    const writes = Array.from({ length: count }, (_, n) => {
      const labels = { alertname: `a${n % 10}`, parity: n % 2 === 0 ? 'even' : 'odd' }
      const at = startedAt + n * second
      const event: StoredAlertEvent = {
        at,
        event: n % 3 === 2 ? 'resolved' : 'firing',
        fingerprint: fingerprintOfObject(labels),
        labels,
        annotations: { n: `${n}` },
        startsAt: at,
      }
      return alertHistoryCollection.write(idAt(at), event)
    })
    for (let at = 0; at < count; at += 5_000) {
      await alerts.storage.commit(writes.slice(at, at + 5_000))
    }
    clock.advance(count * second)
  }

  const numbers = async (query: AlertHistoryQuery): Promise<number[]> =>
    (await listAlertHistory(alerts, query)).items.map(({ annotations }) => Number(annotations.n))

  /** All pages of a query, as lists of the numbers of their events. */
  async function pages(query: AlertHistoryQuery): Promise<number[][]> {
    const found: number[][] = []
    let after: string | undefined
    do {
      const page = await listAlertHistory(alerts, { ...query, after })
      found.push(page.items.map(({ annotations }) => Number(annotations.n)))
      after = page.next
    } while (after !== undefined)
    return found
  }

  it('is listed newest first, 100 events a page', async () => {
    await fill(250)
    const sizes = (await pages({})).map((page) => page.length)
    expect(sizes).toEqual([100, 100, 50])
    expect((await pages({})).flat()).toEqual(Array.from({ length: 250 }, (_, n) => 249 - n))
  })

  it('ends after the last event, also at the end of a page', async () => {
    await fill(10)
    expect(await pages({ limit: 5 })).toEqual([
      [9, 8, 7, 6, 5],
      [4, 3, 2, 1, 0],
    ])
    expect(await pages({ limit: 1_000 })).toHaveLength(1)
    expect(await pages({ from: startedAt + 9 * second, limit: 1 })).toEqual([[9]])
  })

  it('is found by time, with an inclusive start and an exclusive end', async () => {
    await fill(10)
    const at = (n: number): number => startedAt + n * second
    expect(await numbers({ from: at(7) })).toEqual([9, 8, 7])
    expect(await numbers({ from: at(7) + 1 })).toEqual([9, 8])
    expect(await numbers({ from: new Date(at(7)) })).toEqual([9, 8, 7])
    expect(await numbers({ from: new Date(at(7)).toISOString() })).toEqual([9, 8, 7])
    expect(await numbers({ to: at(2) })).toEqual([1, 0])
    expect(await numbers({ from: at(3), to: at(5) })).toEqual([4, 3])
    expect(await numbers({ from: at(5), to: at(3) })).toEqual([])
    expect(await numbers({ from: -1, to: '9999-12-31T23:59:59Z' })).toHaveLength(10)
  })

  it('is found by alert, also with a time, a page at a time', async () => {
    await fill(60)
    const fingerprint = fingerprintOfObject({ alertname: 'a3', parity: 'odd' })
    expect(await pages({ fingerprint, limit: 4 })).toEqual([
      [53, 43, 33, 23],
      [13, 3],
    ])
    const from = startedAt + 10 * second
    expect(await pages({ fingerprint, from, to: from + 40 * second, limit: 2 })).toEqual([
      [43, 33],
      [23, 13],
    ])
    expect(await numbers({ fingerprint: '0000000000000000' })).toEqual([])
    expect(await numbers({ fingerprint: 'a\0' })).toEqual([])
  })

  it('is found by labels and by event', async () => {
    await fill(30)
    expect(await numbers({ filter: ['alertname=~"a[12]"', 'parity!="odd"'] })).toEqual([22, 12, 2])
    expect(await numbers({ filter: ['alertname="a2"'], event: ['resolved'] })).toEqual([2])
    expect(await numbers({ event: ['resolved', 'firing'] })).toHaveLength(30)
    expect(await numbers({ event: ['changed'] })).toEqual([])
  })

  // To store so much takes long, and the parts are those of the service.
  if (isWide || store === 'memory') {
    it('is searched in parts: a page without items says where to go on', async () => {
      await fill(45_000)
      const found = await pages({
        filter: ['alertname="a7"'],
        to: startedAt + 44_000 * second,
        event: ['expired'],
      })
      expect(found).toEqual([[], [], []])
      const seldom = await pages({ filter: ['alertname="a7"'], limit: 1_000 })
      expect(seldom.map((page) => page.length)).toEqual([1_000, 1_000, 1_000, 1_000, 500])
    })
  }

  it('continues at the same place, whatever is recorded meanwhile', async () => {
    await fill(10)
    const first = await listAlertHistory(alerts, { limit: 5 })
    const labels = { alertname: 'new' }
    const at = clock.now()
    const event: StoredAlertEvent = {
      at,
      event: 'firing',
      fingerprint: fingerprintOfObject(labels),
      labels,
      annotations: { n: '10' },
      startsAt: at,
    }
    await alerts.storage.commit([alertHistoryCollection.write(idAt(at), event)])
    expect(await numbers({ limit: 5, after: first.next })).toEqual([4, 3, 2, 1, 0])
    expect(await numbers({ limit: 1 })).toEqual([10])
  })

  it.each([
    [{ limit: 0 }, 'limit must be a whole number from 1 to 1000'],
    [{ limit: 1_001 }, 'limit must be a whole number from 1 to 1000'],
    [{ limit: 1.5 }, 'limit must be a whole number from 1 to 1000'],
    [{ after: 'x' }, 'after is not the "next" of a page'],
    [{ after: 'MDAw' }, 'after is not the "next" of a page'],
  ])('rejects the query %o', async (query, message) => {
    const asking = listAlertHistory(alerts, query)
    await expect(asking).rejects.toMatchObject({ reason: 'InvalidHistoryQuery', message })
  })

  it('rejects an invalid matcher', async () => {
    const asking = listAlertHistory(alerts, { filter: ['a'] })
    await expect(asking).rejects.toMatchObject({ reason: 'InvalidMatcher' })
  })
})
