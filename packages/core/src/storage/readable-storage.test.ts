import { createMemoryStorage } from '@gatehouse/store-memory'
import { describe, expect, it } from 'vitest'
import { createMetricsRegistry } from '../metrics/metrics.ts'
import { defineCollection, type TypedCollection } from './collection.ts'
import { readableStorage, registerUnreadableRecords, shapeCollection } from './readable-storage.ts'
import { number, objectOf, text } from './record-check.ts'
import type { Json, Storage } from './storage.ts'

interface Book {
  readonly title: string
  readonly pages: number
}

const check = objectOf<Book>({ title: text, pages: number })
const books = (unreadable: 'skip' | 'refuse' = 'skip'): TypedCollection<Book> =>
  defineCollection<Book>({
    name: 'books',
    fields: { title: 'text' },
    feed: true,
    check,
    unreadable,
  })

/** The first version of the records: a title alone. */
const oldBooks = defineCollection<unknown>({ name: 'books', fields: { title: 'text' }, feed: true })
const upgrades: readonly ((older: Json) => Json)[] = [
  (older) => {
    const { title, length } = older as { title: string; length: string }
    return { title, pages: Number.parseInt(length, 10) }
  },
  (older) => older,
  (older) => older,
]

const shapedBooks = (count: number): TypedCollection<Book> =>
  defineCollection<Book>({
    name: 'books',
    fields: { title: 'text' },
    feed: true,
    check,
    unreadable: 'skip',
    upgrades: upgrades.slice(0, count - 1),
  })

interface World {
  readonly raw: Storage
  readonly storage: Storage
  readonly log: object[]
  /** Opens the same database in another process. */
  another(): Storage
  counted(): Promise<string[]>
}

function world(): World {
  const raw = createMemoryStorage()
  const log: object[] = []
  const metrics = createMetricsRegistry()
  const unreadable = registerUnreadableRecords(metrics, 'test')
  const ignore = (): void => {}
  const error = (fields: object): void => void log.push(fields)
  const logger = { debug: ignore, info: ignore, warn: ignore, error }
  const another = (): Storage => readableStorage(raw, { logger, unreadable })
  return {
    raw,
    storage: another(),
    log,
    another,
    async counted() {
      const { body } = await metrics.expose(null)
      return body.split('\n').filter((line) => line.startsWith('gatehouse_test_unreadable'))
    },
  }
}

const put = (raw: Storage, values: Record<string, unknown>): Promise<unknown> =>
  raw.commit(Object.entries(values).map(([id, value]) => oldBooks.write(id, value as Json)))

describe('a record that cannot be decoded', () => {
  it('is left out of lists, which still have the requested length', async () => {
    const { raw, storage, log, counted } = world()
    const bad = { title: 'x', pages: 'many' }
    await put(raw, {
      a: bad,
      b: { title: 'x', pages: 1 },
      c: 7,
      d: bad,
      e: { title: 'x', pages: 2 },
    })
    const of = (limit: number, more: object = {}) =>
      books()
        .find(storage, { by: 'id', limit, ...more })
        .then((found) => found.map(({ id }) => id))
    expect(await of(1)).toEqual(['b'])
    expect(await of(2)).toEqual(['b', 'e'])
    expect(await of(1_000)).toEqual(['b', 'e'])
    expect(await of(1, { order: 'desc', after: { key: 'e', id: 'e' } })).toEqual(['b'])
    expect(await of(2, { by: 'title', equals: 'x' })).toEqual(['b', 'e'])
    expect(log).toHaveLength(3)
    expect(log).toContainEqual({
      collection: 'books',
      id: 'a',
      problem: 'pages: expected a number',
    })
    expect(await counted()).toEqual([
      'gatehouse_test_unreadable_records_total{collection="books"} 3',
    ])
  })

  it('appears as removed in the feed until it can be decoded', async () => {
    const { raw, storage, log } = world()
    await put(raw, { a: { title: 'x', pages: 1 } })
    const { revision } = await books().changes(storage, 0)
    await put(raw, { a: { title: 'x' }, b: { title: 'y', pages: 2 } })
    const changes = await books().changes(storage, revision)
    expect(changes).toMatchObject({ written: [{ id: 'b' }], removed: ['a'] })
    await put(raw, { a: { title: 'z', pages: 3 } })
    expect(await books().changes(storage, changes.revision)).toMatchObject({
      written: [{ id: 'a', value: { title: 'z' } }],
    })
    await put(raw, { a: {} })
    await books().get(storage, 'a')
    await books().get(storage, 'a')
    expect(log).toHaveLength(2)
  })

  it('counts as absent in preconditions too, so that it can be overwritten', async () => {
    const { raw, storage } = world()
    await put(raw, { a: 'nonsense', b: 'nonsense' })
    expect(await books().get(storage, 'a')).toBeUndefined()
    expect(await books().get(storage, 'b')).toBeUndefined()
    const write = (id: string) => books().write(id, { title: 'x', pages: 1 }, { if: 'absent' })
    await storage.commit([write('a'), { collection: books(), id: 'b', check: 'absent' }])
    expect((await books().get(storage, 'a'))?.value).toEqual({ title: 'x', pages: 1 })
    await expect(storage.commit([write('a')])).rejects.toMatchObject({ reason: 'StorageConflict' })
    await put(raw, { b: 'other nonsense' })
    await expect(storage.commit([write('b')])).rejects.toMatchObject({ reason: 'StorageConflict' })
  })

  it('fails reads in a collection that refuses unreadable records', async () => {
    const { raw, storage } = world()
    const users = books('refuse')
    await put(raw, { good: { title: 'x', pages: 1 }, bad: { title: 'secret', pages: null } })
    const failure = {
      kind: 'ServiceUnavailable',
      reason: 'StorageUnreadableRecord',
      message: expect.stringMatching(/"bad" of books .*pages: expected a number.*check-records/),
    }
    await expect(users.get(storage, 'bad')).rejects.toMatchObject(failure)
    await expect(users.get(storage, 'bad')).rejects.not.toThrow('secret')
    await expect(users.find(storage, { by: 'id', limit: 9 })).rejects.toMatchObject(failure)
    expect((await users.get(storage, 'good'))?.value.pages).toBe(1)
    await expect(
      storage.commit([users.write('bad', { title: 'x', pages: 1 }, { if: 'absent' })]),
    ).rejects.toMatchObject({ reason: 'StorageConflict' })
  })
})

