import { createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import {
  mkdir,
  mkdtemp,
  open as openFile,
  readdir,
  readFile,
  rm,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isGatehouseError } from '@gatehouse/core'
import { defineCollection } from '@gatehouse/core/store'
import { createManualClock } from '@gatehouse/core/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Database } from '../../../test-support/sqlite.ts'
import { createSqliteStorage } from './index.ts'

const notes = defineCollection<{ text: string }>({ name: 'notes', feed: true })

let folder: string
let filename: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-sqlite-'))
  filename = join(folder, 'test.db')
})
afterEach(() => rm(folder, { recursive: true }))

const digest = async (): Promise<string> =>
  createHash('sha256')
    .update(await readFile(filename))
    .digest('hex')

/** The size of the write-ahead log, which @photostructure/sqlite leaves empty. */
const logBytes = async (): Promise<number> =>
  existsSync(`${filename}-wal`) ? (await stat(`${filename}-wal`)).size : 0

/** The reason why a storage cannot be opened. */
function refusal(open: () => unknown): string {
  try {
    open()
  } catch (error) {
    if (!isGatehouseError(error)) throw error
    expect(error.kind).toBe('ServiceUnavailable')
    expect(error.message).toContain(filename)
    return error.reason
  }
  return 'opened'
}

describe('opening a file', () => {
  it('creates the file if it is missing, and finds its records if it exists', async () => {
    const first = createSqliteStorage({ filename })
    const versions = await first.commit([notes.write('a', { text: 'kept' })])
    await first.close()
    expect(await logBytes()).toBe(0)
    const second = createSqliteStorage({ filename })
    expect(await notes.get(second, 'a')).toEqual({
      id: 'a',
      value: { text: 'kept' },
      version: versions[0],
    })
    await second.close()
  })

  it('refuses a file that is not an SQLite database, and leaves it as it is', async () => {
    await writeFile(filename, 'receiver: everything important\n'.repeat(500))
    const before = await digest()
    expect(refusal(() => createSqliteStorage({ filename }))).toBe('StorageForeignFile')
    expect(await digest()).toBe(before)
  })

  it('refuses the SQLite database of another program, and leaves it as it is', async () => {
    for (const sql of [
      'CREATE TABLE customers (id INTEGER)',
      'PRAGMA application_id = 7',
      'PRAGMA user_version = 7',
    ]) {
      const other = new Database(filename)
      other.exec(sql)
      other.close()
      const before = await digest()
      expect(
        refusal(() => createSqliteStorage({ filename })),
        sql,
      ).toBe('StorageForeignFile')
      expect(await digest()).toBe(before)
      expect(existsSync(`${filename}-wal`)).toBe(false)
      await rm(filename)
    }
  })

  it('refuses a database of a newer version, and leaves it as it is', async () => {
    await createSqliteStorage({ filename }).close()
    const newer = new Database(filename)
    newer.exec('PRAGMA user_version = 1000; PRAGMA wal_checkpoint(TRUNCATE)')
    newer.close()
    const before = await digest()
    expect(refusal(() => createSqliteStorage({ filename }))).toBe('StorageNewerVersion')
    expect(await digest()).toBe(before)
  })

  it('reports a missing directory, and a directory in place of the file', async () => {
    filename = join(folder, 'missing', 'test.db')
    expect(refusal(() => createSqliteStorage({ filename }))).toBe('StorageUnavailable')
    filename = join(folder, 'directory')
    await mkdir(filename)
    expect(refusal(() => createSqliteStorage({ filename }))).toBe('StorageUnavailable')
  })

  // Use a read-only connection: permission bits do not restrict a superuser, who may run the tests.
  it('serves a read-only database, and refuses writes with a reason', async () => {
    const first = createSqliteStorage({ filename })
    await first.commit([notes.write('a', { text: 'kept' })])
    await first.close()
    const database = new Database(filename, { readonly: true })
    const storage = createSqliteStorage({ filename, database })
    expect((await notes.get(storage, 'a'))?.value.text).toBe('kept')
    expect(await notes.changes(storage, 0)).toMatchObject({ written: [{ id: 'a' }] })
    await expect(storage.commit([notes.write('a', { text: 'new' })])).rejects.toMatchObject({
      reason: 'StorageReadOnly',
    })
    await storage.close()
  })

  it('does not wait for a writer, because it has nothing to write', async () => {
    await createSqliteStorage({ filename }).close()
    const other = new Database(filename)
    other.exec('BEGIN IMMEDIATE')
    await createSqliteStorage({ filename, busyTimeoutMs: 0 }).close()
    other.exec('ROLLBACK')
    other.close()
  })

  it('refuses an empty file, which may have been truncated, and leaves it as it is', async () => {
    await createSqliteStorage({ filename }).close()
    await truncate(filename)
    expect(refusal(() => createSqliteStorage({ filename }))).toBe('StorageCorrupt')
    expect((await stat(filename)).size).toBe(0)
    await rm(filename)
    await createSqliteStorage({ filename }).close()
  })

  it('refuses to create a database beside the log of a missing one', async () => {
    await writeFile(`${filename}-wal`, 'commits of another file')
    expect(refusal(() => createSqliteStorage({ filename }))).toBe('StorageCorrupt')
    expect(existsSync(filename)).toBe(false)
  })

  it('creates the file atomically, with the given permissions, and leaves no other file', async () => {
    await createSqliteStorage({ filename, mode: 0o600, reserveBytes: 0 }).close()
    expect((await stat(filename)).mode & 0o777).toBe(0o600)
    const names = await readdir(folder)
    // SQLite's own files stay until the driver closes the file.
    expect(names.filter((name) => !/-(wal|shm)$/.test(name))).toEqual(['test.db'])
  })

  it.each([
    ['gatehouse__counter', 'before it is opened'],
    ['"gatehouse_notes.feed"', 'before it is opened'],
    ['gatehouse__counter', 'while it is open'],
    ['"gatehouse_notes.feed"', 'while it is open'],
  ])('says what to do when %s has lost its row, %s', async (table, when) => {
    const first = createSqliteStorage({ filename })
    await first.commit([notes.write('a', { text: 'kept' })])
    const damage = (): void => {
      const other = new Database(filename)
      other.exec(`DELETE FROM ${table}`)
      other.close()
    }
    if (when === 'while it is open') damage()
    else {
      await first.close()
      damage()
    }
    const use = async (): Promise<unknown> => {
      const storage = when === 'while it is open' ? first : createSqliteStorage({ filename })
      return storage.commit([notes.write('a', { text: 'new' })])
    }
    await expect(use()).rejects.toMatchObject({
      reason: 'StorageCorrupt',
      message: expect.stringMatching(/has no row\. Restore it from a backup/),
    })
    await first.close()
  })

  it('refuses invalid options', () => {
    const refusal = (path: string) =>
      expect.objectContaining({ reason: 'InvalidInput', info: expect.objectContaining({ path }) })
    // @ts-expect-error a durability that does not exist
    expect(() => createSqliteStorage({ filename, durability: 'none' })).toThrow(
      refusal('options.durability'),
    )
    expect(() => createSqliteStorage({ filename, busyTimeoutMs: -1 })).toThrow(
      refusal('options.busyTimeoutMs'),
    )
    expect(() => createSqliteStorage({ filename, reserveBytes: 0.5 })).toThrow(
      refusal('options.reserveBytes'),
    )
    expect(existsSync(filename)).toBe(false)
  })
})

