import { dirname } from 'node:path'
import type { Logger, Storage } from '@gatehouse/core'
import { parseUrl } from '@gatehouse/core/adapter'
import { createMemoryStorage } from '@gatehouse/store-memory'
import { createPostgresStorage } from '@gatehouse/store-postgres'
import { createSqliteStorage } from '@gatehouse/store-sqlite'
import { fileProblem } from './config/config-file.ts'
import { makeFolder } from './make-folder.ts'

/** Where the data is kept. */
export type StorageChoice =
  | { readonly kind: 'memory' }
  | {
      readonly kind: 'sqlite'
      readonly filename: string
      readonly durability?: 'process' | 'power'
    }
  | ({ readonly kind: 'postgres' } & PostgresChoice)

/** A PostgreSQL database, and the place of the tables in it. */
export interface PostgresChoice {
  readonly url: string
  readonly schema?: string
  readonly prefix?: string
  readonly maxConnections?: number
  readonly timeoutMs?: number
  readonly migrate?: 'auto' | 'manual'
  readonly prepare?: boolean
}

/**
 * Whether a text is the URL of a PostgreSQL database. A slash in a password must be percent-encoded: otherwise it ends the host,
 * and the rest of the password would be logged as the name of the database.
 */
export function isPostgresUrl(text: string): boolean {
  const url = /^postgres(ql)?:\/\//.test(text) ? parseUrl(text) : undefined
  return url !== undefined && !url.pathname.includes('@')
}

/** A short name of the storage, for the log. */
export function storageName(choice: StorageChoice): string {
  switch (choice.kind) {
    case 'memory':
      return 'memory'
    case 'sqlite':
      return choice.filename
    case 'postgres':
      return postgresName(choice.url)
  }
}

/** A URL without user and password. */
function postgresName(url: string): string {
  const { protocol, host, pathname } = new URL(url)
  return `${protocol}//${host}${pathname}`
}

/** @throws {Error} if each process would have a storage of its own. */
export function requireSharedStorage({ kind }: StorageChoice): void {
  if (kind === 'memory') throw new Error('--workers needs a storage in a file or in PostgreSQL')
}

/** Options of {@link openStorage}. */
export interface OpenStorageOptions {
  logger: Logger
  /** Whether a new database file is accessible to its user only (default: the process's umask decides). */
  isPrivate?: boolean
}

/**
 * Opens the storage; creates the folder of an SQLite file if it is missing.
 *
 * @throws {Error} if it cannot be opened.
 */
export function openStorage(
  choice: StorageChoice,
  { logger, isPrivate = false }: OpenStorageOptions,
): Storage {
  if (choice.kind === 'memory') return createMemoryStorage()
  if (choice.kind === 'postgres') {
    const { kind, ...options } = choice
    return createPostgresStorage({ ...options, logger })
  }
  const { filename, durability = 'process' } = choice
  try {
    makeFolder(dirname(filename))
  } catch (error) {
    throw new Error(`${dirname(filename)}: ${fileProblem(error)}`, { cause: error })
  }
  // SQLite copies the permissions to the files beside the database.
  const mode = isPrivate ? { mode: 0o600 } : {}
  return createSqliteStorage({ filename, durability, logger, ...mode })
}
