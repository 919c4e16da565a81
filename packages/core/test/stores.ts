import type { Clock, Storage } from '@gatehouse/core'
import type { Collection } from '@gatehouse/core/store'
import { createMemoryStorage } from '@gatehouse/store-memory'
import { createPostgresStorage, migratePostgres } from '@gatehouse/store-postgres'
import { createSqliteStorage } from '@gatehouse/store-sqlite'
import pg from 'pg'
import { afterAll, beforeAll, it } from 'vitest'
import { casesAt, isInGrid, isWide } from '../../../test-support/lane.ts'
import { dropDatabase } from '../../../test-support/postgres/postgres-database.ts'
import { describeWithPostgres, freshDatabase } from '../../../test-support/postgres/use-postgres.ts'
import { adapters } from './servers.ts'

/** The names of the stores; the first one is the fastest. */
export const stores = ['memory', 'sqlite', 'postgres'] as const

/** A store that a suite runs on. */
export interface Store {
  readonly name: (typeof stores)[number]
  /** Opens a storage. PostgreSQL storages share one database and see each other's records. */
  open(clock?: Clock): Storage
  /** Opens an empty storage, while no other is in use. */
  openEmpty(clock?: Clock): Promise<Storage>
}

/** A store whose storages are empty because they are separate. */
function separate(name: Store['name'], open: (options: { clock?: Clock }) => Storage): Store {
  const openOne = (clock?: Clock): Storage => open(clock === undefined ? {} : { clock })
  return { name, open: openOne, openEmpty: async (clock) => openOne(clock) }
}

/** Calls `describeOn` for every available store, with tables for the collections. */
export function forEachStore(
  collections: readonly Collection[],
  describeOn: (store: Store) => void,
): void {
  describeOn(separate('memory', createMemoryStorage))
  describeOn(
    separate('sqlite', (options) => createSqliteStorage({ filename: ':memory:', ...options })),
  )
  describeWithPostgres('on PostgreSQL', () => describeOn(usePostgres(collections)))
}

/** Calls `describeOn` for every store with the first adapter, and for the store in memory with every adapter. In the wide lane: for all pairs. */
export function forEachServedStore(
  collections: readonly Collection[],
  describeOn: (adapter: string, store: Store) => void,
): void {
  forEachStore(collections, (store) => {
    for (const adapter of adapters) {
      if (isInGrid(adapter === adapters[0], store.name === stores[0])) describeOn(adapter, store)
    }
  })
}

/** The cases that a suite of {@link forEachServedStore} runs. */
export const casesOn = <T>(adapter: string, store: Store, cases: readonly T[]): readonly T[] =>
  casesAt([adapter, store.name], [...adapters.slice(1), ...stores.slice(1)], cases)

/** `it` of a suite of races. */
export type Races = (race: string, body: () => Promise<void>) => void

/**
 * `it` for the races of a suite on one store. PostgreSQL has them all, because requests really race only there. Memory and SQLite
 * have every fourth one, in the wide lane all.
 */
export function racesOn(name: Store['name']): Races {
  let index = 0
  return (race, body) => {
    const isOfStore = name === 'postgres' || index % 4 === stores.indexOf(name)
    index++
    if (isWide || isOfStore) it(race, body)
  }
}

/** Sets up a database on the shared server for the calling suite. */
export function usePostgres(collections: readonly Collection[]): Store {
  let url = ''
  let pool: pg.Pool
  let isEnding = false
  beforeAll(async () => {
    url = await freshDatabase()
    pool = new pg.Pool({ connectionString: url, max: 5 })
    // A pool that has ended may still be closing connections when the database is dropped.
    pool.on('error', (error) => {
      if (!isEnding) throw error
    })
    await migratePostgres({ database: pool, collections })
  })
  afterAll(async () => {
    isEnding = true
    await pool.end()
    await dropDatabase(url)
  })
  const open = (clock?: Clock): Storage =>
    createPostgresStorage({ database: pool, ...(clock === undefined ? {} : { clock }) })
  return {
    name: 'postgres',
    open,
    async openEmpty(clock) {
      // Creating the tables again for each test would take most of the time.
      const deletions = collections.map(({ name }) => `DELETE FROM gatehouse_${name}`)
      await pool.query(deletions.join(';'))
      return open(clock)
    },
  }
}
