import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Logger, Storage } from '@gatehouse/core'
import { createMemoryStorage } from '@gatehouse/store-memory'
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

/** The choice in a word or two, for the log. */
export function storageName(choice: StorageChoice): string {
  return choice.kind === 'memory' ? 'memory' : choice.filename
}

/**
 * Opens the storage; the folder of an SQLite file is made if it is not there.
 *
 * @throws {Error} if it cannot be opened.
 */
export function openStorage(choice: StorageChoice, logger: Logger): Storage {
  if (choice.kind === 'memory') return createMemoryStorage()
  const { filename, durability = 'process' } = choice
  try {
    mkdirSync(dirname(filename), { recursive: true })
  } catch (error) {
    throw new Error(`${dirname(filename)}: ${fileProblem(error)}`, { cause: error })
  }
  return createSqliteStorage({ filename, durability, logger })
}
