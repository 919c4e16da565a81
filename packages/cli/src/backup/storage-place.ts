import { rmSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Storage } from '@gatehouse/core'
import type { StorageSnapshot } from '@gatehouse/core/store'
import { createPostgresStorage, readPostgresSnapshot } from '@gatehouse/store-postgres'
import { createSqliteStorage, readSqliteSnapshot } from '@gatehouse/store-sqlite'
import { readOwnConfig } from '../api/api-document.ts'
import { storageChoiceOf } from '../config/storage-config.ts'
import { isPostgresUrl, type StorageChoice } from '../storage.ts'
import { publishFile, refuseExisting } from './publish-file.ts'

/** Flags that choose a storage. */
export interface StoragePlaceFlags {
  readonly config?: string
  readonly sqlite?: string
  readonly database?: string
  readonly schema?: string
  readonly prefix?: string
}

/** A storage that outlives the process. */
export type StoragePlace = Exclude<StorageChoice, { readonly kind: 'memory' }>

/** @throws {Error} if the flags choose no storage, more than one, or one in memory. */
export async function storagePlaceOf(flags: StoragePlaceFlags): Promise<StoragePlace> {
  const { config, sqlite, database: url, schema, prefix } = flags
  if ([config, sqlite, url].filter((one) => one !== undefined).length !== 1) {
    throw new Error('name one storage: --config FILE, --sqlite FILE, or --database URL')
  }
  if (sqlite !== undefined) return { kind: 'sqlite', filename: resolve(sqlite) }
  const names = {
    ...(schema === undefined ? {} : { schema }),
    ...(prefix === undefined ? {} : { prefix }),
  }
  if (url !== undefined) {
    if (isPostgresUrl(url)) return { kind: 'postgres', url, ...names }
    throw new Error('--database must be a URL such as postgres://user@host:5432/database')
  }
  const { own, directory } = await readOwnConfig(config ?? '')
  const choice = await storageChoiceOf(own.storage, directory)
  if (choice.kind === 'memory') throw new Error(`${config}: the storage is in memory`)
  return choice.kind === 'postgres' ? { ...choice, ...names } : choice
}

/** Reads a storage in one snapshot. */
export function readPlace<T>(
  place: StoragePlace,
  work: (snapshot: StorageSnapshot) => Promise<T>,
): Promise<T> {
  if (place.kind === 'sqlite') return readSqliteSnapshot({ filename: place.filename }, work)
  const { kind, maxConnections, timeoutMs, migrate, prepare, ...options } = place
  return readPostgresSnapshot(options, work)
}

/**
 * Opens a storage to fill it. An SQLite file gets its name after `work` has succeeded.
 *
 * @throws {Error} if the file exists already.
 */
export async function fillPlace<T>(
  place: StoragePlace,
  work: (storage: Storage) => Promise<T>,
): Promise<T> {
  if (place.kind === 'postgres') {
    const { kind, ...options } = place
    return usedStorage(createPostgresStorage(options), work)
  }
  const { filename } = place
  refuseExisting(filename)
  const draft = `${filename}.restoring`
  const remove = (): void => {
    for (const suffix of ['', '-wal', '-shm']) rmSync(draft + suffix, { force: true })
  }
  remove()
  try {
    const storage = createSqliteStorage({ filename: draft, mode: 0o600, reserveBytes: 0 })
    const result = await usedStorage(storage, work)
    publishFile(draft, filename)
    return result
  } finally {
    remove()
  }
}

async function usedStorage<T>(
  storage: Storage,
  work: (storage: Storage) => Promise<T>,
): Promise<T> {
  try {
    return await work(storage)
  } finally {
    await storage.close()
  }
}
