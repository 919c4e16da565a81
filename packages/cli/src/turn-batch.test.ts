import { expect, it } from 'vitest'
import { createTurnBatch } from './turn-batch.ts'

const endOfTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

it('does the first of a turn at once, and the others together at its end', async () => {
  const done: (readonly string[])[] = []
  const batch = createTurnBatch<string>((items) => done.push(items))
  for (const item of ['a', 'b', 'c']) batch.add(item)
  expect(done).toEqual([['a']])
  await endOfTurn()
  expect(done).toEqual([['a'], ['b', 'c']])
  batch.add('d')
  expect(done.at(-1)).toEqual(['d'])
})

it('does what waits when it is told to, and nothing twice', async () => {
  const done: (readonly string[])[] = []
  const batch = createTurnBatch<string>((items) => done.push(items))
  batch.flush()
  for (const item of ['a', 'b']) batch.add(item)
  batch.flush()
  expect(done).toEqual([['a'], ['b']])
  await endOfTurn()
  expect(done).toEqual([['a'], ['b']])
})

it('what is added while something is done waits for the end of the turn', async () => {
  const done: (readonly number[])[] = []
  const batch = createTurnBatch<number>((items) => {
    done.push(items)
    if (done.length < 4) batch.add(done.length)
  })
  batch.add(0)
  await endOfTurn()
  await endOfTurn()
  expect(done.slice(0, 2)).toEqual([[0], [1]])
  await endOfTurn()
  expect(done.flat()).toEqual([0, 1, 2, 3])
})
