import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fetchHandler } from '../../http/fetch-handler.ts'
import { storageUnavailable } from '../../storage/storage.ts'
import { firingPeakCollection } from '../history/firing-peak.ts'
import {
  createHistoryWorld,
  day,
  type HistoryProcess,
  type HistoryWorld,
  hour,
  minute,
  second,
  touches,
} from '../start/start-history.fixture.ts'
import { getFiringHistory } from './get-firing-history.ts'

const quarter = 15 * minute

let world: HistoryWorld
beforeEach(() => {
  world = createHistoryWorld()
})
afterEach(() => world.end())

/** The last parts of the day, the oldest first. */
const last = async ({ alerts }: HistoryProcess, parts: number): Promise<(number | null)[]> =>
  (await getFiringHistory(alerts)).peaks.slice(-parts)

describe('getFiringHistory', () => {
  it('has the most alerts that fired at once in each quarter of an hour', async () => {
    const one = world.start()
    await one.post('a', hour)
    await one.post('b', 2 * minute)
    await world.pass(5 * minute)
    await one.post('c', 2 * minute)
    await world.pass(quarter)
    expect(await last(one, 3)).toEqual([null, 2, 1])
    const { from, partMs, peaks } = await getFiringHistory(one.alerts)
    expect([from, partMs, peaks.length]).toEqual(['2026-01-01T12:30:00.000Z', quarter, 96])
  })

  it('is up to date, although numbers are written once a minute', async () => {
    const one = world.start()
    await world.pass(minute)
    await one.post('a', hour)
    await one.post('b', hour)
    expect(await last(one, 1)).toEqual([2])
  })

  it('goes on after a restart, and knows nothing of the time in which no process ran', async () => {
    const one = world.start()
    await one.post('a', 2 * hour)
    await one.post('b', minute)
    await world.pass(30 * second)
    await one.history.stop()
    one.crash()
    world.clock.advance(2 * quarter)
    const two = world.start()
    await world.pass(second)
    expect(await last(two, 4)).toEqual([null, 2, null, 1])
  })

  it('reaches a day back, and keeps no older numbers', async () => {
    const one = world.start()
    await one.post('a', 10 * minute)
    await world.pass(10 * minute)
    for (let part = 0; part < 97; part++) {
      world.clock.advance(quarter)
      await one.history.flush()
    }
    expect((await getFiringHistory(one.alerts)).peaks).toEqual(Array.from({ length: 96 }, () => 0))
    const stored = await firingPeakCollection.find(one.alerts.storage, { by: 'id', limit: 200 })
    expect(stored.length).toBeLessThanOrEqual(97)
  })

  it('ignores numbers from the future and beside the parts', async () => {
    const one = world.start()
    await world.pass(second)
    const at = world.clock.now()
    const records = [at + day, at - quarter - 1].map((start) =>
      firingPeakCollection.write(`${start}`.padStart(15, '0'), { at: start, alerts: 7 }),
    )
    await one.alerts.storage.commit(records)
    expect(await last(one, 3)).toEqual([null, null, 0])
  })

  it('loses no peak to a storage that fails for a while', async () => {
    let fails = true
    const one = world.start({
      refuse: (writes) =>
        fails && touches(writes, firingPeakCollection) ? storageUnavailable('full') : undefined,
    })
    await one.post('a', 5 * minute)
    await world.pass(quarter + minute)
    fails = false
    await world.pass(minute)
    expect(await last(one, 2)).toEqual([1, 0])
  })

  it('is the same in all processes', async () => {
    const [a, b] = [world.start(), world.start()]
    await a.post('a', 2 * minute)
    await b.post('b', minute)
    await world.pass(quarter)
    await b.post('c', hour)
    await world.pass(minute)
    expect(await last(a, 3)).toEqual([null, 2, 1])
    expect(await getFiringHistory(b.alerts)).toEqual(await getFiringHistory(a.alerts))
  })

  it('is at GET /gatehouse/v1/firing-history, unless no history is kept', async () => {
    const one = world.start()
    const none = world.start({ historyRetentionMs: 0 })
    const ask = ({ alerts }: HistoryProcess): Promise<Response> =>
      fetchHandler(alerts.routes)(new Request('http://host/gatehouse/v1/firing-history'))
    const answer = await ask(one)
    expect([answer.status, await answer.json()]).toEqual([200, await getFiringHistory(one.alerts)])
    expect((await ask(none)).status).toBe(404)
  })
})
