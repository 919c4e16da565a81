import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  describeSharedStorage,
  describeStorage,
  type SharedStorageFactory,
} from '@gatehouse/core/conformance'
import { createSqliteStorage } from './index.ts'

const factory: SharedStorageFactory = async (clock) => {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-sqlite-'))
  const open = () => createSqliteStorage({ filename: join(folder, 'test.db'), clock })
  return {
    storage: open(),
    another: async () => open(),
    release: () => rm(folder, { recursive: true }),
  }
}

describeStorage('sqlite', factory)
describeSharedStorage('sqlite', factory)
