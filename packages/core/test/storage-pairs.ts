import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Clock, Storage } from '@gatehouse/core'
import { authCollections } from '@gatehouse/core/auth'
import { createMemoryStorage } from '@gatehouse/store-memory'
import { createSqliteStorage } from '@gatehouse/store-sqlite'
import { describe } from 'vitest'
import { describeWithPostgres } from '../../../test-support/postgres/use-postgres.ts'
import { type Races, racesOn, usePostgres } from './stores.ts'

/** One storage as two processes see it, and a function that closes both. */
export interface StoragePair {
  readonly storages: readonly [Storage, Storage]
  release(): Promise<void>
}

type OpenPair = (clock: Clock) => Promise<StoragePair>

/** Calls `describeOn` for every available store, with the tables of sign-in and with the `it` of its races. */
export function forEachStoragePair(describeOn: (open: OpenPair, it: Races) => void): void {
  describe('in memory', () => {
    describeOn(async (clock) => {
      const storage = createMemoryStorage({ clock })
      return { storages: [storage, storage], release: () => storage.close() }
    }, racesOn('memory'))
  })
  describe('on SQLite', () => {
    describeOn(async (clock) => {
      const folder = await mkdtemp(join(tmpdir(), 'gatehouse-pair-'))
      const open = (): Storage => createSqliteStorage({ filename: join(folder, 'auth.db'), clock })
      return pairOf(open(), open(), () => rm(folder, { recursive: true }))
    }, racesOn('sqlite'))
  })
  describeWithPostgres('on PostgreSQL', () => {
    const store = usePostgres(authCollections)
    describeOn(
      async (clock) => pairOf(await store.openEmpty(clock), store.open(clock)),
      racesOn('postgres'),
    )
  })
}

function pairOf(one: Storage, other: Storage, clean?: () => Promise<void>): StoragePair {
  return {
    storages: [one, other],
    async release() {
      for (const storage of [one, other]) await storage.close()
      await clean?.()
    },
  }
}
