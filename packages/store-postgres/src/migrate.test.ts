import { randomBytes } from 'node:crypto'
import { type Logger, silentLogger } from '@gatehouse/core'
import { defineCollection } from '@gatehouse/core/store'
import { createManualClock } from '@gatehouse/core/testing'
import pg from 'pg'
import { expect, it } from 'vitest'
import { dropDatabase, runSql } from '../../../test-support/postgres/postgres-database.ts'
import {
  describeWithPostgres,
  sharedPostgres,
} from '../../../test-support/postgres/use-postgres.ts'
import { useStorages } from '../test/use-storages.ts'
import { poolDatabase } from './databases/pool.ts'
import { createPostgresStorage, migratePostgres, postgresSchemaSql } from './index.ts'
import { createMigrator } from './migrate.ts'
import { createNames } from './names.ts'
import { schemaSteps } from './schema.ts'

const notes = defineCollection<{ text: string; size?: number }>({
  name: 'notes',
  fields: { text: 'text' },
  feed: true,
})
const codes = defineCollection<number>({ name: 'codes' })
const names = createNames({ schema: undefined, prefix: 'gatehouse_' })

describeWithPostgres('a migration', () => {
  const test = useStorages()
  const tables = async (): Promise<unknown[]> =>
    (
      await test.rows(`SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE c.relkind IN ('r', 'i') AND n.nspname = 'public' ORDER BY 1`)
    ).flat()
  const migrator = (options: Partial<Parameters<typeof createMigrator>[1]> = {}) =>
    createMigrator(
      poolDatabase(test.pool({ max: 2 }), {
        connectTimeoutMs: 10_000,
        timeoutMs: 10_000,
        logger: silentLogger,
      }),
      { names, migrate: 'auto', logger: silentLogger, ...options },
    )
  const version = (): Promise<unknown> => test.value('SELECT version FROM gatehouse__schema')

  it('creates everything that a collection needs, once', async () => {
    await migrator().prepare([notes])
    const made = await tables()
    expect(made).toEqual([
      'gatehouse__feeds',
      'gatehouse__feeds_pkey',
      'gatehouse__schema',
      'gatehouse__schema_pkey',
      'gatehouse_notes',
      'gatehouse_notes.by_text',
      'gatehouse_notes.expires_at',
      'gatehouse_notes.feed',
      'gatehouse_notes.feed_pkey',
      'gatehouse_notes.next',
      'gatehouse_notes_pkey',
    ])
    await migrator().prepare([notes])
    expect(await tables()).toEqual(made)
    expect(await version()).toBe(schemaSteps.length)
  })

  it('is made by one of several storages that find an empty database at once', async () => {
    const storages = Array.from({ length: 4 }, () => test.open())
    await Promise.all(
      storages.map((storage, index) =>
        storage.commit([notes.write(`${index}`, { text: 'a' }), codes.write(`${index}`, index)]),
      ),
    )
    for (const storage of storages) {
      expect(await storage.find(notes, { by: 'text', equals: 'a', limit: 9 })).toHaveLength(4)
    }
    expect(await test.value('SELECT count(*)::int FROM gatehouse__schema')).toBe(1)
  })

  it('finds its own objects again under the longest names', async () => {
    const prefix = `p${'_'.repeat(15)}`
    const fields = Object.fromEntries(
      Array.from({ length: 4 }, (_, index) => [`${'f'.repeat(39)}${index}`, 'text'] as const),
    )
    const longest = defineCollection<unknown>({ name: 'c'.repeat(40), fields, feed: true })
    const write = longest.write('a', fields)
    await test.open({ prefix }).commit([write])
    const made = await tables()
    expect(new Set(made).size).toBe(made.length)
    const again = test.open({ prefix, migrate: 'manual' })
    await again.commit([longest.write('b', fields)])
    const by = `${'f'.repeat(39)}3`
    expect(await again.find(longest, { by, equals: 'text', limit: 9 })).toHaveLength(2)
    expect(await tables()).toEqual(made)
  })

  it('upgrades an older database step by step, once, and keeps its data', async () => {
    const storage = test.open()
    await storage.commit([notes.write('a', { text: 'kept' })])
    const steps = [
      ...schemaSteps,
      () => ['ALTER TABLE gatehouse__feeds ADD COLUMN added integer NOT NULL DEFAULT 1'],
      () => ['UPDATE gatehouse__feeds SET added = added + 1'],
    ]
    const logged: unknown[] = []
    const logger: Logger = {
      ...silentLogger,
      info: (...[fields]: Parameters<Logger['info']>) => logged.push(fields),
    }
    await Promise.all([1, 2, 3].map(() => migrator({ steps, logger }).prepare([notes])))
    expect(await test.rows('SELECT name, revision::int, added FROM gatehouse__feeds')).toEqual([
      ['notes', 1, 2],
    ])
    expect(await version()).toBe(schemaSteps.length + 2)
    expect(logged).toEqual([{ from: schemaSteps.length, to: schemaSteps.length + 2 }])
    expect((await notes.get(storage, 'a'))?.value.text).toBe('kept')
  })

  it('changes nothing when a step fails', async () => {
    await migrator().prepare([notes])
    const before = await tables()
    const steps = [
      ...schemaSteps,
      () => ['CREATE TABLE added (x integer)'],
      () => ['no SQL at all'],
    ]
    await expect(migrator({ steps }).prepare([codes])).rejects.toThrow('syntax error')
    expect(await version()).toBe(schemaSteps.length)
    expect(await tables()).toEqual(before)
  })

  it('is refused by a program older than the tables, while running programs go on', async () => {
    const using = test.open()
    await using.commit([notes.write('a', { text: 'a' })])
    const steps = [...schemaSteps, () => ['CREATE TABLE added (x integer)']]
    await migrator({ steps }).prepare([])
    await using.commit([notes.write('b', { text: 'b' })])
    expect(await using.find(notes, { by: 'text', limit: 9 })).toHaveLength(2)
    await expect(test.open().get(notes, ['a'])).rejects.toMatchObject({
      kind: 'ServiceUnavailable',
      reason: 'StorageNewerVersion',
      info: { found: schemaSteps.length + 1, known: schemaSteps.length },
    })
    // A collection that it has not used yet would have to be made by rules it does not know.
    await expect(using.get(codes, ['a'])).rejects.toMatchObject({ reason: 'StorageNewerVersion' })
    await using.commit([notes.write('c', { text: 'c' })])
  })

  it('in manual mode names the missing parts', async () => {
    const storage = test.open({ migrate: 'manual' })
    const refusal = (missing: readonly string[]) => ({
      kind: 'ServiceUnavailable',
      reason: 'StorageNotMigrated',
      info: { missing },
      message: expect.stringContaining('run "gatehouse storage migrate"'),
    })
    await expect(storage.get(notes, ['a'])).rejects.toMatchObject(
      refusal(['gatehouse__schema', 'gatehouse__feeds']),
    )
    expect(await tables()).toEqual([])
    await migratePostgres({ url: test.url, collections: [codes] })
    await expect(storage.commit([notes.write('a', { text: '' })])).rejects.toMatchObject(
      refusal([
        'gatehouse_notes',
        'gatehouse_notes.expires_at',
        'gatehouse_notes.by_text',
        'gatehouse_notes.feed',
        'gatehouse_notes.next',
      ]),
    )
    await storage.commit([codes.write('a', 1)])
    await migratePostgres({ url: test.url, collections: [notes] })
    await storage.commit([notes.write('a', { text: '' })])
    await test.rows('DROP INDEX "gatehouse_notes.by_text"')
    const another = test.open({ migrate: 'manual' })
    await expect(another.get(notes, ['a'])).rejects.toMatchObject(
      refusal(['gatehouse_notes.by_text']),
    )
  })

  it('in manual mode names the missing version', async () => {
    await migrator().prepare([notes])
    const steps = [...schemaSteps, () => ['CREATE TABLE added (x integer)']]
    await expect(migrator({ steps, migrate: 'manual' }).prepare([notes])).rejects.toMatchObject({
      reason: 'StorageNotMigrated',
      info: { missing: [`version ${steps.length} of its schema`] },
    })
  })

  it('creates the same objects as the SQL for review', async () => {
    const collections = [notes, codes]
    await migratePostgres({ url: test.url, collections, schema: 'by_hand' })
    const sql = postgresSchemaSql({ collections, schema: 'by_sql' })
    const client = await test.connect()
    await client.query(sql)
    const [byHand, bySql] = await Promise.all(['by_hand', 'by_sql'].map(catalogueOf))
    expect(byHand?.length).toBeGreaterThan(20)
    expect(bySql).toEqual(byHand)
  })

  it('by SQL can be repeated, also over records and newer tables', async () => {
    const sql = postgresSchemaSql({ collections: [notes] })
    const client = await test.connect()
    await client.query(sql)
    const storage = test.open({ migrate: 'manual' })
    await storage.commit([notes.write('a', { text: 'kept' })])
    await client.query('UPDATE gatehouse__schema SET version = 7')
    const before = await catalogueOf('public')
    await client.query(sql)
    expect(await catalogueOf('public')).toEqual(before)
    expect(await version()).toBe(7)
    expect((await notes.get(storage, 'a'))?.value.text).toBe('kept')
    expect(await storage.changes(notes, 0)).toMatchObject({ revision: 1 })
  })

  /** Everything in a schema, described without the name of the schema. */
  async function catalogueOf(schema: string): Promise<string[]> {
    const found = await test.rows(
      `SELECT 'column', c.relname || '.' || a.attname, format_type(a.atttypid, a.atttypmod) || ' ' || a.attnotnull || ' ' || COALESCE(l.collname, '')
         FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid LEFT JOIN pg_collation l ON l.oid = a.attcollation
         WHERE c.relnamespace = $1::text::regnamespace AND a.attnum > 0
       UNION ALL SELECT 'index', indexname, indexdef FROM pg_indexes WHERE schemaname = $1::text
       UNION ALL SELECT 'constraint', conname, pg_get_constraintdef(oid) FROM pg_constraint WHERE connamespace = $1::text::regnamespace
       UNION ALL SELECT 'relation', relname, relkind::text FROM pg_class WHERE relnamespace = $1::text::regnamespace
       ORDER BY 1, 2, 3`,
      [schema],
    )
    const contents = await test.rows(
      `SELECT 'version', s.version FROM ${schema}.gatehouse__schema s
       UNION ALL SELECT 'weight of ' || f.name, f.weight FROM ${schema}.gatehouse__feeds f`,
    )
    return [...found, ...contents].map((row) => row.join(' ').replaceAll(schema, ''))
  }

  it('finds old records by a field that is declared later', async () => {
    const old = test.open()
    await old.commit([
      notes.write('a', { text: 'x', size: 2 }),
      notes.write('b', { text: 'x', size: 1 }),
      notes.write('c', { text: 'x' }),
    ])
    const sized = defineCollection<{ text: string; size?: number }>({
      name: 'notes',
      fields: { text: 'text', size: 'number' },
      feed: true,
    })
    const next = test.open()
    const ids = async (): Promise<string[]> =>
      (await next.find(sized, { by: 'size', limit: 9 })).map(({ id }) => id)
    expect(await ids()).toEqual(['b', 'a'])
    await old.commit([notes.write('d', { text: 'x', size: 0 })])
    expect(await ids()).toEqual(['d', 'b', 'a'])
  })

  it('starts a feed that is declared later with a reset', async () => {
    const clock = createManualClock()
    const old = test.open({ clock })
    await old.commit([codes.write('a', 1)])
    await old.close()
    const fed = defineCollection<number>({ name: 'codes', feed: true })
    const storage = test.open({ clock })
    expect(await storage.changes(fed, 0)).toEqual({ reset: true, revision: 1 })
    expect(await fed.get(storage, 'a')).toMatchObject({ value: 1 })
    await storage.commit([fed.write('b', 2)])
    const changes = await fed.changes(storage, 1)
    expect('written' in changes && changes.written.map(({ id }) => id)).toEqual(['b'])
  })

  it('requires a database in UTF-8', async () => {
    const server = await sharedPostgres()
    const url = new URL(server)
    url.pathname = `/test_${randomBytes(8).toString('hex')}`
    await runSql(
      server,
      `CREATE DATABASE ${url.pathname.slice(1)} ENCODING 'SQL_ASCII' TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C'`,
    )
    const storage = createPostgresStorage({ url: url.href })
    await expect(storage.get(notes, ['a'])).rejects.toMatchObject({
      kind: 'ServiceUnavailable',
      reason: 'StorageEncoding',
      message: expect.stringContaining('SQL_ASCII'),
    })
    await storage.close()
    const { rows } = await runSql(url.href, `SELECT 1 FROM pg_class WHERE relname ~ 'gatehouse'`)
    expect(rows).toEqual([])
    await dropDatabase(url.href)
  })

  it('is not needed by a user without the right to create, once it is made', async () => {
    const user = `test_${randomBytes(8).toString('hex')}`
    const url = new URL(test.url)
    url.username = user
    url.password = randomBytes(8).toString('hex')
    await test.rows(`CREATE ROLE ${user} LOGIN PASSWORD '${url.password}'`)
    const schema = 'gate'
    const place = { url: url.href, schema }
    const refused = createPostgresStorage(place)
    await expect(refused.get(notes, ['a'])).rejects.toMatchObject({
      reason: 'StorageUnavailable',
      message: expect.stringContaining('permission denied'),
    })
    await refused.close()

    await migratePostgres({ url: test.url, schema, collections: [notes, codes] })
    await test.rows(`GRANT USAGE ON SCHEMA ${schema} TO ${user}`)
    await test.rows(
      `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO ${user}`,
    )
    for (const migrate of ['auto', 'manual'] as const) {
      const storage = createPostgresStorage({ ...place, migrate })
      const [version = ''] = await storage.commit([notes.write('a', { text: migrate })])
      await storage.commit([
        notes.write('b', { text: migrate }, { if: 'absent' }),
        { collection: notes, id: 'a', check: version },
        { collection: codes, id: 'a', check: 'absent' },
      ])
      await storage.commit([notes.remove('b'), codes.remove('a')])
      expect(await storage.find(notes, { by: 'text', limit: 9 })).toHaveLength(1)
      expect(await storage.changes(notes, 0)).toMatchObject({ removed: ['b'] })
      await storage.close()
    }
    await test.rows(`DROP OWNED BY ${user}`)
    await test.rows(`DROP ROLE ${user}`)
  })

  it('is repeated when tables disappear while in use', async () => {
    const storage = test.open()
    const write = () => storage.commit([notes.write('a', { text: 'a' })])
    for (const loss of [
      'DROP TABLE gatehouse_notes',
      'DROP TABLE "gatehouse_notes.feed"',
      'DROP TABLE gatehouse_notes, "gatehouse_notes.feed", gatehouse__feeds, gatehouse__schema',
    ]) {
      await write()
      await test.rows(loss)
      await expect(write()).rejects.toMatchObject({ reason: 'StorageUnavailable' })
      await write()
      expect((await notes.get(storage, 'a'))?.value.text).toBe('a')
    }
    await test.rows('DROP TABLE gatehouse__feeds')
    for (let attempt = 0; attempt < 2; attempt++) {
      await expect(write()).rejects.toMatchObject({
        reason: 'StorageUnavailable',
        message: expect.stringContaining('gatehouse__feeds'),
      })
    }
  })

  it('separates storages by schema and by prefix', async () => {
    const clock = createManualClock()
    const places = [{}, { schema: 'one' }, { schema: 'two' }, { prefix: 'other_' }]
    const storages = places.map((place) => test.open({ ...place, clock }))
    for (const [index, storage] of storages.entries()) {
      await storage.commit([
        notes.write('a', { text: `${index}` }),
        notes.write(`${index}`, { text: '' }),
      ])
    }
    for (const [index, storage] of storages.entries()) {
      expect((await notes.get(storage, 'a'))?.value.text).toBe(`${index}`)
      expect(await storage.find(notes, { by: 'id', limit: 9 })).toHaveLength(2)
      clock.advance(1_000)
      expect((await storage.changes(notes, 0)).revision).toBe(1)
    }
  })

  it('accepts an index that was built by hand while others wrote', async () => {
    await migrator().prepare([notes])
    const sized = defineCollection<unknown>({
      name: 'notes',
      fields: { text: 'text', size: 'number' },
      feed: true,
    })
    const sql = postgresSchemaSql({ collections: [sized] })
    const statement = sql.split('\n').find((line) => line.includes('by_size')) ?? ''
    await test.rows(statement.replace('CREATE INDEX', 'CREATE INDEX CONCURRENTLY'))
    const storage = test.open({ migrate: 'manual' })
    await storage.commit([sized.write('a', { text: 'a', size: 1 })])
    expect(await storage.find(sized, { by: 'size', equals: 1, limit: 9 })).toHaveLength(1)
  })

  it('of a large table blocks no reader', async () => {
    await migrator().prepare([notes])
    const reader = test.open()
    await reader.commit([notes.write('a', { text: 'a' })])
    const client = await test.connect()
    await client.query('BEGIN')
    await client.query(`CREATE INDEX by_hand ON gatehouse_notes ((value::jsonb ->> 'size'))`)
    expect((await notes.get(reader, 'a'))?.value.text).toBe('a')
    await client.query('ROLLBACK')
  })

  it('cannot be made in a schema of the URL that does not exist', async () => {
    const pool = new pg.Pool({ connectionString: test.url, options: '-c search_path=nowhere' })
    const storage = createPostgresStorage({ database: pool })
    await expect(storage.get(notes, ['a'])).rejects.toMatchObject({
      reason: 'StorageUnavailable',
      message: expect.stringContaining('schema'),
    })
    await storage.close()
    await pool.end()
  })
})
