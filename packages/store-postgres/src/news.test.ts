import { type Storage, silentLogger } from '@gatehouse/core'
import { defineCollection } from '@gatehouse/core/store'
import { createManualClock } from '@gatehouse/core/testing'
import postgres from 'postgres'
import { describe, expect, it } from 'vitest'
import { describeWithPostgres } from '../../../test-support/postgres/use-postgres.ts'
import { interceptedPool } from '../test/intercepted-pool.ts'
import { useStorages } from '../test/use-storages.ts'
import type { Database, Listener } from './database.ts'
import { createNews } from './news.ts'

const notes = defineCollection<number>({ name: 'notes', feed: true })

/** Everything a follower has received since the beginning. */
const received = async (storage: Storage): Promise<string[]> => {
  const changes = await notes.changes(storage, 0)
  return 'written' in changes ? changes.written.map(({ id }) => id).sort() : ['reset']
}

describeWithPostgres('notifications of other processes', () => {
  const test = useStorages()
  const listening = async (): Promise<number[]> =>
    (
      await test.rows(`SELECT pid FROM pg_stat_activity
        WHERE datname = current_database() AND state = 'idle' AND query LIKE 'LISTEN%'`)
    ).map(([pid]) => Number(pid))

  it('come through a new connection when the old one dies, with everything missed meanwhile', async () => {
    // The clock stands still, so changes of others arrive only by notification.
    const clock = createManualClock()
    const writer = test.open({ clock, database: test.pool({ max: 1 }) })
    const follower = test.open({ clock })
    expect(await received(follower)).toEqual([])
    await expect.poll(listening).toHaveLength(1)
    const [first = 0] = await listening()
    const teller = test.open({ clock })
    await teller.commit([notes.write('a', 1)])
    await expect.poll(() => received(follower)).toEqual(['a'])
    await teller.close()

    // Closed listeners may remain for a while.
    await test.terminate(first)
    await writer.commit([notes.write('b', 1)])
    await expect.poll(listening).not.toContain(first)
    await expect.poll(listening).toHaveLength(1)
    await expect.poll(() => received(follower)).toEqual(['a', 'b'])

    await test.open({ clock }).commit([notes.write('c', 1)])
    await expect.poll(() => received(follower)).toEqual(['a', 'b', 'c'])
  })

  it('are replaced by polling once a second while there is no connection', async () => {
    const clock = createManualClock()
    let isDeaf = true
    const database = interceptedPool(test.pool(), async (text, run) => {
      if (isDeaf && text.startsWith('LISTEN')) throw new Error('the connection was lost')
      return run()
    })
    const follower = test.open({ clock, database })
    const writer = test.open({ clock })
    expect(await received(follower)).toEqual([])
    await writer.commit([notes.write('a', 1)])
    expect(await received(follower)).toEqual([])
    clock.advance(999)
    expect(await received(follower)).toEqual([])
    clock.advance(1)
    expect(await received(follower)).toEqual(['a'])
    await writer.commit([notes.write('b', 1)])
    isDeaf = false
    // It reconnects by itself; a new listener must assume that it missed something.
    await expect.poll(() => received(follower)).toEqual(['a', 'b'])
  })

  it('travel between storages of any driver', async () => {
    const clock = createManualClock()
    const sql = postgres(test.url, { onnotice: () => {} })
    const storages = [test.open({ clock }), test.open({ clock, database: sql })]
    for (const storage of storages) expect(await received(storage)).toEqual([])
    await expect
      .poll(() =>
        test.value(`SELECT count(*)::int FROM pg_stat_activity
          WHERE datname = current_database() AND lower(query) LIKE 'listen%'`),
      )
      .toBe(2)
    const expected: string[] = []
    for (const [index, storage] of storages.entries()) {
      expected.push(`${index}`)
      await storage.commit([notes.write(`${index}`, 1)])
      for (const other of storages) await expect.poll(() => received(other)).toEqual(expected)
    }
    for (const storage of storages) await storage.close()
    await sql.end()
  })
})

describe('createNews', () => {
  /** A database that holds each query until the test answers it. */
  function createFakeDatabase() {
    const queries: unknown[][] = []
    const answers: ((error?: Error) => void)[] = []
    const listeners: Listener[] = []
    let stopped = 0
    const database: Database = {
      query: (_, values = []) =>
        new Promise((resolve, reject) => {
          queries.push([...values])
          answers.push((error) => (error === undefined ? resolve([]) : reject(error)))
        }),
      transaction: () => Promise.reject(new Error('no query to answer')),
      reportsOutcome: true,
      listen: async (_, listener) => {
        listeners.push(listener)
        return async () => {
          stopped++
        }
      },
      close: async () => {},
    }
    return { database, queries, answers, listeners, stopped: () => stopped }
  }
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
  const options = { channel: 'changes', self: 'me', logger: silentLogger }

  it('passes on news of others and possible gaps, but not its own news', async () => {
    const { database, listeners } = createFakeDatabase()
    const heard: (string | undefined)[] = []
    const news = createNews(database, { ...options, onNews: (name) => heard.push(name) })
    news.listen()
    news.listen()
    await settled()
    expect(listeners).toHaveLength(1)
    expect(heard).toEqual([undefined])
    for (const payload of ['other notes', 'me notes', 'other notes codes', '']) {
      listeners[0]?.onNotification(payload)
    }
    expect(heard).toEqual([undefined, 'notes', 'notes', 'codes'])
    await news.close()
  })

  it('sends together what arrives while it is sending', async () => {
    const { database, queries, answers } = createFakeDatabase()
    const news = createNews(database, { ...options, onNews: () => {} })
    for (const name of ['a', 'b', 'b', 'c', 'b']) news.notify(name)
    expect(queries).toEqual([['changes', 'me a']])
    answers[0]?.()
    await settled()
    expect(queries.slice(1)).toEqual([['changes', 'me b c']])
    answers[1]?.(new Error('the connection was lost'))
    await settled()
    news.notify('a')
    expect(queries.slice(2)).toEqual([['changes', 'me a']])
    answers[2]?.()
    await news.close()
  })

  it('stops sending where NOTIFY is not supported', async () => {
    const { database, queries, answers } = createFakeDatabase()
    const news = createNews(database, { ...options, onNews: () => {} })
    news.notify('a')
    answers[0]?.(Object.assign(new Error('no such function'), { code: '42883', severity: 'ERROR' }))
    await settled()
    news.notify('a')
    expect(queries).toHaveLength(1)
    await news.close()
    const deaf = createNews({ ...database, listen: undefined }, { ...options, onNews: () => {} })
    deaf.listen()
    deaf.notify('a')
    expect(queries).toHaveLength(1)
    await deaf.close()
  })

  it('ends everything that has begun or is beginning, and begins nothing more', async () => {
    const { database, listeners, stopped, queries, answers } = createFakeDatabase()
    const news = createNews(database, { ...options, onNews: () => {} })
    news.listen()
    news.notify('a')
    const closing = news.close()
    answers[0]?.()
    await closing
    expect(stopped()).toBe(1)
    listeners[0]?.onLost(new Error('the connection was ended'))
    news.notify('a')
    await settled()
    expect(listeners).toHaveLength(1)
    expect(queries).toHaveLength(1)
  })
})
