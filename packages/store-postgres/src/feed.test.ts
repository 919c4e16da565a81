import { defineCollection } from '@gatehouse/core/store'
import { createManualClock } from '@gatehouse/core/testing'
import { describe, expect, it } from 'vitest'
import { describeWithPostgres } from '../../../test-support/postgres/use-postgres.ts'
import { interceptedPool } from '../test/intercepted-pool.ts'
import { useStorages } from '../test/use-storages.ts'

const notes = defineCollection<number>({ name: 'notes', feed: true })

describeWithPostgres('the feed', () => {
  const test = useStorages()

  /** Appends commits of one id to the feed, as if that many had been made, each with the weight of `ids` ids. */
  const addCommits = async (count: number, { ids }: { ids: number }): Promise<void> => {
    const weight = 1 + ids
    await test.rows(
      `INSERT INTO "gatehouse_notes.feed" (revision, weight, ids)
       SELECT revision + n, weight + n * $2::int, ARRAY['x'] FROM gatehouse__feeds, generate_series(1, $1::int) AS n
       WHERE name = 'notes'`,
      [count, weight],
    )
    await test.rows(
      `UPDATE gatehouse__feeds SET revision = revision + $1::int, weight = weight + $1::int * $2::int WHERE name = 'notes'`,
      [count, weight],
    )
  }

  it('returns the same objects that this process committed', async () => {
    const storage = test.open()
    const value = { deep: [1] }
    const things = defineCollection<unknown>({ name: 'things', feed: true })
    const { revision } = await storage.changes(things, 0)
    await storage.commit([things.write('a', value)])
    const changes = await things.changes(storage, revision)
    expect('written' in changes && changes.written[0]?.value).toBe(value)
  })

  it('has one row per commit that touches the collection', async () => {
    const storage = test.open()
    const others = defineCollection<number>({ name: 'others', feed: true })
    const ids = Array.from({ length: 100 }, (_, index) => `${index}`)
    await storage.commit(ids.map((id) => notes.write(id, 1)))
    await storage.commit([others.write('a', 1)])
    await storage.commit([notes.remove('0'), notes.remove('missing')])
    await storage.commit([notes.remove('missing')])
    await storage.commit([
      { collection: notes, id: 'missing', check: 'absent' },
      others.write('b', 1),
    ])
    const rows = await test.rows('SELECT revision::int, ids FROM "gatehouse_notes.feed" ORDER BY 1')
    expect(rows.map(([revision]) => revision)).toEqual([0, 1, 2])
    expect(rows.map(([, touched]) => new Set(touched as string[]))).toEqual([
      new Set(),
      new Set(ids),
      new Set(['0']),
    ])
  })

  it('costs no statement while only this process commits and the clock stands still', async () => {
    const clock = createManualClock()
    const asked: string[] = []
    // With one connection nothing can listen to other processes, so the clock alone decides.
    const database = interceptedPool(test.pool({ max: 1 }), (text, run) => {
      if (text.includes('AS newest')) asked.push(text)
      return run()
    })
    const storage = test.open({ clock, database })
    let { revision } = await storage.changes(notes, 0)
    expect(asked).toHaveLength(1)
    await storage.commit([notes.write('a', 1)])
    for (let round = 0; round < 100; round++) {
      const changes = await storage.changes(notes, revision)
      revision = changes.revision
    }
    expect(revision).toBe(1)
    expect(asked).toHaveLength(1)
    clock.advance(1_000)
    await storage.changes(notes, revision)
    expect(asked).toHaveLength(2)
  })

  describe('while its counter is locked', () => {
    const numbered = async (): Promise<unknown> =>
      (await test.rows('SELECT revision::int, ids FROM "gatehouse_notes.feed" ORDER BY 1')).slice(1)
    const unnumbered = async (): Promise<unknown> =>
      (await test.rows('SELECT ids FROM "gatehouse_notes.next" ORDER BY place')).flat()

    /** Locks the counter, as a commit does until it ends. */
    const holdCounter = async (): Promise<{ release(): Promise<unknown> }> => {
      const holder = await test.connect()
      await holder.query('BEGIN')
      await holder.query(`SELECT FROM gatehouse__feeds WHERE name = 'notes' FOR UPDATE`)
      return { release: () => holder.query('COMMIT') }
    }

    it('lets commits through unnumbered; the next one that gets the counter numbers them in order', async () => {
      const [storage, other] = [test.open(), test.open()]
      await storage.commit([notes.write('before', 0)])
      const { release } = await holdCounter()
      await storage.commit([notes.write('a', 1)])
      await other.commit([notes.write('b', 1), notes.write('c', 1)])
      await storage.commit([notes.remove('before')])
      expect(await numbered()).toEqual([[1, ['before']]])
      expect(await unnumbered()).toEqual([['a'], ['b', 'c'], ['before']])
      await release()
      await other.commit([notes.write('d', 1)])
      expect(await numbered()).toEqual([
        [1, ['before']],
        [2, ['a']],
        [3, ['b', 'c']],
        [4, ['before']],
        [5, ['d']],
      ])
      expect(await unnumbered()).toEqual([])
      expect(await storage.changes(notes, 4)).toMatchObject({ revision: 5, removed: [] })
      expect(await other.changes(notes, 1)).toMatchObject({ revision: 5, removed: ['before'] })
      expect(
        await test.value(`SELECT weight::int FROM gatehouse__feeds WHERE name = 'notes'`),
      ).toBe(2 + 2 + 3 + 2 + 2)
    })

    it('makes a reader wait, and then returns every earlier commit', async () => {
      const storage = test.open()
      const { revision } = await storage.changes(notes, 0)
      const { release } = await holdCounter()
      await storage.commit([notes.write('a', 1)])
      let isTold = false
      const following = storage.changes(notes, revision).finally(() => {
        isTold = true
      })
      await test.nextWaiting('WITH counter')
      expect(isTold).toBe(false)
      await release()
      const changes = await following
      expect('written' in changes && changes.written.map(({ id }) => id)).toEqual(['a'])
      expect(changes.revision).toBe(revision + 1)
      expect(await unnumbered()).toEqual([])
    })

    it('returns to a storage opened later the commits made meanwhile', async () => {
      const storage = test.open()
      await storage.changes(notes, 0)
      const { release } = await holdCounter()
      await storage.commit([notes.write('a', 1)])
      await release()
      expect(await test.open().changes(notes, 7)).toEqual({ reset: true, revision: 1 })
    })

    it('keeps its numbers apart from those of an older version that numbers commits itself', async () => {
      const storage = test.open()
      await storage.changes(notes, 0)
      const { release } = await holdCounter()
      await storage.commit([notes.write('a', 1)])
      await release()
      await addCommits(1, { ids: 1 })
      expect(await storage.changes(notes, 0)).toMatchObject({ revision: 2 })
      expect(await numbered()).toEqual([
        [1, ['x']],
        [2, ['a']],
      ])
    })
  })

  it('refuses to work without its counter, and says what to do', async () => {
    const storage = test.open()
    await storage.commit([notes.write('a', 1)])
    await test.rows(`DELETE FROM gatehouse__feeds WHERE name = 'notes'`)
    const refusal = {
      reason: 'StorageCorrupt',
      message: expect.stringContaining('INSERT INTO "gatehouse__feeds" SELECT'),
    }
    await expect(storage.commit([notes.write('b', 1)])).rejects.toMatchObject(refusal)
    await expect(test.open().changes(notes, 0)).rejects.toMatchObject(refusal)
    expect(await notes.get(storage, 'b')).toBeUndefined()
    const message = await storage.commit([notes.write('b', 1)]).then(String, String)
    await test.rows(message.slice(message.indexOf('INSERT INTO')))
    await storage.commit([notes.write('b', 1)])
    expect(await test.open().changes(notes, 1)).toMatchObject({ revision: 2 })
  })

  it('reaches further back than memory, but not without limit', async () => {
    const storage = test.open()
    await storage.commit([notes.write('x', 1), notes.write('y', 1)])
    await addCommits(40, { ids: 5_000 })
    await storage.commit([notes.write('z', 1)])
    const count = (): Promise<unknown> =>
      test.value('SELECT count(*)::int FROM "gatehouse_notes.feed"')
    await expect.poll(count).toBeLessThan(25)
    for (const reader of [storage, test.open()]) {
      expect(await reader.changes(notes, 1)).toEqual({ reset: true, revision: 42 })
      const changes = await reader.changes(notes, 32)
      expect(changes).toMatchObject({ revision: 42, removed: [] })
      expect('written' in changes && changes.written.map(({ id }) => id).sort()).toEqual(['x', 'z'])
    }
  })

  it('reaches back exactly as far as promised', async () => {
    const storage = test.open()
    await storage.commit([notes.write('x', 1)])
    await addCommits(60_000, { ids: 1 })
    await storage.commit([notes.write('y', 1)])
    const oldest = (): Promise<unknown> =>
      test.value('SELECT min(revision)::int FROM "gatehouse_notes.feed"')
    await expect.poll(oldest).toBeGreaterThan(0)
    const from = Number(await oldest())
    const heaviest = await test.value(
      'SELECT (max(weight) - min(weight))::int FROM "gatehouse_notes.feed"',
    )
    expect(heaviest).toBeGreaterThanOrEqual(100_000)
    expect(await test.open().changes(notes, from)).toMatchObject({ revision: 60_002 })
    expect(await test.open().changes(notes, from - 1)).toEqual({ reset: true, revision: 60_002 })
  })

  it('stays bounded under many small commits', async () => {
    const storage = test.open()
    await storage.changes(notes, 0)
    await addCommits(49_000, { ids: 1 })
    const heaviest = async (): Promise<number> =>
      Number(await test.value('SELECT max(weight) - min(weight) FROM "gatehouse_notes.feed"'))
    for (let round = 0; round < 6; round++) {
      await addCommits(2_500, { ids: 1 })
      await storage.commit([notes.write('a', round)])
      await expect.poll(heaviest).toBeLessThan(100_000 + 10)
    }
  })

  it('continues from its last answer, though memory was behind it', async () => {
    const clock = createManualClock()
    const writer = test.open({ clock })
    // This storage does not listen to the writer, and the clock stands still.
    const storage = test.open({ clock, database: test.pool({ max: 1 }) })
    const ids = async (since: number): Promise<unknown> => {
      const changes = await storage.changes(notes, since)
      return 'written' in changes ? changes.written.map(({ id }) => id).sort() : changes
    }
    await writer.commit([notes.write('a', 1)])
    expect(await ids(0)).toEqual(['a'])
    await writer.commit([notes.write('b', 1)])
    expect(await ids(0)).toEqual(['a', 'b'])
    expect(await ids(2)).toEqual([])
    await writer.commit([notes.write('c', 1), notes.write('a', 2)])
    await writer.commit([notes.write('d', 1), notes.remove('b')])
    clock.advance(1_000)
    expect(await ids(4)).toEqual([])
    expect(await ids(3)).toEqual(['d'])
    expect(await ids(2)).toEqual(['a', 'c', 'd'])
    expect(await storage.changes(notes, 1)).toMatchObject({ revision: 4, removed: ['b'] })
    expect(await storage.changes(notes, 3)).toMatchObject({ revision: 4, removed: ['b'] })
  })

  it('resets a reader that is ahead of it, as after restoring a backup', async () => {
    const clock = createManualClock()
    const storage = test.open({ clock })
    await storage.commit([notes.write('a', 1)])
    await storage.commit([notes.write('b', 1)])
    const { revision } = await storage.changes(notes, 0)
    await test.rows(`UPDATE gatehouse__feeds SET revision = 1 WHERE name = 'notes'`)
    await test.rows('DELETE FROM "gatehouse_notes.feed" WHERE revision > 1')
    clock.advance(1_000)
    expect(await storage.changes(notes, revision)).toEqual({ reset: true, revision: 1 })
    await storage.commit([notes.write('c', 1)])
    const changes = await storage.changes(notes, 1)
    expect('written' in changes && changes.written.map(({ id }) => id)).toEqual(['c'])
  })
})
