import { defineCollection } from '@gatehouse/core/store'
import { createManualClock } from '@gatehouse/core/testing'
import type pg from 'pg'
import { describe, expect, it } from 'vitest'
import { describeWithPostgres } from '../../../../test-support/postgres/use-postgres.ts'
import { interceptedPool } from '../../test/intercepted-pool.ts'
import { untilIdle, useStorages } from '../../test/use-storages.ts'
import type { PostgresClient } from '../database.ts'
import { createPostgresStorage } from '../index.ts'

const notes = defineCollection<string>({ name: 'notes', feed: true })
const codes = defineCollection<string>({ name: 'codes' })
const unavailable = { kind: 'ServiceUnavailable', reason: 'StorageUnavailable' }

describeWithPostgres('a pool of connections', () => {
  const test = useStorages()

  /** Locks a table in a transaction until `release()`. */
  const lock = async (table: string): Promise<{ release(): Promise<void> }> => {
    const client = await test.connect()
    await client.query('BEGIN')
    await client.query(`LOCK TABLE ${table}`)
    return {
      async release() {
        await client.query('ROLLBACK')
      },
    }
  }

  const feedRows = async (): Promise<unknown[]> =>
    test.rows('SELECT revision::int, ids FROM "gatehouse_notes.feed" WHERE revision > 0 ORDER BY 1')

  describe('when connections die', () => {
    it('replaces connections that died while idle, without an error', async () => {
      const pool = test.pool({ max: 5 })
      const errorListeners = pool.listenerCount('error')
      const storage = test.open({ database: pool })
      await storage.commit([notes.write('a', 'kept')])
      await untilIdle(pool, { listening: 1 })
      const dying = await test.rows(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid()`,
      )
      expect(dying.length).toBeGreaterThan(1)
      await expect.poll(() => pool.totalCount).toBe(0)
      expect(await notes.get(storage, 'a')).toMatchObject({ value: 'kept' })
      await storage.commit([notes.write('b', 'made')])
      await storage.close()
      expect(pool.listenerCount('error')).toBe(errorListeners)
    })

    it('repeats reads that were under way', async () => {
      const storage = test.open()
      await storage.commit([notes.write('a', 'kept')])
      const { release } = await lock('gatehouse_notes')
      const read = notes.get(storage, 'a')
      await test.terminate(await test.nextWaiting('SELECT id, version'))
      await test.nextWaiting('SELECT id, version')
      await release()
      expect(await read).toMatchObject({ value: 'kept' })
    })

    it('gives up a read after several attempts', async () => {
      const storage = test.open()
      await storage.commit([notes.write('a', 'kept')])
      const { release } = await lock('gatehouse_notes')
      const read = storage.get(notes, ['a'])
      const refused = expect(read).rejects.toMatchObject(unavailable)
      for (let attempt = 1; attempt <= 3; attempt++) {
        await test.terminate(await test.nextWaiting('SELECT id, version'))
      }
      await refused
      await release()
      expect(await notes.get(storage, 'a')).toMatchObject({ value: 'kept' })
    })

    it('repeats a waiting transaction, and commits it once', async () => {
      const storage = test.open()
      await storage.commit([notes.write('a', 'first')])
      const { release } = await lock('gatehouse_notes')
      const commit = storage.commit([notes.write('a', 'second'), notes.write('b', 'second')])
      await test.terminate(await test.nextWaiting('INSERT INTO'))
      await test.nextWaiting('INSERT INTO')
      await release()
      const [version] = await commit
      expect(await notes.get(storage, 'a')).toMatchObject({ value: 'second', version })
      expect(await feedRows()).toEqual([
        [1, ['a']],
        [2, ['a', 'b']],
      ])
    })

    it('reports a one-statement commit, which may have succeeded, as failed', async () => {
      const storage = test.open()
      await storage.commit([codes.write('a', 'first')])
      const { release } = await lock('gatehouse_codes')
      const refused = expect(storage.commit([codes.write('a', 'second')])).rejects.toMatchObject(
        unavailable,
      )
      await test.terminate(await test.nextWaiting('INSERT INTO'))
      await refused
      await release()
      expect(await codes.get(storage, 'a')).toMatchObject({ value: 'first' })
      await storage.commit([codes.write('a', 'third')])
    })
  })

  describe('when the connection is cut', () => {
    it.each(['BEGIN', 'INSERT INTO "gatehouse_notes"', 'WITH counted'])(
      'before %s, repeats the commit, once',
      async (statement) => {
        const proxy = await test.proxy()
        const storage = test.open({ url: proxy.url })
        await storage.commit([notes.write('a', 'first')])
        proxy.cutBefore({ text: statement })
        await storage.commit([notes.write('a', 'second'), codes.write('a', 'second')])
        expect(await notes.get(storage, 'a')).toMatchObject({ value: 'second' })
        expect(await feedRows()).toEqual([
          [1, ['a']],
          [2, ['a']],
        ])
      },
    )

    it.each([
      ['before COMMIT, reports an unknown outcome', 'cutBefore', 'first'],
      ['after COMMIT, reports an unknown outcome', 'cutAfter', 'second'],
    ] as const)('%s, and reads the feed again', async (_, cut, left) => {
      const clock = createManualClock()
      const proxy = await test.proxy()
      const storage = test.open({ url: proxy.url, clock })
      await storage.commit([notes.write('a', 'first')])
      const { revision } = await storage.changes(notes, 0)
      proxy[cut]({ text: 'COMMIT', behind: 'second' })
      await expect(storage.commit([notes.write('a', 'second')])).rejects.toMatchObject({
        ...unavailable,
        message: expect.stringContaining('it is not known whether it succeeded'),
      })
      const expected = left === 'first' ? [] : ['second']
      // The clock stands still, so only the failure makes the storage read the feed again.
      await expect
        .poll(async () => {
          const changes = await notes.changes(storage, revision)
          return 'written' in changes ? changes.written.map(({ value }) => value) : changes
        })
        .toEqual(expected)
      expect(await notes.get(storage, 'a')).toMatchObject({ value: left })
      await storage.commit([notes.write('a', 'third')])
      expect(await storage.changes(notes, revision)).toMatchObject({
        revision: revision + expected.length + 1,
      })
    })

    it('works again once the database is back', async () => {
      const proxy = await test.proxy()
      const storage = test.open({ url: proxy.url })
      await storage.commit([notes.write('a', 'kept')])
      await proxy.refuse()
      for (const call of [
        () => storage.get(notes, ['a']),
        () => storage.find(notes, { by: 'id', limit: 1 }),
        () => storage.commit([notes.write('a', 'lost')]),
        () => storage.commit([codes.write('a', 'lost')]),
      ]) {
        await expect(call()).rejects.toMatchObject(unavailable)
      }
      await proxy.accept()
      expect(await notes.get(storage, 'a')).toMatchObject({ value: 'kept' })
      await storage.commit([notes.write('a', 'made')])
    })

    it('needs no database to create a storage; later calls find it', async () => {
      const proxy = await test.proxy()
      await proxy.refuse()
      const storage = test.open({ url: proxy.url })
      await expect(storage.get(notes, ['a'])).rejects.toMatchObject(unavailable)
      await proxy.accept()
      await storage.commit([notes.write('a', 'made')])
    })
  })

  describe('provided by the host', () => {
    it('has no connection in use after any kind of failure', async () => {
      const pool = test.pool({ max: 3 })
      const storage = test.open({ database: pool })
      await storage.commit([notes.write('a', 'kept'), codes.write('a', 'kept')])
      const missing = notes.write('a', 'no', { if: 'no-version' })
      for (let round = 0; round < 5; round++) {
        await expect(storage.commit([missing])).rejects.toMatchObject({ kind: 'Conflict' })
        await expect(storage.commit([missing, codes.write('a', 'no')])).rejects.toThrow()
        await expect(storage.commit([codes.write('a', 'no', { if: 'absent' })])).rejects.toThrow()
        await expect(storage.find(notes, { by: 'none', limit: 1 })).rejects.toThrow(TypeError)
      }
      await test.rows('ALTER TABLE gatehouse_codes RENAME value TO other')
      await expect(storage.commit([codes.write('a', 'no'), missing])).rejects.toThrow()
      await expect(storage.get(codes, ['a'])).rejects.toMatchObject(unavailable)
      await untilIdle(pool, { listening: 1 })
      expect(await notes.get(storage, 'a')).toMatchObject({ value: 'kept' })
      expect(
        await test.value(`SELECT count(*)::int FROM pg_stat_activity
        WHERE datname = current_database() AND state LIKE 'idle in transaction%'`),
      ).toBe(0)
    })

    it('may have a single connection, which is never held', async () => {
      const clock = createManualClock()
      const pool = test.pool({ max: 1 })
      const storage = test.open({ database: pool, clock })
      const other = test.open({ database: pool, clock })
      const work = Array.from({ length: 20 }, async (_, index) => {
        await storage.commit([notes.write(`${index}`, 'made'), codes.write(`${index}`, 'made')])
        return other.get(notes, [`${index}`])
      })
      for (const [record] of await Promise.all(work))
        expect(record).toMatchObject({ value: 'made' })
      await other.changes(notes, 0)
      await storage.commit([notes.write('last', 'made')])
      clock.advance(1_000)
      expect(await other.changes(notes, 20)).toMatchObject({ written: [{ id: 'last' }] })
      await untilIdle(pool, { listening: 0 })
    })

    it('may hide how many connections it has', async () => {
      const pool = test.pool({ max: 1 })
      const storage = test.open({
        timeoutMs: 3_000,
        database: { connect: async () => (await pool.connect()) as PostgresClient },
      })
      await storage.commit([notes.write('a', 'made')])
      expect(await storage.changes(notes, 0)).toMatchObject({ revision: 1 })
      await untilIdle(pool, { listening: 0 })
    })

    it('stays open when the storage is closed', async () => {
      const pool = test.pool()
      const storage = test.open({ database: pool })
      await storage.commit([notes.write('a', 'made')])
      await storage.close()
      await untilIdle(pool, { listening: 0 })
      expect((await pool.query('SELECT id FROM gatehouse_notes')).rows).toEqual([{ id: 'a' }])
      const listening = `SELECT count(*)::int FROM pg_stat_activity
        WHERE datname = current_database() AND query LIKE 'LISTEN%'`
      await expect.poll(() => test.value(listening)).toBe(0)
    })
  })

  describe('with prepared statements', () => {
    const prepared = async (pool: pg.Pool): Promise<number> => {
      const { rows } = await pool.query('SELECT name FROM pg_prepared_statements')
      return rows.length
    }

    it('prepares statements only on request', async () => {
      const pool = test.pool({ max: 1 })
      const plain = test.open({ database: pool })
      await plain.commit([notes.write('a', 'made')])
      await plain.changes(notes, 0)
      expect(await prepared(pool)).toBe(0)
      const storage = test.open({ database: pool, prepare: true })
      for (let round = 0; round < 3; round++) {
        await storage.commit([notes.write('a', `${round}`), codes.write(`${round}`, 'made')])
        await storage.get(notes, ['a'])
      }
      const count = await prepared(pool)
      expect(count).toBeGreaterThan(3)
      await storage.get(notes, ['b'])
      // The best plan of a find depends on its values, so it is not prepared.
      await storage.find(notes, { by: 'id', limit: 1 })
      expect(await prepared(pool)).toBe(count)
    })

    it('serves several storages', async () => {
      // One connection to listen for each storage, and one for statements.
      const pool = test.pool({ max: 4 })
      const places = [{}, { schema: 'one' }, { prefix: 'other_' }]
      const storages = places.map((place) => test.open({ ...place, database: pool, prepare: true }))
      for (const [index, storage] of storages.entries()) {
        await storage.commit([notes.write('a', `${index}`), codes.write(`${index}`, 'made')])
      }
      for (const [index, storage] of storages.entries()) {
        expect(await notes.get(storage, 'a')).toMatchObject({ value: `${index}` })
        expect(await storage.changes(notes, 0)).toMatchObject({ revision: 1 })
      }
    })

    it('goes on when tables change', async () => {
      const clock = createManualClock()
      const storage = test.open({ clock, maxConnections: 1 })
      const other = test.open({ clock })
      const useAll = async (round: number): Promise<void> => {
        await storage.commit([notes.write('a', `${round}`), codes.write('a', `${round}`)])
        await other.commit([notes.write('b', `${round}`)])
        clock.advance(1_000)
        expect(await storage.get(notes, ['a', 'b'])).toMatchObject([
          { value: `${round}` },
          { value: `${round}` },
        ])
        expect(await storage.find(codes, { by: 'id', limit: 1 })).toHaveLength(1)
        expect(await storage.changes(notes, 0)).toMatchObject({ revision: 2 * round + 2 })
      }
      await useAll(0)
      for (const table of ['gatehouse_notes', '"gatehouse_notes.feed"', 'gatehouse__feeds']) {
        await test.rows(`ALTER TABLE ${table} ADD COLUMN added integer NOT NULL DEFAULT 1`)
      }
      await useAll(1)
      await test.rows('CREATE INDEX by_hand ON gatehouse_codes (version)')
      await useAll(2)
    })
  })

  describe('opened by the storage', () => {
    const connections = (): Promise<unknown> =>
      test.value(`SELECT count(*)::int FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'gatehouse'`)

    it('has the configured number of connections, and one to listen', async () => {
      const storage = test.open({ maxConnections: 2 })
      await storage.get(notes, ['a'])
      const { release } = await lock('gatehouse_notes')
      const reads = Array.from({ length: 6 }, () => storage.get(notes, ['a']))
      for (let waiting = 0; waiting < 2; waiting++) await test.nextWaiting('SELECT id, version')
      expect(await connections()).toBe(3)
      await release()
      await Promise.all(reads)
    })

    it('is closed with the storage, once, after pending work', async () => {
      const storage = createPostgresStorage({ url: test.url })
      await storage.commit([notes.write('a', 'made')])
      const { release } = await lock('gatehouse_notes')
      const events: string[] = []
      const commit = storage
        .commit([notes.write('a', 'last'), codes.write('a', 'last')])
        .then(() => events.push('committed'))
      await test.nextWaiting('INSERT INTO')
      const closing = [storage.close(), storage.close()].map((close) =>
        close.then(() => events.push('closed')),
      )
      await expect(storage.get(notes, ['a'])).rejects.toMatchObject({ reason: 'StorageClosed' })
      await release()
      await Promise.all([commit, ...closing])
      expect(events).toEqual(['committed', 'closed', 'closed'])
      await storage.close()
      await expect.poll(connections).toBe(0)
      expect(await test.open().get(notes, ['a'])).toMatchObject([{ value: 'last' }])
    })

    it('connects only when needed', async () => {
      const storage = test.open()
      await expect(storage.commit([notes.write('', 'no id')])).rejects.toThrow(TypeError)
      await storage.commit([])
      expect(await connections()).toBe(0)
      await storage.close()
    })

    it('refuses more pending operations than the limit', async () => {
      const storage = test.open({ maxPending: 3 })
      await storage.get(notes, ['a'])
      const { release } = await lock('gatehouse_notes')
      const reads = Array.from({ length: 3 }, () => storage.get(notes, ['a']))
      await expect(storage.get(notes, ['a'])).rejects.toMatchObject(unavailable)
      await expect(storage.commit([codes.write('a', 'no')])).rejects.toMatchObject(unavailable)
      await release()
      await Promise.all(reads)
      await storage.commit([codes.write('a', 'made')])
    })
  })

  it('closes a connection whose ROLLBACK fails', async () => {
    const pool = test.pool()
    const released: unknown[] = []
    pool.on('release', (broken) => released.push(broken))
    let isOver = false
    const database = interceptedPool(pool, async (text, run) => {
      if (text !== 'ROLLBACK' || isOver) return run()
      isOver = true
      throw new Error('no answer')
    })
    const storage = test.open({ database })
    const missing = notes.write('a', 'no', { if: 'no-version' })
    await expect(storage.commit([missing])).rejects.toMatchObject({ kind: 'Conflict' })
    expect(isOver).toBe(true)
    expect(released).toContain(true)
    await storage.commit([notes.write('a', 'made')])
  })
})