describe('a record of an older shape', () => {
  it('is read in the current shape, and keeps its version', async () => {
    const { raw, storage } = world()
    await put(raw, { a: { title: 'x', length: '12 pages' } })
    const record = await shapedBooks(2).get(storage, 'a')
    expect(record?.value).toEqual({ title: 'x', pages: 12 })
    const value = { title: 'y', pages: 13 }
    await storage.commit([shapedBooks(2).write('a', value, { if: record?.version ?? 'absent' })])
    expect(await raw.get(oldBooks, ['a'])).toMatchObject([{ value: { $shape: 2, ...value } }])
    const found = await shapedBooks(3).find(world().raw, { by: 'id', limit: 1 })
    expect(found).toEqual([])
    expect(await shapedBooks(2).find(storage, { by: 'title', equals: 'y', limit: 1 })).toEqual([
      { id: 'a', version: expect.any(String), value },
    ])
  })

  it('counts as unreadable if its upgrade fails', async () => {
    const { raw, storage, log } = world()
    await put(raw, { a: null, b: { title: 'x', $shape: 0 } })
    expect(await shapedBooks(2).find(storage, { by: 'id', limit: 9 })).toEqual([])
    expect(log).toMatchObject([
      { id: 'a', problem: expect.stringContaining('from shape 1 to 2') },
      { id: 'b', problem: '$shape: expected a whole number of at least 1' },
    ])
  })
})

describe('a newer shape', () => {
  const value = { title: 'x', pages: 1 }

  it('of a collection is refused by every method at the first use', async () => {
    const { storage, another } = world()
    await storage.commit([shapedBooks(3).write('a', value)])
    const older = shapedBooks(2)
    const uses: ((on: Storage) => Promise<unknown>)[] = [
      (on) => older.get(on, 'nothing'),
      (on) => older.find(on, { by: 'id', limit: 1 }),
      (on) => older.changes(on, 0),
      (on) => on.commit([older.write('b', value)]),
      (on) => books().get(on, 'nothing'),
    ]
    for (const use of uses) {
      await expect(use(another())).rejects.toMatchObject({
        reason: 'StorageNewerVersion',
        message: expect.stringMatching(/collection books has the shape 3.*knows shapes up to \d/),
        info: { collection: 'books', found: 3 },
      })
    }
    expect(await oldBooks.get(another(), 'nothing').catch(({ reason }) => reason)).toBe(
      'StorageNewerVersion',
    )
  })

  it('of one record is refused by a process that was already running', async () => {
    const { storage, another } = world()
    const running = another()
    const older = shapedBooks(2)
    await older.get(running, 'a')
    const other = defineCollection<string>({ name: 'others' })
    await running.commit([other.write('a', 'x')])
    await storage.commit([shapedBooks(3).write('a', value)])
    const failure = {
      reason: 'StorageNewerVersion',
      message: expect.stringContaining('the record "a" of books has the shape 3'),
      info: { collection: 'books', id: 'a', found: 3, known: 2 },
    }
    await expect(older.get(running, 'a')).rejects.toMatchObject(failure)
    await expect(older.changes(running, 0)).rejects.toMatchObject(failure)
    expect((await other.get(running, 'a'))?.value).toBe('x')
  })

  it('is noted before its first record is written, and never lowered', async () => {
    const { raw, storage, another } = world()
    const late = another()
    await oldBooks.get(late, 'a')
    await shapedBooks(3).get(storage, 'a')
    expect((await shapeCollection.get(raw, 'books'))?.value).toEqual({ shape: 3 })
    await expect(shapedBooks(2).get(late, 'a')).rejects.toMatchObject({
      reason: 'StorageNewerVersion',
    })
    expect((await shapeCollection.get(raw, 'books'))?.value).toEqual({ shape: 3 })
  })

  it('is read again after the storage was down', async () => {
    const { raw, log } = world()
    let isAway = true
    const flaky: Storage = {
      ...raw,
      find: (...query) => (isAway ? Promise.reject(new Error('away')) : raw.find(...query)),
    }
    const ignore = (): void => {}
    const unreadable = registerUnreadableRecords(createMetricsRegistry(), 'test')
    const storage = readableStorage(flaky, {
      logger: { debug: ignore, info: ignore, warn: ignore, error: (line) => void log.push(line) },
      unreadable,
    })
    await expect(books().get(storage, 'a')).rejects.toThrow('away')
    isAway = false
    expect(await books().get(storage, 'a')).toBeUndefined()
  })
})
