import { expect, it } from 'vitest'
import { oneByOne } from './one-by-one.ts'

it('work waits for the work before it, and runs even if that failed', async () => {
  const inTurn = oneByOne()
  const steps: string[] = []
  const first = inTurn(async () => {
    steps.push('first begins')
    await Promise.resolve()
    steps.push('first fails')
    throw new Error('away')
  })
  const second = inTurn(async () => {
    steps.push('second')
    return 2
  })
  await expect(first).rejects.toThrow('away')
  expect(await second).toBe(2)
  expect(steps).toEqual(['first begins', 'first fails', 'second'])
})
