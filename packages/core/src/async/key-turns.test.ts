import { expect, it } from 'vitest'
import { createKeyTurns } from './key-turns.ts'

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

it('runs work with the same key one after the other, in the order of the calls', async () => {
  const turns = createKeyTurns()
  const steps: string[] = []
  const work = (name: string) => async (): Promise<string> => {
    steps.push(`${name} begins`)
    await nextTurn()
    steps.push(`${name} ends`)
    return name
  }
  const names = ['one', 'two', 'three']
  const all = await Promise.all(names.map((name) => turns('key', work(name))))
  expect(all).toEqual(names)
  expect(steps).toEqual(names.flatMap((name) => [`${name} begins`, `${name} ends`]))
})

it('does not wait for work with other keys', async () => {
  const turns = createKeyTurns()
  void turns('slow', () => new Promise(() => {}))
  expect(await turns('quick', async () => 1)).toBe(1)
})

it('goes on after failed work', async () => {
  const turns = createKeyTurns()
  const failing = turns('key', () => Promise.reject(new Error('no')))
  const next = turns('key', async () => 'yes')
  await expect(failing).rejects.toThrow('no')
  expect(await next).toBe('yes')
})
