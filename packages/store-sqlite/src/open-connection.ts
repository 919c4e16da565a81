import { isGatehouseError, type Logger, storageUnavailable } from '@gatehouse/core/store'
import { type Connection, createConnection } from './connection.ts'
import { createFileOnce } from './create-file.ts'
import { openDatabase, type SqliteDatabase } from './database.ts'
import { isFull, messageOf, resultCode, toStorageError } from './errors.ts'
import type { Reserve } from './reserve.ts'
import { createSchema, prepareSchema } from './schema.ts'

/** Options of {@link openConnection}. */
export interface ConnectionOptions {
  filename: string
  database: SqliteDatabase | undefined
  /** Permissions of a new file. */
  mode: number | undefined
  reserve: Reserve
  durability: 'process' | 'power'
  busyTimeoutMs: number
  logger: Logger
}

/** Opens a connection to a Gatehouse database and upgrades its schema. Failures become GatehouseErrors. */
export function openConnection(options: ConnectionOptions): Connection {
  const { filename, database } = options
  const file = JSON.stringify(filename)
  try {
    if (database !== undefined) return prepared(createConnection(database), options)
    createFileOnce(filename, {
      mode: options.mode,
      make: (draft) => makeFile(draft, options.busyTimeoutMs),
    })
    return openWithRoom(options)
  } catch (error) {
    if (isGatehouseError(error) || resultCode(error) !== undefined)
      throw toStorageError(error, file)
    // better-sqlite3 checks by itself whether the directory exists.
    throw storageUnavailable(`cannot open ${file}: ${messageOf(error)}`, error)
  }
}

/**
 * A full disk may have no room for the 32 KiB of SQLite's shared memory. Then delete the reserve to make room. Without a reserve,
 * open the file exclusively, which needs no shared memory.
 */
function openWithRoom(options: ConnectionOptions): Connection {
  const { filename, reserve, logger } = options
  try {
    return openFile(filename, options)
  } catch (error) {
    if (!isFull(error)) throw error
  }
  if (reserve.release()) {
    logger.warn(
      { filename },
      'the disk is full: deleted the reserve file beside the database to open it',
    )
    try {
      return openFile(filename, options)
    } catch (error) {
      if (!isFull(error)) throw error
    }
  }
  const connection = openFile(filename, options, 'PRAGMA locking_mode = EXCLUSIVE')
  logger.warn(
    { filename },
    'the disk is full: no other process can open the database until this one is restarted',
  )
  return connection
}

function makeFile(draft: string, busyTimeoutMs: number): void {
  const database = openDatabase(draft, busyTimeoutMs)
  try {
    createSchema(database)
  } finally {
    database.close()
  }
}

function openFile(filename: string, options: ConnectionOptions, first?: string): Connection {
  const connection = createConnection(openDatabase(filename, options.busyTimeoutMs))
  try {
    if (first !== undefined) connection.exec(first)
    // Fails before there is a statement, with which @photostructure/sqlite would not close the file.
    connection.exec('SELECT 1 FROM sqlite_schema LIMIT 1')
    return prepared(connection, options)
  } catch (error) {
    connection.close()
    throw error
  }
}

function prepared(
  connection: Connection,
  { filename, durability, busyTimeoutMs, logger }: ConnectionOptions,
): Connection {
  const file = JSON.stringify(filename)
  prepareSchema(connection, { file, busyTimeoutMs, durability, logger })
  return connection
}
