import { defineCollection } from '@gatehouse/core/store'
import { createManualClock } from '@gatehouse/core/testing'
import { expect, it } from 'vitest'
import { describeWithPostgres } from '../../../test-support/postgres/use-postgres.ts'
import { interceptedPool } from '../test/intercepted-pool.ts'
import { useStorages } from '../test/use-storages.ts'
import { migratePostgres, type PostgresPool } from './index.ts'

const notes = defineCollection<number>({ name: 'notes', fields: {}, feed: true })
const codes = defineCollection<{ text: string }>({ name: 'codes', fields: { text: 'text' } })

/** The features that engines with PostgreSQL's protocol may lack. */
const lacking = /^LISTEN|pg_notify|pg_advisory_xact_lock/

describeWithPostgres('an engine without notifications and advisory locks', () => {
  const test = useStorages()

  const lesserPool = (refused: string[] = []): PostgresPool =>
    interceptedPool(test.pool(), async (text, run, client) => {
      const [what] = lacking.exec(text) ?? []
      if (what === undefined) return run()
      refused.push(what)
      // Run a failing statement, so that the transaction fails as it would in such an engine.
      await client.query('SELECT no_such_function()').catch(() => undefined)
      throw Object.assign(new Error('unimplemented'), { code: '0A000', severity: 'ERROR' })
    })

  it('is polled once a second by the clock; a missing feature is tried once', async () => {
    const clock = createManualClock()
    const refused: string[] = []
    const [writer, follower] = [1, 2].map(() => test.open({ clock, database: lesserPool(refused) }))
    if (writer === undefined || follower === undefined) throw new Error('no storages')
    await follower.changes(notes, 0)
    let revision = 0
    for (let round = 1; round <= 5; round++) {
      await writer.commit([notes.write(`${round}`, round), codes.write('a', { text: 'x' })])
      expect((await writer.changes(notes, 0)).revision).toBe(round)
      clock.advance(1_000)
      const changes = await notes.changes(follower, revision)
      expect('written' in changes && changes.written.map(({ id }) => id)).toEqual([`${round}`])
      revision = changes.revision
    }
    await Promise.all([writer.close(), follower.close()])
    const counts = new Map(
      refused.map((what) => [what, refused.filter((one) => one === what).length]),
    )
    expect(counts.get('LISTEN')).toBe(2)
    expect(counts.get('pg_notify')).toBe(1)
    expect(counts.get('pg_advisory_xact_lock')).toBeLessThanOrEqual(2)
  })

  it('is migrated, also by several storages at once', async () => {
    const migrations = Array.from({ length: 3 }, () =>
      migratePostgres({ database: lesserPool(), collections: [notes, codes] }),
    )
    await Promise.all(migrations)
    const storages = Array.from({ length: 4 }, () =>
      test.open({ database: lesserPool(), schema: 'other' }),
    )
    await Promise.all(
      storages.map((storage, index) =>
        storage.commit([notes.write(`${index}`, index), codes.write(`${index}`, { text: 'a' })]),
      ),
    )
    for (const storage of storages) {
      expect(await storage.find(codes, { by: 'text', equals: 'a', limit: 9 })).toHaveLength(4)
    }
  })

  it('loses no increment and takes no record twice', async () => {
    const storages = Array.from({ length: 4 }, () => test.open({ database: lesserPool() }))
    const taken = await Promise.allSettled(
      storages.flatMap((storage) =>
        Array.from({ length: 5 }, (_, index) =>
          storage.commit([notes.write(`${index}`, 1, { if: 'absent' })]),
        ),
      ),
    )
    expect(taken.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
  })
})
