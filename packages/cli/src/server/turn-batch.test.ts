import { expect, it } from 'vitest'
import { createTurnBatch } from './turn-batch.ts'

const endOfTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

it('does what comes in a turn together at its end', async () => {
  const done: (readonly string[])[] = []
  const batch = createTurnBatch<string>((items) => done.push(items))
  for (const item of ['a', 'b', 'c']) batch.add(item)
  await Promise.resolve().then(() => batch.add('d'))
  expect(done).toEqual([])
  await endOfTurn()
  expect(done).toEqual([['a', 'b', 'c', 'd']])
  batch.add('e')
  await endOfTurn()
  expect(done).toEqual([['a', 'b', 'c', 'd'], ['e']])
})

it('does what waits when it is told to, and nothing twice', async () => {
  const done: (readonly string[])[] = []
  const batch = createTurnBatch<string>((items) => done.push(items))
  batch.flush()
  for (const item of ['a', 'b']) batch.add(item)
  batch.flush()
  expect(done).toEqual([['a', 'b']])
  batch.add('c')
  await endOfTurn()
  expect(done).toEqual([['a', 'b'], ['c']])
})

it('what is added while something is done waits for the next turn', async () => {
  const done: (readonly number[])[] = []
  const batch = createTurnBatch<number>((items) => {
    done.push(items)
    if (done.length < 3) batch.add(done.length)
  })
  batch.add(0)
  for (const turn of [1, 2, 3]) {
    await endOfTurn()
    expect(done).toHaveLength(turn)
  }
  expect(done).toEqual([[0], [1], [2]])
})
