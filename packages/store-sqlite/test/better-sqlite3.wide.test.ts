import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineCollection } from '@gatehouse/core/store'
import { createSqliteStorage, type SqliteDatabase } from '@gatehouse/store-sqlite'
import { afterAll, expect, it } from 'vitest'
import { installWhenNeeded } from '../../../scripts/install-when-needed.mjs'

const load = createRequire(import.meta.url)
const BetterSqlite3: new (filename: string) => SqliteDatabase = load(
  installWhenNeeded('better-sqlite3', '12.11.1'),
)
const notes = defineCollection<{ text: string }>({ name: 'notes', feed: true })

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-sqlite-'))
afterAll(() => rmSync(folder, { recursive: true }))

it('better-sqlite3 and the driver that the store chooses write one file in turn and at the same time', async () => {
  const filename = join(folder, 'test.db')
  const open = (isChosen: boolean) =>
    createSqliteStorage({ filename, ...(!isChosen && { database: new BetterSqlite3(filename) }) })
  for (let round = 0; round < 20; round++) {
    const storages = [open(true), open(false)]
    for (const [index, storage] of storages.entries()) {
      await storage.commit([notes.write(`${round}-${index}`, { text: `${index}` })])
    }
    for (const storage of storages) {
      const found = await notes.find(storage, { by: 'id', limit: 100 })
      expect(found).toHaveLength((round + 1) * 2)
      await storage.close()
    }
  }
})
