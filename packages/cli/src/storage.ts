import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Logger, Storage } from '@gatehouse/core'
import { createMemoryStorage } from '@gatehouse/store-memory'
import { createPostgresStorage } from '@gatehouse/store-postgres'
import { createSqliteStorage } from '@gatehouse/store-sqlite'
import { fileProblem } from './config-file.ts'

/** Where the data is kept. */
export type StorageChoice =
  | { readonly kind: 'memory' }
  | {
      readonly kind: 'sqlite'
      readonly filename: string
      readonly durability?: 'process' | 'power'
    }
  | ({ readonly kind: 'postgres' } & PostgresChoice)

/** A PostgreSQL database, and where in it. */
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
 * Whether a text is the URL of a PostgreSQL database. A password with a slash that is not percent-encoded ends the host: a
 * part of it would be the name of the database, which is logged.
 */
export function isPostgresUrl(text: string): boolean {
  if (!/^postgres(ql)?:\/\//.test(text) || !URL.canParse(text)) return false
  return !new URL(text).pathname.includes('@')
}

/** The choice in a word or two, for the log. */
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

/** A URL without what stands in it of users and passwords. */
function postgresName(url: string): string {
  const { protocol, host, pathname } = new URL(url)
  return `${protocol}//${host}${pathname}`
}

/**
 * Opens the storage; the folder of an SQLite file is made if it is not there.
 *
 * @throws {Error} if it cannot be opened.
 */
export function openStorage(choice: StorageChoice, logger: Logger): Storage {
  if (choice.kind === 'memory') return createMemoryStorage()
  if (choice.kind === 'postgres') {
    const { kind, ...options } = choice
    return createPostgresStorage({ ...options, logger })
  }
  const { filename, durability = 'process' } = choice
  try {
    mkdirSync(dirname(filename), { recursive: true })
  } catch (error) {
    throw new Error(`${dirname(filename)}: ${fileProblem(error)}`, { cause: error })
  }
  return createSqliteStorage({ filename, durability, logger })
}
