import { type Logger, type Storage, silentLogger } from '@gatehouse/core'
import { defineCollection, isConflict } from '@gatehouse/core/store'
import { createManualClock } from '@gatehouse/core/testing'
import { expect, it } from 'vitest'
import { describeWithPostgres } from '../../../test-support/postgres/use-postgres.ts'
import { interceptedPool } from '../test/intercepted-pool.ts'
import { useStorages } from '../test/use-storages.ts'

const notes = defineCollection<number>({ name: 'notes', feed: true })
const codes = defineCollection<number>({ name: 'codes' })
const others = defineCollection<number>({ name: 'others' })

describeWithPostgres('the sweeping of expired records', () => {
  const test = useStorages()
  const numbered = (count: number): string[] =>
    Array.from({ length: count }, (_, index) => `${index}`.padStart(5, '0'))
  const left = (): Promise<unknown> => test.value('SELECT count(*)::int FROM gatehouse_notes')
  /** The ids of each commit that wrote or removed many records. */
  const stepsAfter = async (revision: number): Promise<string[][]> => {
    const rows = await test.rows(
      'SELECT ids FROM "gatehouse_notes.feed" WHERE revision > $1 ORDER BY revision',
      [revision],
    )
    return rows.map(([ids]) => ids as string[])
  }

  /** Makes unrelated commits until only `count` notes are left. A step may already be under way. */
  const commitUntil = (storage: Storage, count: number): Promise<void> =>
    expect
      .poll(async () => {
        await storage.commit([others.remove('none')])
        return left()
      })
      .toBe(count)

  it('deletes their rows in small steps, and lists them in the feed', async () => {
    const clock = createManualClock()
    const storage = test.open({ clock })
    const expiresAt = clock.now() + 10
    await storage.commit(numbered(600).map((id) => notes.write(id, 1, { expiresAt })))
    await storage.commit([notes.write('kept', 1)])
    clock.advance(1_000)
    await commitUntil(storage, 1)
    const steps = await stepsAfter(2)
    expect(steps.map((ids) => ids.length)).toEqual([256, 256, 600 - 512])
    expect(steps.flat().sort()).toEqual(numbered(600))
    const changes = await storage.changes(notes, 2)
    expect('removed' in changes && [...changes.removed].sort()).toEqual(numbered(600))
  })

  it('takes turns between collections', async () => {
    const clock = createManualClock()
    const swept: (string | undefined)[] = []
    const database = interceptedPool(test.pool(), async (text, run) => {
      const [, table] = /^DELETE FROM "gatehouse_(\w+)" WHERE id IN/.exec(text) ?? []
      const result = await run()
      if (table !== undefined && result.rows.length > 0) swept.push(table)
      return result
    })
    const storage = test.open({ clock, database })
    const expiresAt = clock.now() + 10
    for (const collection of [notes, codes, others]) {
      await storage.commit(numbered(600).map((id) => collection.write(id, 1, { expiresAt })))
    }
    clock.advance(1_000)
    await commitUntil(storage, 0)
    await expect
      .poll(async () => {
        await storage.commit([others.remove('none')])
        return swept
      })
      .toHaveLength(9)
    for (const round of [swept.slice(0, 3), swept.slice(3, 6), swept.slice(6)]) {
      expect(round).toEqual(swept.slice(0, 3))
    }
    expect(new Set(swept).size).toBe(3)
  })

  it('removes each record once when several processes sweep', async () => {
    const clock = createManualClock()
    const warnings: unknown[] = []
    const logger: Logger = { ...silentLogger, warn: (...line: unknown[]) => warnings.push(line) }
    const storages = Array.from({ length: 4 }, () => test.open({ clock, logger }))
    const [first] = storages
    const expiresAt = clock.now() + 10
    await first?.commit(numbered(3_000).map((id) => notes.write(id, 1, { expiresAt })))
    for (const storage of storages) await storage.changes(notes, 0)
    clock.advance(1_000)
    while ((await left()) !== 0) {
      await Promise.all(storages.map((storage) => storage.commit([others.remove('none')])))
    }
    await first?.changes(notes, 1) // numbers the steps that found the counter locked
    const steps = await stepsAfter(1)
    expect(steps.flat().sort()).toEqual(numbered(3_000))
    expect(Math.max(...steps.map((ids) => ids.length))).toBeLessThanOrEqual(256)
    expect(warnings).toEqual([])
  })

  it('does not remove a record that was written again meanwhile', async () => {
    const clock = createManualClock()
    const [writer, ...sweepers] = Array.from({ length: 3 }, () => test.open({ clock }))
    if (writer === undefined) throw new Error('no storage')
    const ids = numbered(40)
    const sweep = async (isOn: () => boolean): Promise<void> => {
      while (isOn()) {
        await Promise.all(sweepers.map((sweeper) => sweeper.commit([others.remove('none')])))
      }
    }
    for (let round = 0; round < 8; round++) {
      const expiresAt = clock.now() + 1_000
      await writer.commit(ids.map((id) => notes.write(id, round, { expiresAt })))
      clock.advance(1_000)
      let isWriting = true
      const sweeping = sweep(() => isWriting)
      for (const id of ids) await writer.commit([notes.write(id, round, { if: 'absent' })])
      isWriting = false
      await sweeping
      expect(await writer.find(notes, { by: 'id', limit: 100 })).toHaveLength(ids.length)
    }
  })

  it('skips a record that another transaction has locked', async () => {
    const clock = createManualClock()
    const storage = test.open({ clock })
    const expiresAt = clock.now() + 10
    await storage.commit(['a', 'b', 'c'].map((id) => notes.write(id, 1, { expiresAt })))
    const other = await test.connect()
    await other.query('BEGIN')
    await other.query(`SELECT 1 FROM gatehouse_notes WHERE id = 'b' FOR UPDATE`)
    clock.advance(1_000)
    await commitUntil(storage, 1)
    await other.query('ROLLBACK')
    clock.advance(1_000)
    await commitUntil(storage, 0)
  })

  it('tries again after a failure, which does not affect the commit that started it', async () => {
    const clock = createManualClock()
    const warnings: unknown[] = []
    const logger: Logger = {
      ...silentLogger,
      warn: (...[fields]: Parameters<Logger['warn']>) => warnings.push(fields),
    }
    const storage = test.open({ clock, logger })
    await storage.commit([notes.write('a', 1, { expiresAt: clock.now() + 10 })])
    await test.rows(
      `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'not now'; END $$`,
    )
    await test.rows(
      'CREATE TRIGGER refuse BEFORE DELETE ON gatehouse_notes EXECUTE FUNCTION refuse()',
    )
    clock.advance(1_000)
    await expect
      .poll(async () => {
        await storage.commit([others.remove('none')])
        return warnings
      })
      .toEqual([{ error: 'not now' }])
    await test.rows('DROP TRIGGER refuse ON gatehouse_notes')
    clock.advance(1_000)
    await commitUntil(storage, 0)
  })

  it('leaves an expired record to a commit that replaces it', async () => {
    const clock = createManualClock()
    const storages = Array.from({ length: 4 }, () => test.open({ clock }))
    await storages[0]?.commit([codes.write('a', 0, { expiresAt: clock.now() + 10 })])
    clock.advance(1_000)
    const taken = await Promise.allSettled(
      storages.map((storage, index) =>
        storage.commit([codes.write('a', index, { if: 'absent' }), notes.write(`${index}`, 1)]),
      ),
    )
    const refusals = taken.filter((result) => result.status === 'rejected')
    expect(refusals.every(({ reason }) => isConflict(reason))).toBe(true)
    expect(refusals).toHaveLength(3)
    expect(await left()).toBe(1)
  })
})
