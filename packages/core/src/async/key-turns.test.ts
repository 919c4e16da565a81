import { expect, it } from 'vitest'
import { createKeyTurns } from './key-turns.ts'

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

it('work of one key is done one after the other, in the order of the calls', async () => {
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

it('work of other keys is not waited for', async () => {
  const turns = createKeyTurns()
  void turns('slow', () => new Promise(() => {}))
  expect(await turns('quick', async () => 1)).toBe(1)
})

it('work that fails keeps nobody else from their turn', async () => {
  const turns = createKeyTurns()
  const failing = turns('key', () => Promise.reject(new Error('no')))
  const next = turns('key', async () => 'yes')
  await expect(failing).rejects.toThrow('no')
  expect(await next).toBe('yes')
})
