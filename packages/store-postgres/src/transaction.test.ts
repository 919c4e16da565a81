import { PGlite } from '@electric-sql/pglite'
import type { Storage } from '@gatehouse/core'
import { defineCollection, retryOnConflict, type TransactionStorage } from '@gatehouse/core/store'
import type pg from 'pg'
import postgres from 'postgres'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { describeWithPostgres } from '../../../test-support/postgres/use-postgres.ts'
import { useStorages } from '../test/use-storages.ts'
import { createPostgresStorage, type PostgresStorage, type PostgresTransaction } from './index.ts'

const notes = defineCollection<string>({ name: 'notes', feed: true })
const codes = defineCollection<{ text: string }>({ name: 'codes', fields: { text: 'text' } })

/** The values of the notes in a storage, by id. */
const notesIn = async (storage: Storage): Promise<Record<string, unknown>> => {
  const found = await notes.find(storage, { by: 'id', limit: 100 })
  return Object.fromEntries(found.map(({ id, value }) => [id, value]))
}

describeWithPostgres('a storage within a transaction of pg', () => {
  const test = useStorages()
  const endings: (() => Promise<void>)[] = []
  // Runs before the pools are closed, which waits for their clients.
  afterEach(async () => {
    for (const end of endings.splice(0)) await end()
  })

  const begun = async (
    pool = test.pool(),
  ): Promise<{ client: pg.PoolClient; storage: PostgresStorage; inner: TransactionStorage }> => {
    const storage = createPostgresStorage({ timeoutMs: 60_000, database: pool })
    const client = await pool.connect()
    const inner = storage.within(client)
    endings.push(async () => {
      client.release(true)
      await storage.close()
    })
    await client.query('BEGIN')
    return { client, storage, inner }
  }

  it('commits and rolls back with the rows of the app', async () => {
    for (const ending of ['COMMIT', 'ROLLBACK']) {
      const { client, storage, inner } = await begun()
      await client.query('CREATE TABLE IF NOT EXISTS app (id text)')
      await inner.commit([notes.write(ending, 'made'), codes.write(ending, { text: 'x' })])
      await client.query('INSERT INTO app VALUES ($1)', [ending])
      expect(await notes.get(inner, ending)).toMatchObject({ value: 'made' })
      expect(await inner.find(codes, { by: 'text', equals: 'x', limit: 9 })).not.toEqual([])
      expect(await notes.get(storage, ending)).toBeUndefined()
      await client.query(ending)
      expect((await notes.get(storage, ending))?.value).toBe(
        ending === 'COMMIT' ? 'made' : undefined,
      )
    }
    expect(await test.rows('SELECT id FROM app')).toEqual([['COMMIT']])
  })

  it('goes on after a conflict, without what the conflicting commit wrote', async () => {
    const { client, storage, inner } = await begun()
    await inner.commit([notes.write('a', 'first')])
    const conflicting = [notes.write('b', 'no'), notes.write('a', 'no', { if: 'absent' })]
    await expect(inner.commit(conflicting)).rejects.toMatchObject({ reason: 'StorageConflict' })
    await inner.commit([notes.write('c', 'second')])
    await client.query('COMMIT')
    expect(await notesIn(storage)).toEqual({ a: 'first', c: 'second' })
  })

  it('waits for a transaction that writes the same record, and then sees its outcome', async () => {
    const pool = test.pool()
    const { client, storage, inner } = await begun(pool)
    const other = await begun(pool)
    const take = (on: Storage, by: string) =>
      retryOnConflict(async () => {
        const found = await notes.get(on, 'name')
        if (found !== undefined) return found.value
        await on.commit([notes.write('name', by, { if: 'absent' })])
        return by
      })
    expect(await take(inner, 'first')).toBe('first')
    const second = take(other.inner, 'second')
    await test.nextWaiting('INSERT INTO')
    await client.query('COMMIT')
    expect(await second).toBe('first')
    await other.client.query('COMMIT')
    expect(await notesIn(storage)).toEqual({ name: 'first' })
  })

  it('shows followers nothing before the commit, and everything after it', async () => {
    const { client, storage, inner } = await begun()
    const follower = test.open()
    const { revision } = await follower.changes(notes, 0)
    await inner.commit([notes.write('kept', 'x')])
    await inner.commit([notes.write('removed', 'x')])
    await inner.commit([notes.remove('removed')])
    // No counter is locked: others commit and follow meanwhile.
    await storage.commit([notes.write('beside', 'x')])
    const before = await follower.changes(notes, revision)
    expect(before).toMatchObject({ revision: revision + 1, written: [{ id: 'beside' }] })
    await client.query('COMMIT')
    for (const one of [follower, storage]) {
      await expect
        .poll(async () => one.changes(notes, before.revision))
        .toMatchObject({
          revision: before.revision + 3,
          written: [{ id: 'kept' }],
          removed: ['removed'],
        })
    }
  })

  it('leaves no trace in the feed when it is rolled back', async () => {
    const { client, storage, inner } = await begun()
    const { revision } = await storage.changes(notes, 0)
    await inner.commit([notes.write('a', 'x')])
    await client.query('ROLLBACK')
    await storage.commit([notes.write('b', 'x')])
    expect(await test.open().changes(notes, revision)).toMatchObject({
      revision: revision + 1,
      written: [{ id: 'b' }],
    })
    expect(await test.rows('SELECT count(*)::int FROM "gatehouse_notes.next"')).toEqual([[0]])
  })

  it('wakes followers by a notification, not by their polling', async () => {
    const { client, inner } = await begun()
    const listener = await test.connect()
    const heard: unknown[] = []
    listener.on('notification', ({ payload }) => heard.push(payload))
    await listener.query('LISTEN gatehouse_changes')
    await inner.commit([notes.write('a', 'x')])
    expect(heard).toEqual([])
    await client.query('COMMIT')
    await expect.poll(() => heard).toContainEqual(expect.stringMatching(/^\S+ notes$/))
  })

  it('is not stored when the process dies before the commit', async () => {
    const { client, storage, inner } = await begun()
    await inner.commit([notes.write('a', 'lost')])
    client.on('error', () => {})
    const { rows } = await client.query('SELECT pg_backend_pid() AS pid')
    await test.terminate(Number(rows[0]?.pid))
    await expect(inner.commit([notes.write('b', 'lost')])).rejects.toMatchObject({
      reason: 'StorageUnavailable',
    })
    expect(await notesIn(storage)).toEqual({})
  })

  it('runs concurrent calls one after the other', async () => {
    const { client, storage, inner } = await begun()
    const again = storage.within(client)
    const made = Array.from({ length: 20 }, async (_, index) => {
      const on = index % 2 === 0 ? inner : again
      const condition = index % 5 === 0 ? ({ if: 'no-version' } as const) : {}
      return on.commit([notes.write(`${index}`, 'x', condition)])
    })
    const outcomes = await Promise.allSettled(made)
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(4)
    await client.query('COMMIT')
    expect(Object.keys(await notesIn(storage))).toHaveLength(16)
  })

  describe('refuses', () => {
    it('a client that is not in a transaction', async () => {
      const pool = test.pool()
      const storage = test.open({ database: pool }) as PostgresStorage
      const client = await pool.connect()
      const inner = storage.within(client)
      await expect(inner.get(notes, ['a'])).rejects.toMatchObject({ reason: 'NotInTransaction' })
      await expect(inner.commit([notes.write('a', 'x')])).rejects.toMatchObject({
        reason: 'NotInTransaction',
        message: expect.stringContaining('BEGIN'),
      })
      client.release()
      expect(await notesIn(storage)).toEqual({})
    })

    it.each([
      ['after the commit', ['COMMIT']],
      ['after the rollback', ['ROLLBACK']],
      ['in the next transaction of the connection', ['COMMIT', 'BEGIN']],
    ])('to work %s', async (_, statements) => {
      const { client, inner } = await begun()
      await inner.get(notes, ['a'])
      for (const statement of statements) await client.query(statement)
      for (const call of [
        () => inner.get(notes, ['a']),
        () => inner.find(notes, { by: 'id', limit: 1 }),
        () => inner.commit([notes.write('a', 'x')]),
      ]) {
        await expect(call()).rejects.toMatchObject({ reason: 'TransactionOver' })
      }
      expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
      await client.query('ROLLBACK')
    })

    it('to work after a failed statement of the app', async () => {
      const { client, inner } = await begun()
      await inner.get(notes, ['a'])
      await expect(client.query('SELECT 1 / 0')).rejects.toThrow('division')
      await expect(inner.get(notes, ['a'])).rejects.toMatchObject({ reason: 'TransactionFailed' })
      await client.query('ROLLBACK')
    })

    it('to repeat what a stricter isolation level refuses', async () => {
      const { client, storage, inner } = await begun()
      await storage.commit([notes.write('a', 'first')])
      await client.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ')
      const [record] = await inner.get(notes, ['a'])
      await storage.commit([notes.write('a', 'second')])
      const next = notes.write('a', 'third', { if: record?.version ?? 'absent' })
      await expect(inner.commit([next])).rejects.toMatchObject({ reason: 'TransactionCollision' })
      await client.query('ROLLBACK')
      expect(await notesIn(storage)).toEqual({ a: 'second' })
    })

    it('pools, closed storages and a feed', async () => {
      const pool = test.pool()
      const storage = createPostgresStorage({ timeoutMs: 60_000, database: pool })
      const sql = postgres(test.url)
      const pglite = { query: async () => ({ rows: [] }), transaction: async () => {} }
      const invalid = { reason: 'InvalidInput', message: expect.stringContaining('client') }
      for (const client of [pool, sql, pglite, {}, undefined, 'client']) {
        expect(() => storage.within(client as PostgresTransaction)).toThrow(
          expect.objectContaining(invalid),
        )
      }
      await sql.end()
      const client = await pool.connect()
      await client.query('BEGIN')
      const inner = storage.within(client)
      await expect(inner.changes(notes, 0)).rejects.toThrow(TypeError)
      await inner.close()
      await expect(inner.get(notes, ['a'])).rejects.toMatchObject({ reason: 'StorageClosed' })
      await storage.close()
      expect(() => storage.within(client)).toThrow('closed')
      client.release(true)
    })
  })

  it('takes a transaction of the package postgres', async () => {
    const sql = postgres(test.url, { onnotice: () => {} })
    const storage = createPostgresStorage({ timeoutMs: 60_000, database: sql })
    await sql.begin(async (inner) => {
      const within = storage.within(inner)
      await within.commit([notes.write('a', 'kept')])
      await expect(within.commit([notes.write('a', 'no', { if: 'absent' })])).rejects.toMatchObject(
        { reason: 'StorageConflict' },
      )
    })
    const failing = sql.begin(async (inner) => {
      await storage.within(inner).commit([notes.write('b', 'lost')])
      throw new Error('changed its mind')
    })
    await expect(failing).rejects.toThrow('changed its mind')
    expect(await notesIn(storage)).toEqual({ a: 'kept' })
    await storage.close()
    await sql.end()
  })
})

describe('a storage within a transaction of PGlite', () => {
  const pglite = new PGlite()
  afterAll(() => pglite.close())
  let storage = createPostgresStorage({ timeoutMs: 60_000, database: pglite, schema: 'first' })
  afterEach(() => storage.close())

  it('creates its tables in the transaction, and again if that is rolled back', async () => {
    storage = createPostgresStorage({ timeoutMs: 60_000, database: pglite, schema: 'rolled' })
    for (const ending of ['rolled back', 'committed']) {
      await pglite.transaction(async (transaction) => {
        const inner = storage.within(transaction)
        await inner.commit([notes.write('a', ending), codes.write('a', { text: 'x' })])
        if (ending === 'rolled back') await transaction.rollback()
      })
    }
    expect(await notesIn(storage)).toEqual({ a: 'committed' })
    expect(await storage.changes(notes, 0)).toMatchObject({ written: [{ id: 'a' }] })
  })

  it('says that the storage outside waits', () => {
    storage = createPostgresStorage({ timeoutMs: 60_000, database: pglite, schema: 'said' })
    const client = { query: async () => ({ rows: [] }) }
    expect(storage.within(client).isExclusive).toBe(true)
  })
})
