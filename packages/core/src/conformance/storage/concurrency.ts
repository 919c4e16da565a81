import { expect, it } from 'vitest'
import { isConflict, retryOnConflict, type Storage } from '../../storage/storage.ts'
import { createFollower, notes, type StorageFactory, things, useStorage } from './harness.ts'

/** Adds one to a record, by reading, deciding and committing. */
export const increment = (storage: Storage, id: string): Promise<unknown> =>
  retryOnConflict(
    async () => {
      const [record] = await storage.get(notes, [id])
      const count = typeof record?.value === 'number' ? record.value : 0
      const write = notes.write(id, count + 1, { if: record?.version ?? 'absent' })
      return storage.commit([write])
    },
    { attempts: 1_000 },
  )

/** Tests that concurrent calls take effect in one order. */
export function describeConcurrency(factory: StorageFactory): void {
  const test = useStorage(factory)

  it('no increment is lost when many race', async () => {
    const { storage } = test
    const racers = Array.from({ length: 30 }, () => increment(storage, 'counter'))
    await Promise.all(racers)
    expect(await storage.get(notes, ['counter'])).toMatchObject([{ value: 30 }])
  })

  it('of many writers that claim the same id, one wins', async () => {
    const { storage } = test
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) =>
        storage.commit([
          notes.write('taken', index, { if: 'absent' }),
          notes.write(`user-${index}`, index),
        ]),
      ),
    )
    const winners = results.flatMap(({ status }, index) => (status === 'fulfilled' ? [index] : []))
    expect(winners).toHaveLength(1)
    for (const result of results) {
      if (result.status === 'rejected') expect(isConflict(result.reason)).toBe(true)
    }
    expect(await storage.get(notes, ['taken'])).toMatchObject([{ value: winners[0] }])
    expect(await storage.find(notes, { by: 'id', from: 'user-', limit: 100 })).toHaveLength(1)
  })

  it('a reader of changes misses no record while others write', async () => {
    const { storage } = test
    const follower = createFollower(storage, things)
    let isOver = false
    const write = async (writer: number): Promise<void> => {
      for (let round = 0; round < 25; round++) {
        const id = `${writer}-${round % 10}`
        const isRemoval = round % 7 === 6
        await storage.commit([isRemoval ? things.remove(id) : things.write(id, { size: round })])
      }
    }
    const reading = (async () => {
      while (!isOver) await follower.follow()
    })()
    await Promise.all(Array.from({ length: 8 }, (_, writer) => write(writer)))
    isOver = true
    await reading
    await follower.follow()
    const all = await storage.find(things, { by: 'id', limit: 1_000 })
    expect(follower.records).toEqual(new Map(all.map((record) => [record.id, record])))
  })

  it('get() returns records of one snapshot', async () => {
    const { storage } = test
    await storage.commit([notes.write('a', 0), notes.write('b', 0)])
    let isOver = false
    const reading = (async () => {
      while (!isOver) {
        const [a, b] = await storage.get(notes, ['a', 'b'])
        expect(a?.value).toBe(b?.value)
      }
    })()
    for (let round = 1; round < 50; round++) {
      await storage.commit([notes.write('a', round), notes.write('b', round)])
    }
    isOver = true
    await reading
  })
}
