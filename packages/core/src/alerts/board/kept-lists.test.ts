import { expect, it } from 'vitest'
import { createManualClock } from '../../testing/index.ts'
import { type AlertEntry, createAlertEntry } from './alert-entry.ts'
import type { TimePlace } from './alert-times.ts'
import { createKeptLists, type ListBytes } from './kept-lists.ts'

/** Lists of a state that the test sets, and how often one was rendered. */
function createFixture() {
  const state = { version: 0, change: 100, rendered: 0 }
  const clock = createManualClock()
  const lists = createKeptLists({
    clock,
    version: () => state.version,
    changesAfter: () => state.change,
  })
  const read = (question: unknown, now: number, length = 1): Promise<ListBytes> =>
    lists.get(question, now, async () => ({
      bytes: new Uint8Array(length).fill(++state.rendered),
    }))
  return { clock, state, lists, read }
}

it('equal questions share one list, also while it is rendered', async () => {
  const { state, read } = createFixture()
  const [first, second] = [
    read(['alerts', { filter: ['a="b"'] }], 1),
    read(['alerts', { filter: ['a="b"'] }], 1),
  ]
  expect(await first).toBe(await second)
  expect(await read(['alerts', { filter: ['a="b"'] }], 99)).toBe(await first)
  expect(await read(['alerts', { filter: [] }], 1)).not.toBe(await first)
  expect(state.rendered).toBe(2)
})

it('a list is rendered again after a change, and once the time changes it', async () => {
  const { state, read } = createFixture()
  const first = await read('a', 1)
  state.version++
  const second = await read('a', 1)
  state.change = 200
  const third = await read('a', 100)
  expect([first[0], second[0], third[0]]).toEqual([1, 2, 3])
  expect(await read('a', 199)).toBe(third)
})

it('a list is rendered again if the clock was set back', async () => {
  const { read } = createFixture()
  expect(await read('a', 50)).not.toBe(await read('a', 49))
})

it('a list that could not be rendered is not kept', async () => {
  const { lists, read } = createFixture()
  const failing = lists.get('a', 1, () => Promise.reject(new Error('no storage')))
  await expect(failing).rejects.toThrow('no storage')
  expect(await read('a', 1)).toHaveLength(1)
})

it('the oldest lists are dropped once all together have more than 32 MiB', async () => {
  const { state, read } = createFixture()
  const half = 16 * 1024 * 1024
  for (const question of ['a', 'b', 'c']) await read(question, 1, half)
  await read('c', 1, half)
  await read('b', 1, half)
  expect(state.rendered).toBe(3)
  await read('a', 1, half)
  expect(state.rendered).toBe(4)
})

const entry = createAlertEntry('1', {
  labels: {},
  annotations: {},
  startsAt: 0,
  endsAt: 9,
  updatedAt: 0,
})
const times = { endsAt: Uint8Array.of(7), updatedAt: Uint8Array.of(8) }

it('times of an alert are replaced in the lists that show it, but not in those that readers have', async () => {
  const { state, lists } = createFixture()
  const get = (question: string, places: [AlertEntry, TimePlace[]][]): Promise<ListBytes> =>
    lists.get(question, 1, async () => ({
      bytes: new Uint8Array(4).fill(++state.rendered),
      places: new Map(places),
    }))
  const place = { endsAt: 1, updatedAt: 2 }
  const read = async () => [
    await get('shown', [[entry, [place]]]),
    await get('not shown', []),
    await get('no room', [[entry, []]]),
  ]
  const [shown] = await read()
  lists.setTimes(entry, times)
  const [updated, others, rendered] = await read()
  expect(shown).toEqual(Uint8Array.of(1, 1, 1, 1))
  expect(updated).toEqual(Uint8Array.of(1, 7, 8, 1))
  expect(others).toEqual(Uint8Array.of(2, 2, 2, 2))
  expect(rendered).toEqual(Uint8Array.of(4, 4, 4, 4))
})

it('a list is rendered again if times change while it is rendered', async () => {
  const { state, lists } = createFixture()
  const get = () => lists.get('a', 1, async () => ({ bytes: Uint8Array.of(++state.rendered) }))
  const first = get()
  lists.setTimes(entry, times)
  expect([await first, await get()]).toEqual([Uint8Array.of(1), Uint8Array.of(2)])
})

it('lists are dropped once nobody has read one for two minutes', async () => {
  const { clock, lists, read } = createFixture()
  expect(lists.dropUnread()).toBe(false)
  const first = await read('a', 1)
  clock.advance(119_999)
  expect(lists.dropUnread()).toBe(true)
  expect(await read('a', 1)).toBe(first)
  clock.advance(120_000)
  expect(lists.dropUnread()).toBe(false)
  expect(await read('a', 1)).not.toBe(first)
})
