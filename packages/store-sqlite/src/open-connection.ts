import { isGatehouseError, type Logger, storageUnavailable } from '@gatehouse/core'
import { type Connection, createConnection } from './connection.ts'
import { openDatabase, type SqliteDatabase } from './database.ts'
import { messageOf, resultCode, toStorageError } from './errors.ts'
import { prepareSchema } from './schema.ts'

/** Options of {@link openConnection}. */
export interface ConnectionOptions {
  filename: string
  database: SqliteDatabase | undefined
  durability: 'process' | 'power'
  busyTimeoutMs: number
  logger: Logger
}

/** A connection to a database of ours, of the current schema. What goes wrong is told as a GatehouseError. */
export function openConnection(options: ConnectionOptions): Connection {
  const { filename, database, durability, busyTimeoutMs, logger } = options
  const file = JSON.stringify(filename)
  const connection = createConnection(database ?? openFile(filename, busyTimeoutMs))
  try {
    prepareSchema(connection, { file, busyTimeoutMs, durability, logger })
    return connection
  } catch (error) {
    if (database === undefined) connection.close()
    throw toStorageError(error, file)
  }
}

function openFile(filename: string, busyTimeoutMs: number): SqliteDatabase {
  const file = JSON.stringify(filename)
  try {
    return openDatabase(filename, busyTimeoutMs)
  } catch (error) {
    if (isGatehouseError(error) || resultCode(error) !== undefined)
      throw toStorageError(error, file)
    // better-sqlite3 itself looks whether the directory is there.
    throw storageUnavailable(`cannot open ${file}: ${messageOf(error)}`, error)
  }
}
