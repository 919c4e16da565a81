import type { Storage } from '@gatehouse/core'
import { defineCollection, isConflict, type Write } from '@gatehouse/core/store'
import { createManualClock } from '@gatehouse/core/testing'
import { beforeEach, expect, it } from 'vitest'
import { runsOf } from '../../../test-support/lane.ts'
import { describeWithPostgres } from '../../../test-support/postgres/use-postgres.ts'
import { useStorages } from '../test/use-storages.ts'

const plain = defineCollection<number>({ name: 'plain' })
const other = defineCollection<number>({ name: 'other' })
const followed = defineCollection<number>({ name: 'followed', feed: true })

/** How often two commits race. */
const rounds = runsOf(40)

/** The collections of the two records that two commits write and check crosswise. */
const places = [
  ['one collection', plain, plain],
  ['one collection with a feed', followed, followed],
  ['two collections', plain, other],
  ['two collections, one with a feed', followed, plain],
] as const

describeWithPostgres('concurrent commits', () => {
  const test = useStorages()

  beforeEach(async () => {
    // PostgreSQL looks for deadlocks after this time; its default is one second.
    const name = new URL(test.url).pathname.slice(1)
    await test.rows(`ALTER DATABASE ${name} SET deadlock_timeout = '10ms'`)
  })

  /** The number of commits that succeeded. The others must have failed with a conflict. */
  const madeOf = async (commits: readonly Promise<unknown>[]): Promise<number> => {
    const results = await Promise.allSettled(commits)
    const refused = results.filter((result) => result.status === 'rejected')
    for (const { reason } of refused) if (!isConflict(reason)) throw reason
    return results.length - refused.length
  }
  const pair = (): readonly [Storage, Storage] => [test.open(), test.open()]

  it.each(places)(
    'cannot both find absent the record that the other writes, in %s',
    async (_, first, second) => {
      const [left, right] = pair()
      await Promise.all([left, right].map((storage) => storage.get(first, ['a'])))
      for (let round = 0; round < rounds; round++) {
        const [x, y] = [`x${round}`, `y${round}`]
        const made = await madeOf([
          left.commit([{ collection: first, id: x, check: 'absent' }, second.write(y, 1)]),
          right.commit([{ collection: second, id: y, check: 'absent' }, first.write(x, 1)]),
        ])
        expect(made).toBe(1)
        const records = [await first.get(left, x), await second.get(left, y)]
        expect(records.filter((record) => record !== undefined)).toHaveLength(1)
      }
    },
  )

  it.each(places)(
    'cannot both find unchanged the record that the other writes, in %s',
    async (_, first, second) => {
      const [left, right] = pair()
      for (let round = 0; round < rounds; round++) {
        const [x, y] = [`x${round}`, `y${round}`]
        const [ofX = '', ofY = ''] = await left.commit([first.write(x, 0), second.write(y, 0)])
        const made = await madeOf([
          left.commit([
            { collection: first, id: x, check: ofX },
            second.write(y, 1, round % 2 === 0 ? { if: ofY } : {}),
          ]),
          right.commit([{ collection: second, id: y, check: ofY }, first.write(x, 1)]),
        ])
        expect(made).toBe(1)
      }
    },
  )

  it('cannot both remove the record that the other needs', async () => {
    const [left, right] = pair()
    for (let round = 0; round < rounds; round++) {
      const [x, y] = [`x${round}`, `y${round}`]
      const [ofX = '', ofY = ''] = await left.commit([plain.write(x, 0), plain.write(y, 0)])
      const made = await madeOf([
        left.commit([{ collection: plain, id: x, check: ofX }, plain.remove(y)]),
        right.commit([{ collection: plain, id: y, check: ofY }, plain.remove(x, ofX)]),
      ])
      expect(made).toBe(1)
      expect((await left.get(plain, [x, y])).filter((record) => record !== undefined)).toHaveLength(
        1,
      )
    }
  })

  it('cannot both find absent an expired record that the other writes again', async () => {
    const clock = createManualClock()
    const storages = [test.open({ clock }), test.open({ clock })]
    const [left, right] = storages
    for (let round = 0; round < rounds; round++) {
      const [x, y] = [`x${round}`, `y${round}`]
      const expiresAt = clock.now() + 1
      await left?.commit([plain.write(x, 0, { expiresAt }), plain.write(y, 0, { expiresAt })])
      clock.advance(1)
      const made = await madeOf([
        left?.commit([{ collection: plain, id: x, check: 'absent' }, plain.write(y, 1)]),
        right?.commit([{ collection: plain, id: y, check: 'absent' }, plain.write(x, 1)]),
      ] as Promise<unknown>[])
      expect(made).toBe(1)
    }
  })

  it('all succeed if they only check the same record', async () => {
    const storages = Array.from({ length: 4 }, () => test.open())
    const [version = ''] = (await storages[0]?.commit([plain.write('shared', 0)])) ?? []
    const commits = storages.flatMap((storage, index) =>
      Array.from({ length: 10 }, (_, round) =>
        storage.commit([
          { collection: plain, id: 'shared', check: version },
          { collection: plain, id: 'nothing', check: 'absent' },
          followed.write(`${index}-${round}`, round),
        ]),
      ),
    )
    expect(await madeOf(commits)).toBe(40)
    expect(await test.value('SELECT count(*)::int FROM gatehouse_plain')).toBe(1)
  })

  it('leave no trace of records they found absent', async () => {
    const [storage] = pair()
    const check = { collection: followed, id: 'a', check: 'absent' } as const
    await storage.commit([check])
    await storage.commit([check, plain.write('b', 1)])
    await expect(storage.commit([check, plain.write('b', 2, { if: 'absent' })])).rejects.toSatisfy(
      isConflict,
    )
    expect(await test.value('SELECT count(*)::int FROM gatehouse_followed')).toBe(0)
    expect((await storage.changes(followed, 0)).revision).toBe(0)
  })

  it('all succeed when they write the same ids in different orders and in different ways', async () => {
    const storages = Array.from({ length: 4 }, () => test.open())
    const ids = Array.from({ length: 12 }, (_, index) => `${index}`)
    const collections = [plain, followed, other]
    await storages[0]?.commit(
      collections.flatMap((collection) => ids.map((id) => collection.write(id, 0))),
    )
    /** Writes and removes all ids, in an order and a mix that differ from commit to commit. */
    const writesOf = (seed: number): Write[] => {
      const chosen = collections.slice(seed % 2, 2 + (seed % 2))
      const all = chosen.flatMap((collection) =>
        ids.map((id, index) =>
          (index * 7 + seed) % 5 === 0 ? collection.remove(id) : collection.write(id, seed),
        ),
      )
      return seed % 3 === 0 ? all.reverse() : all
    }
    const commits = storages.map(async (storage, place) => {
      for (let round = 0; round < 15; round++) {
        const writes = writesOf(place * 31 + round)
        expect(await storage.commit(writes)).toHaveLength(writes.length)
      }
    })
    await Promise.all(commits)
    expect((await storages[0]?.changes(followed, 0))?.revision).toBe(1 + 4 * 15)
  })

  it('lose no update when each replaces versions in its own order', async () => {
    const storages = Array.from({ length: 4 }, () => test.open())
    const ids = Array.from({ length: 30 }, (_, index) => `${index}`)
    await storages[0]?.commit(ids.map((id) => plain.write(id, 0)))
    /** Increments some of the records, and retries until no other process was faster. */
    const countOn = async (storage: Storage, wanted: readonly string[]): Promise<void> => {
      for (;;) {
        const records = await storage.get(plain, wanted)
        const writes = records.flatMap((record) =>
          record === undefined
            ? []
            : [plain.write(record.id, Number(record.value) + 1, { if: record.version })],
        )
        if ((await madeOf([storage.commit(writes)])) === 1) return
      }
    }
    const commits = storages.map(async (storage, place) => {
      for (let round = 0; round < 10; round++) {
        const wanted = ids.filter((_, index) => (index + round) % (place + 2) === 0)
        await countOn(storage, place % 2 === 0 ? wanted : wanted.reverse())
      }
    })
    await Promise.all(commits)
    const expected = ids.map(
      (_, index) =>
        [2, 3, 4, 5]
          .flatMap((every) =>
            Array.from({ length: 10 }, (_, round) => (index + round) % every === 0),
          )
          .filter(Boolean).length,
    )
    const records = await storages[0]?.get(plain, ids)
    expect(records?.map((record) => record?.value)).toEqual(expected)
  })

  it('write nothing when refused, whatever else they contain', async () => {
    const [storage] = pair()
    await storage.commit([plain.write('a', 0), followed.write('a', 0), other.write('a', 0)])
    const refusals: Write[] = [
      plain.write('a', 1, { if: 'absent' }),
      plain.write('a', 1, { if: 'no-version' }),
      plain.write('a', 1, { if: `no'version` }),
      plain.remove('a', 'no-version'),
      { collection: plain, id: 'a', check: 'absent' },
      { collection: plain, id: 'none', check: 'no-version' },
    ]
    for (const refusal of refusals) {
      const commit = storage.commit([followed.write('b', 1), refusal, other.remove('a')])
      await expect(commit).rejects.toMatchObject({
        reason: 'StorageConflict',
        info: { collection: 'plain', id: refusal.id },
      })
    }
    expect((await storage.changes(followed, 0)).revision).toBe(1)
    expect(await other.get(storage, 'a')).toMatchObject({ value: 0 })
    expect(await plain.get(storage, 'a')).toMatchObject({ value: 0 })
  })
})
