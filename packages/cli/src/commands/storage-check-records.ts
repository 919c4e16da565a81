import { existsSync } from 'node:fs'
import { checkRecords } from '@gatehouse/core/store'
import { allCollections as collections } from '../all-collections.ts'
import { readOwnConfig } from '../api/api-document.ts'
import { badNews } from '../config/exit-codes.ts'
import { storageChoiceOf } from '../config/storage-config.ts'
import { type LogFlags, loggerFor } from '../flags/log-flags.ts'
import { isPostgresUrl, openStorage, type StorageChoice } from '../storage.ts'

/** Flags of `gatehouse storage check-records`. */
export interface CheckRecordsFlags extends LogFlags {
  readonly config?: string
  readonly database?: string
  readonly sqlite?: string
  readonly schema?: string
  readonly prefix?: string
  readonly remove?: boolean
  readonly json?: boolean
}

/** `gatehouse storage check-records`: lists records that no service can read, and removes them on request. */
export async function checkStoredRecords(flags: CheckRecordsFlags): Promise<number> {
  const { remove = false, json = false } = flags
  const storage = openStorage(await choiceOf(flags), { logger: loggerFor(flags) })
  let left = 0
  try {
    for await (const found of checkRecords(storage, { collections, remove })) {
      const { collection, id, problem, isRemoved } = found
      if (!isRemoved) left++
      if (json) {
        const line = { collection, id, problem, removed: isRemoved }
        process.stdout.write(`${JSON.stringify(line)}\n`)
        continue
      }
      const end = isRemoved ? ' (removed)' : ''
      process.stdout.write(`${collection} ${JSON.stringify(id)}: ${problem}${end}\n`)
    }
  } finally {
    await storage.close()
  }
  return left === 0 ? 0 : badNews
}

async function choiceOf({
  config,
  database: url,
  sqlite,
  schema,
  prefix,
}: CheckRecordsFlags): Promise<StorageChoice> {
  if ([config, url, sqlite].filter((one) => one !== undefined).length !== 1) {
    throw new Error('name one database: --config FILE, --database URL, or --sqlite FILE')
  }
  if (url !== undefined) {
    if (!isPostgresUrl(url)) {
      throw new Error('--database must be a URL such as postgres://user@host:5432/database')
    }
    const place = { ...(schema && { schema }), ...(prefix && { prefix }) }
    return { kind: 'postgres', url, ...place }
  }
  const choice: StorageChoice =
    sqlite === undefined ? await choiceIn(config ?? '') : { kind: 'sqlite', filename: sqlite }
  if (choice.kind === 'sqlite' && !existsSync(choice.filename)) {
    throw new Error(`${choice.filename}: no such file or directory`)
  }
  return choice
}

async function choiceIn(filename: string): Promise<StorageChoice> {
  const { own, directory } = await readOwnConfig(filename)
  const choice = await storageChoiceOf(own.storage, directory)
  if (choice.kind === 'memory') throw new Error(`${filename}: the storage is in memory`)
  return choice
}
