import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  describeSharedStorage,
  describeStorage,
  type SharedStorageFactory,
} from '@gatehouse/core/conformance'
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

// Node.js 20 does not have it; the tests of other versions do.
if (builtIn !== undefined) {
  const factory = factoryOf((filename) => new builtIn.DatabaseSync(filename))
  describeStorage('node:sqlite', factory)
  describeSharedStorage('node:sqlite', factory)
}
