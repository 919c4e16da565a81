import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineCollection } from '@gatehouse/core/store'
import { createSqliteStorage } from '@gatehouse/store-sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { installWhenNeeded } from '../../../scripts/install-when-needed.mjs'
import { bundleFixture, startFixture } from '../../../test-support/fixture-process.ts'

const counters = defineCollection<number>({ name: 'counters' })

/** One process must not open a file with two copies of SQLite: when one of them closes it, the system drops the locks of both. */
describe('a process with better-sqlite3 and one with the driver that the store chooses', () => {
  const betterSqlite3 = installWhenNeeded('better-sqlite3', '12.11.1')
  let writer = ''
  let folder = ''
  beforeAll(async () => {
    writer = await bundleFixture(new URL('./writer.fixture.ts', import.meta.url))
    folder = await mkdtemp(join(tmpdir(), 'gatehouse-sqlite-'))
  })
  afterAll(() => Promise.all([rm(writer), rm(folder, { recursive: true })]))

  const countOf = async (filename: string): Promise<number | undefined> => {
    const storage = createSqliteStorage({ filename })
    const counter = await counters.get(storage, 'all')
    await storage.close()
    return counter?.value
  }

  it('write one file in turn', async () => {
    const filename = join(folder, 'in-turn.db')
    for (let turn = 0; turn < 10; turn++) {
      const driver = turn % 2 === 0 ? [] : [betterSqlite3]
      const running = startFixture(writer, [filename, `${turn}`, '5', ...driver])
      expect(await running.ended).toBe(0)
      expect(await countOf(filename)).toBe(5 * (turn + 1))
    }
  })

  it('write one file at the same time, and a file that the other one left when it was killed', async () => {
    const filename = join(folder, 'at-once.db')
    let acknowledged = 0
    for (let turn = 0; turn < 6; turn++) {
      const [killed, other] = turn % 2 === 0 ? [[], [betterSqlite3]] : [[betterSqlite3], []]
      const first = startFixture(writer, [filename, `${turn}-a`, 'Infinity', ...(killed ?? [])])
      const second = startFixture(writer, [filename, `${turn}-b`, '40', ...(other ?? [])])
      await Promise.all([first.hasWritten(10), second.hasWritten(10)])
      await first.kill()
      expect(await second.ended).toBe(0)
      acknowledged += first.lines.length + second.lines.length
      const count = (await countOf(filename)) ?? 0
      expect(count).toBeGreaterThanOrEqual(acknowledged)
      // A killed process may have committed once more than it could say.
      expect(count).toBeLessThanOrEqual(acknowledged + turn + 1)
    }
  })
})
