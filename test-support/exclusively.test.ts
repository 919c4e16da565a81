import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { exclusively } from './exclusively.ts'

const name = 'test-of-exclusively'

it('runs concurrent work one after another', async () => {
  const seen: string[] = []
  const work = (id: number) => async (): Promise<void> => {
    seen.push(`${id} begins`)
    for (let turns = 0; turns < 10; turns++) await turn()
    seen.push(`${id} ends`)
  }
  await Promise.all([1, 2, 3].map((id) => exclusively(name, work(id))))
  const ids = seen.map((line) => line.charAt(0))
  expect(seen).toHaveLength(6)
  expect([0, 2, 4].map((index) => ids[index])).toEqual([1, 3, 5].map((index) => ids[index]))
})

it('rejects with the error of the work, and lets the next work run', async () => {
  await expect(exclusively(name, () => Promise.reject(new Error('no disk')))).rejects.toThrow(
    'no disk',
  )
  let isDone = false
  await exclusively(name, async () => {
    isDone = true
  })
  expect(isDone).toBe(true)
})
