import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Storage } from '@gatehouse/core'
import { createPostgresStorage } from '@gatehouse/store-postgres'
import { createSqliteStorage } from '@gatehouse/store-sqlite'
import { describe, expect, it } from 'vitest'
import { dropDatabase } from '../../../test-support/postgres/postgres-database.ts'
import { describeWithPostgres, freshDatabase } from '../../../test-support/postgres/use-postgres.ts'
import type { AuthEvent } from '../src/auth/events/auth-event.ts'
import { createUser } from '../src/auth/people/create-user.ts'
import { testAuth } from '../src/auth/service.fixture.ts'
import { startEvents } from '../src/auth/start/start-events.ts'

const users = 20

/** Three services deliver their events, on storages of one database. */
async function expectOneOrder(storages: readonly Storage[]): Promise<void> {
  const delivered: AuthEvent[] = []
  const onEvent = async (event: AuthEvent): Promise<void> => {
    delivered.push(event)
    // Every third delivery fails and is repeated later.
    if (delivered.length % 3 === 0) throw new Error('not now')
  }
  const worlds = storages.map((storage) => testAuth({}, { storage, onEvent }))
  for (const [index, { auth }] of worlds.entries()) {
    for (let count = 0; count < users; count++) {
      await createUser(auth, { preferred_username: `user-${index}-${count}` })
    }
  }
  const started = worlds.map(({ auth }) => startEvents(auth))
  const all = users * storages.length
  const placesOf = () => new Map(delivered.map(({ id, seq = 0 }) => [id, seq]))
  await expect.poll(() => placesOf().size).toBe(all)
  const deliveredLater = (): number => {
    for (const { clock } of worlds) clock.advance(60_000)
    return delivered.length
  }
  await expect.poll(deliveredLater).toBeGreaterThan(all)
  await Promise.all(started.map((one) => one.stop()))
  const numbers = Array.from({ length: all }, (_, index) => index + 1)
  expect([...placesOf().values()].sort((a, b) => a - b)).toEqual(numbers)
  // An event always has the same place.
  expect(new Set(delivered.map(({ id, seq }) => `${id} ${seq}`)).size).toBe(all)
}

describe('events delivered by several processes', () => {
  it('have one place each, without a gap, over connections to one SQLite file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-order-'))
    const filename = join(folder, 'auth.db')
    const storages = [1, 2, 3].map(() => createSqliteStorage({ filename }))
    await expectOneOrder(storages)
    for (const storage of storages) await storage.close()
    await rm(folder, { recursive: true })
  }, 60_000)
})

describeWithPostgres('events delivered by several processes on PostgreSQL', () => {
  it('have one place each, without a gap', async () => {
    const url = await freshDatabase()
    const storages = [1, 2, 3].map(() => createPostgresStorage({ timeoutMs: 60_000, url }))
    await expectOneOrder(storages)
    for (const storage of storages) await storage.close()
    await dropDatabase(url)
  }, 60_000)
})
