import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Storage } from '@gatehouse/core'
import { defineCollection } from '@gatehouse/core/store'
import { createManualClock } from '@gatehouse/core/testing'
import { describe, expect, it } from 'vitest'
import { Database } from '../../../test-support/sqlite.ts'
import type { SqliteDatabase } from './database.ts'
import { createSqliteStorage } from './index.ts'

const notes = defineCollection<number>({ name: 'notes', feed: true })

const open = (): { database: Database; storage: Storage } => {
  const database = new Database(':memory:')
  return { database, storage: createSqliteStorage({ filename: ':memory:', database }) }
}

const count = (database: Database, what: string): unknown =>
  database.value(`SELECT ${what} AS n FROM "gatehouse_notes.feed"`)

/** The same database, with a callback after each transaction. */
const whenReadEnds = (database: Database, onEnd: () => void): SqliteDatabase => ({
  exec: (sql) => database.exec(sql),
  close: () => database.close(),
  prepare(sql) {
    const statement = database.prepare(sql)
    return {
      get: (...values) => statement.get(...values),
      all: (...values) => statement.all(...values),
      run(...values) {
        const result = statement.run(...values)
        if (sql === 'COMMIT') onEnd()
        return result
      },
    }
  },
})

describe('the feed', () => {
  it('returns the same objects that this connection committed', async () => {
    const { storage } = open()
    const value = { deep: [1] }
    const things = defineCollection<unknown>({ name: 'things', feed: true })
    const { revision } = await storage.changes(things, 0)
    await storage.commit([things.write('a', value)])
    const changes = await things.changes(storage, revision)
    expect('written' in changes && changes.written[0]?.value).toBe(value)
    await storage.close()
  })

  it('has one row per commit that touches the collection', async () => {
    const { database, storage } = open()
    const others = defineCollection<number>({ name: 'others', feed: true })
    const ids = Array.from({ length: 100 }, (_, index) => `${index}`)
    await storage.commit(ids.map((id) => notes.write(id, 1)))
    await storage.commit([others.write('a', 1)])
    await storage.commit([notes.remove('0'), notes.remove('missing')])
    const rows = database.rows('SELECT revision, ids FROM "gatehouse_notes.feed"')
    expect(rows.map((row) => Object.values(row))).toEqual([
      [0, '[]'],
      [1, JSON.stringify(ids)],
      [3, '["0"]'],
    ])
    await storage.close()
  })

  it('reaches further back than memory, but not without limit', async () => {
    const { database, storage } = open()
    const ids = Array.from({ length: 5_000 }, (_, index) => `${index}`)
    const revisions: number[] = []
    for (let round = 0; round < 40; round++) {
      await storage.commit(ids.map((id) => notes.write(id, round)))
      revisions.push((await storage.changes(notes, revisions.at(-1) ?? 0)).revision)
    }
    const [first = 0] = revisions
    const [tenthFromEnd = 0] = revisions.slice(-10)
    expect(await storage.changes(notes, first)).toEqual({ reset: true, revision: revisions.at(-1) })
    const changes = await storage.changes(notes, tenthFromEnd)
    expect('written' in changes && changes.written).toHaveLength(5_000)
    expect(count(database, 'count(*)')).toBeLessThan(25)
    await storage.close()
  })

  it('returns nothing twice when another process commits while it reads further back than memory', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-feed-'))
    const filename = join(folder, 'test.db')
    const other = createSqliteStorage({ filename })
    await other.commit([notes.write('early', 1)])

    let afterRead = (): void => undefined
    const database = new Database(filename)
    const storage = createSqliteStorage({
      filename,
      database: whenReadEnds(database, () => afterRead()),
    })
    await notes.get(storage, 'early')
    const late: Promise<unknown>[] = []
    afterRead = () => {
      afterRead = () => undefined
      late.push(other.commit([notes.write('late', 1)]))
    }
    const received: string[] = []
    let revision = 0
    for (let round = 0; round < 3; round++) {
      const changes = await notes.changes(storage, revision)
      revision = changes.revision
      if ('written' in changes) received.push(...changes.written.map(({ id }) => id))
      await other.commit([notes.write(`round ${round}`, 1)])
    }
    expect(late).toHaveLength(1)
    expect(received.toSorted()).toEqual(['early', 'late', 'round 0', 'round 1'])
    await Promise.all([other.close(), storage.close()])
    await rm(folder, { recursive: true })
  })

  it('reads the file once for all readers from the beginning, with one statement for 1,000 records', async () => {
    const { database, storage } = open()
    const ids = Array.from({ length: 2_500 }, (_, index) => `${index}`)
    await storage.commit(ids.map((id) => notes.write(id, 1)))
    await storage.commit([notes.remove('7')])
    let reads = 0
    const counting: SqliteDatabase = {
      ...whenReadEnds(database, () => undefined),
      prepare(sql) {
        const statement = database.prepare(sql)
        const isRead = /^SELECT .* FROM gatehouse_notes WHERE/.test(sql)
        const count = <T>(result: T): T => {
          if (isRead) reads++
          return result
        }
        return {
          get: (...values) => count(statement.get(...values)),
          all: (...values) => count(statement.all(...values)),
          run: (...values) => statement.run(...values),
        }
      },
    }
    const restarted = createSqliteStorage({ filename: ':memory:', database: counting })
    const first = await restarted.changes(notes, 0)
    expect('written' in first && first.written).toHaveLength(2_499)
    expect('removed' in first && first.removed).toEqual(['7'])
    const readsOfFirst = reads
    await restarted.commit([notes.write('new', 1)])
    const second = await restarted.changes(notes, 0)
    expect('written' in second && second.written).toHaveLength(2_500)
    expect(readsOfFirst).toBe(3)
    expect(reads).toBe(3)
    await storage.close()
  })

  it('stays bounded under many small commits', async () => {
    const { database, storage } = open()
    await storage.changes(notes, 0)
    database.exec(`
      WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 49000)
      INSERT INTO "gatehouse_notes.feed" (revision, weight, ids) SELECT n, 2 * n, '["x"]' FROM r`)
    database.exec('UPDATE gatehouse__counter SET commits = 49000')
    for (let round = 0; round < 6_400; round++) await storage.commit([notes.write('a', round)])
    expect(count(database, 'max(weight) - min(weight)')).toBeLessThan(100_000 + 500)
    await storage.close()
  })
})

describe('the sweeping of expired records', () => {
  it('deletes their rows in small steps', async () => {
    const clock = createManualClock()
    const database = new Database(':memory:')
    const storage = createSqliteStorage({ filename: ':memory:', database, clock })
    const expiresAt = clock.now() + 10
    const ids = Array.from({ length: 300 }, (_, index) => `${index}`)
    await storage.commit(ids.map((id) => notes.write(id, 1, { expiresAt })))
    const left = (): unknown => database.value('SELECT count(*) FROM gatehouse_notes')
    clock.advance(1_000)
    const others = defineCollection<number>({ name: 'others' })
    const steps: unknown[] = []
    for (let round = 0; round < 12; round++) {
      await storage.commit([others.write('a', round)])
      steps.push(left())
    }
    expect(steps).toContain(300 - 64)
    expect(steps.at(-1)).toBe(0)
    await storage.close()
  })
})
