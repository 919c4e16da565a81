import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  describeSharedStorage,
  describeStorage,
  type SharedStorageFactory,
} from '@gatehouse/core/conformance'
import { describe, it } from 'vitest'
import { createSqliteStorage, type SqliteDatabase } from './index.ts'

/** Storages on connections of `connect`, or on those they open themselves. */
const factoryOf =
  (connect?: (filename: string) => SqliteDatabase): SharedStorageFactory =>
  async (clock) => {
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-sqlite-'))
    const filename = join(folder, 'test.db')
    const open = () => {
      const database = connect?.(filename)
      return createSqliteStorage({ filename, clock, ...(database && { database }) })
    }
    return {
      storage: open(),
      another: async () => open(),
      release: () => rm(folder, { recursive: true }),
    }
  }

describeStorage('sqlite', factoryOf())
describeSharedStorage('sqlite', factoryOf())

const builtIn = process.getBuiltinModule('node:sqlite') as
  | { DatabaseSync: new (filename: string) => SqliteDatabase }
  | undefined

if (builtIn === undefined) {
  describe('node:sqlite', () => {
    it.skip('is a driver (this Node.js does not have it)', () => {})
  })
} else {
  const factory = factoryOf((filename) => new builtIn.DatabaseSync(filename))
  describeStorage('node:sqlite', factory)
  describeSharedStorage('node:sqlite', factory)
}
