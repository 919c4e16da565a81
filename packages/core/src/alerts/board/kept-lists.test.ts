import { expect, it } from 'vitest'
import { createKeptLists, type ListBytes } from './kept-lists.ts'

/** Lists of a state that the test sets, and how often one was rendered. */
function createFixture() {
  const state = { version: 0, change: 100, rendered: 0 }
  const lists = createKeptLists({ version: () => state.version, changesAfter: () => state.change })
  const read = (question: unknown, now: number, length = 1): Promise<ListBytes> =>
    lists.get(question, now, async () => new Uint8Array(length).fill(++state.rendered))
  return { state, lists, read }
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

it('a list is rendered anew after a change, and once the time changes it', async () => {
  const { state, read } = createFixture()
  const first = await read('a', 1)
  state.version++
  const second = await read('a', 1)
  state.change = 200
  const third = await read('a', 100)
  expect([first[0], second[0], third[0]]).toEqual([1, 2, 3])
  expect(await read('a', 199)).toBe(third)
})

it('a list is rendered anew if the clock was set back', async () => {
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
