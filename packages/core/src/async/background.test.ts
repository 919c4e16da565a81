import { expect, it } from 'vitest'
import { createBackground } from './background.ts'

it('waits for all work, also for what is added meanwhile, and passes failures on', async () => {
  const errors: unknown[] = []
  const ended: string[] = []
  const background = createBackground((error) => errors.push(error))
  const first = async (): Promise<void> => {
    await Promise.resolve()
    background.add(Promise.resolve().then(() => ended.push('second')))
    ended.push('first')
  }
  background.add(first())
  background.add(Promise.reject(new Error('gone')))
  await background.settled()
  expect(ended).toEqual(['first', 'second'])
  expect(errors).toEqual([new Error('gone')])
})
