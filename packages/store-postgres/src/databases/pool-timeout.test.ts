import { silentLogger } from '@gatehouse/core'
import { defineCollection } from '@gatehouse/core/store'
import { expect, it, vi } from 'vitest'
import { describeWithPostgres } from '../../../../test-support/postgres/use-postgres.ts'
import { type StoragesUnderTest, untilIdle, useStorages } from '../../test/use-storages.ts'
import { poolDatabase } from './pool.ts'

const notes = defineCollection<string>({ name: 'notes', feed: true })
const codes = defineCollection<string>({ name: 'codes' })
const unavailable = { kind: 'ServiceUnavailable', reason: 'StorageUnavailable' }
/** How long a call waits for a database at most, in ms: enough for its first connections on a busy machine. */
const timeoutMs = 3_000

/** A test on a database of its own, beside the others, because all wait for the timeout. */
function itMeanwhile(name: string, body: (test: StoragesUnderTest) => Promise<void>): void {
  describeWithPostgres(
    'a pool that gets no answer',
    () => {
      const test = useStorages()
      it(name, () => body(test))
    },
    { concurrent: true },
  )
}

itMeanwhile('waits no longer than the timeout, and leaves no connection in use', async (test) => {
  const proxy = await test.proxy()
  const pool = test.pool({ connectionString: proxy.url, max: 4 })
  const storage = test.open({ database: pool, timeoutMs })
  await storage.commit([notes.write('a', 'kept'), codes.write('a', 'kept')])
  await untilIdle(pool, { listening: 1 })
  proxy.hang()
  const calls = [
    storage.get(notes, ['a']),
    storage.find(notes, { by: 'id', limit: 1 }),
    storage.commit([notes.write('a', 'lost')]),
    storage.commit([codes.write('a', 'lost')]),
    ...Array.from({ length: 10 }, () => storage.get(notes, ['a'])),
  ]
  for (const call of await Promise.allSettled(calls)) {
    expect(call).toMatchObject({
      status: 'rejected',
      reason: { ...unavailable, message: expect.stringContaining(`within ${timeoutMs} ms`) },
    })
  }
  proxy.resume()
  await vi.waitFor(async () => expect(await storage.get(notes, ['a'])).toMatchObject([{}]), {
    timeout: 60_000,
  })
  await untilIdle(pool, { listening: 1 })
})

itMeanwhile('locks nothing for longer than the timeout', async (test) => {
  const proxy = await test.proxy()
  const storage = test.open({ url: proxy.url, timeoutMs })
  await storage.commit([notes.write('a', 'kept')])
  const client = await test.connect()
  await client.query('BEGIN')
  await client.query(`SELECT 1 FROM gatehouse_notes WHERE id = 'a' FOR UPDATE`)
  const lost = expect(
    storage.commit([notes.write('a', 'lost'), notes.write('b', 'lost')]),
  ).rejects.toMatchObject(unavailable)
  await test.nextWaiting('INSERT INTO')
  // The server runs the first statement and then waits in vain for the next one.
  proxy.hang()
  await client.query('ROLLBACK')
  await test.open().commit([notes.write('a', 'made')])
  await lost
  expect(await test.rows('SELECT id, value FROM gatehouse_notes')).toEqual([['a', '"made"']])
})

itMeanwhile('close() returns all the same', async (test) => {
  const proxy = await test.proxy()
  const storage = test.open({ url: proxy.url, timeoutMs })
  await storage.commit([notes.write('a', 'kept')])
  proxy.hang()
  const read = expect(storage.get(notes, ['a'])).rejects.toMatchObject(unavailable)
  await storage.close()
  await read
})

itMeanwhile('gives back a connection on which LISTEN fails', async (test) => {
  const proxy = await test.proxy()
  const pool = test.pool({ connectionString: proxy.url })
  const database = poolDatabase(pool, {
    connectTimeoutMs: timeoutMs,
    timeoutMs,
    logger: silentLogger,
  })
  await database.query('SELECT 1')
  proxy.hang()
  const lost: unknown[] = []
  const listener = { onNotification: () => {}, onLost: (error: unknown) => lost.push(error) }
  const listening = database.listen?.('news', listener)
  await expect(listening).rejects.toMatchObject(unavailable)
  expect(pool.totalCount).toBe(0)
  proxy.resume()
  await database.query('SELECT 1')
  proxy.cutBefore({ text: 'LISTEN' })
  await expect(database.listen?.('news', listener)).rejects.toThrow('terminated')
  await untilIdle(pool, { listening: 0 })
  // A failed attempt to listen is reported once, by its rejection.
  expect(lost).toEqual([])
  await database.close()
})

itMeanwhile('times out waiting for an exhausted pool', async (test) => {
  const pool = test.pool({ max: 2 })
  const storage = test.open({ database: pool, timeoutMs })
  await storage.commit([codes.write('a', 'kept')])
  const taken = [await pool.connect(), await pool.connect()]
  const calls = [storage.get(codes, ['a']), storage.commit([codes.write('a', 'lost')])]
  for (const call of await Promise.allSettled(calls)) {
    expect(call).toMatchObject({ status: 'rejected', reason: unavailable })
  }
  for (const client of taken) client.release()
  await untilIdle(pool, { listening: 0 })
  expect(await codes.get(storage, 'a')).toMatchObject({ value: 'kept' })
})