describe('working with a file', () => {
  it('syncs every commit only if it must survive a power cut', async () => {
    for (const [durability, synchronous] of [
      ['power', 2],
      ['process', 1],
      [undefined, 1],
    ] as const) {
      const database = new Database(filename)
      const storage = createSqliteStorage({ filename, database, ...(durability && { durability }) })
      expect(database.value('PRAGMA synchronous')).toBe(synchronous)
      expect(database.value('PRAGMA journal_mode')).toBe('wal')
      expect(database.value('PRAGMA wal_autocheckpoint')).toBe(4_000)
      await storage.close()
      expect(() => database.exec('SELECT 1')).toThrow()
    }
  })

  it('waits for another writer up to a limit, and loses nothing', async () => {
    const storage = createSqliteStorage({ filename, busyTimeoutMs: 20 })
    await storage.commit([notes.write('a', { text: 'before' })])
    const other = new Database(filename)
    other.exec('BEGIN IMMEDIATE')
    const refused = storage.commit([notes.write('a', { text: 'refused' })])
    await expect(refused).rejects.toMatchObject({
      kind: 'ServiceUnavailable',
      reason: 'StorageUnavailable',
      message: expect.stringContaining(filename),
    })
    expect((await notes.get(storage, 'a'))?.value.text).toBe('before')
    other.exec('ROLLBACK')
    await storage.commit([notes.write('a', { text: 'after' })])
    expect((await notes.get(storage, 'a'))?.value.text).toBe('after')
    other.close()
    await storage.close()
  })

  it('reports a full disk, keeps its records, and goes on when there is room', async () => {
    const database = new Database(filename)
    const storage = createSqliteStorage({ filename, database })
    await storage.commit([notes.write('small', { text: 'kept' })])
    const { revision } = await storage.changes(notes, 0)
    const pages = Number(database.value('PRAGMA page_count'))
    database.exec(`PRAGMA max_page_count = ${pages + 2}`)
    const large = notes.write('large', { text: 'x'.repeat(100_000) })
    await expect(storage.commit([large])).rejects.toMatchObject({ reason: 'StorageFull' })
    expect(await storage.changes(notes, revision)).toEqual({ revision, written: [], removed: [] })
    expect((await notes.get(storage, 'small'))?.value.text).toBe('kept')
    await storage.commit([notes.write('small', { text: 'kept too' })])
    database.exec('PRAGMA max_page_count = 100000')
    await storage.commit([large])
    expect(await notes.get(storage, 'large')).toBeDefined()
    await storage.close()
  })

  it('reports a damaged database', async () => {
    const storage = createSqliteStorage({ filename })
    const writes = Array.from({ length: 2_000 }, (_, index) =>
      notes.write(`${index}`, { text: 'x'.repeat(200) }),
    )
    await storage.commit(writes)
    await storage.close()
    const { size } = await stat(filename)
    const file = await openFile(filename, 'r+')
    await file.write(randomBytes(size - 32_768), 0, size - 32_768, 32_768)
    await file.close()
    const damaged = createSqliteStorage({ filename })
    const found = damaged.find(notes, { by: 'id', limit: 10_000 })
    await expect(found).rejects.toMatchObject({ reason: 'StorageCorrupt' })
    await damaged.close()
  })

  it('removes expired records as fast as they are written, also in large commits', async () => {
    const clock = createManualClock()
    const database = new Database(filename)
    const storage = createSqliteStorage({ filename, database, clock })
    const expiresAt = clock.now() + 1_000
    const batch = (name: string, size: number) =>
      Array.from({ length: size }, (_, n) =>
        notes.write(`${name}${n}`, { text: '' }, { expiresAt }),
      )
    await storage.commit(batch('old', 500))
    clock.advance(1_000)
    const lasting = batch('new', 500).map((write) => ({ ...write, expiresAt: clock.now() + 1 }))
    await storage.commit(lasting)
    expect(database.prepare('SELECT count(*) AS n FROM gatehouse_notes').get()).toEqual({ n: 500 })
    await storage.close()
  })

  it('returns the space of removed records to the file system', async () => {
    const storage = createSqliteStorage({ filename })
    const ids = Array.from({ length: 4_000 }, (_, index) => `${index}`)
    await storage.commit(ids.map((id) => notes.write(id, { text: 'x'.repeat(4_000) })))
    await storage.commit(ids.map((id) => notes.remove(id)))
    const reader = new Database(filename, { readonly: true })
    const pages = (): number => Number(reader.value('PRAGMA page_count'))
    const before = pages()
    for (let round = 0; round < 300; round++) {
      await storage.commit([notes.write('one', { text: `${round}` })])
    }
    expect(before).toBeGreaterThan(4_000)
    expect(pages()).toBeLessThan(500)
    reader.close()
    await storage.close()
    expect((await stat(filename)).size).toBeLessThan(500 * 4_096)
  })

  it('rewrites a small database from before files could shrink, and keeps its records', async () => {
    const database = new Database(filename)
    database.exec('PRAGMA auto_vacuum = NONE')
    database.exec('PRAGMA journal_mode = WAL')
    const old = createSqliteStorage({ filename, database })
    await old.commit([notes.write('a', { text: 'kept' })])
    database.exec('PRAGMA journal_mode = DELETE')
    database.exec('PRAGMA auto_vacuum = NONE; VACUUM')
    await old.close()
    const storage = createSqliteStorage({ filename })
    const reader = new Database(filename, { readonly: true })
    expect(reader.value('PRAGMA auto_vacuum')).toBe(2)
    reader.close()
    expect((await notes.get(storage, 'a'))?.value.text).toBe('kept')
    await storage.close()
  })

  it('can be read with plain SQL', async () => {
    const storage = createSqliteStorage({ filename })
    const expiresAt = Date.now() + 60_000
    await storage.commit([notes.write('a', { text: 'readable' }, { expiresAt })])
    const reader = new Database(filename, { readonly: true })
    const row = reader.prepare('SELECT id, expires_at, value FROM gatehouse_notes').get()
    expect(row).toEqual({ id: 'a', expires_at: expiresAt, value: '{"text":"readable"}' })
    reader.close()
    await storage.close()
  })
})
