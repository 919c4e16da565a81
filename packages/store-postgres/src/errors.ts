import {
  type ErrorKind,
  GatehouseError,
  isGatehouseError,
  storageUnavailable,
} from '@gatehouse/core/store'
import type { Names } from './names.ts'

const kind: ErrorKind = 'ServiceUnavailable'

/** A newer version of this package made the tables. */
export const newerVersion = (found: number, known: number): GatehouseError =>
  new GatehouseError(
    kind,
    'StorageNewerVersion',
    `the database has the schema version ${found}, this program knows ${known}: use a newer @gatehouse/store-postgres`,
    { info: { found, known } },
  )

/** Tables or indexes are missing, and the storage may not create them. */
export const notMigrated = (missing: readonly string[]): GatehouseError =>
  new GatehouseError(
    kind,
    'StorageNotMigrated',
    `the database lacks ${missing.slice(0, 5).join(', ')}${missing.length > 5 ? ' and more' : ''}: run "gatehouse storage migrate"`,
    { info: { missing } },
  )

/** The encoding of the database is not UTF-8. */
export const wrongEncoding = (encoding: string): GatehouseError =>
  new GatehouseError(
    kind,
    'StorageEncoding',
    `the database has the encoding ${encoding}, Gatehouse needs UTF8: make one by CREATE DATABASE … ENCODING 'UTF8'`,
  )

/** The row that counts a feed is gone. No program of ours removes it. */
export const counterMissing = ({ feeds, feed }: Names, collection: string): GatehouseError =>
  new GatehouseError(
    kind,
    'StorageCorrupt',
    `${feeds} has no row for "${collection}", so its changes cannot be numbered: restore the database from a backup, or stop every process and run INSERT INTO ${feeds} SELECT '${collection}', max(revision), max(weight) FROM ${feed(collection)}`,
    { info: { collection } },
  )

/** The driver package is not installed. */
export const driverMissing = (cause: unknown): GatehouseError =>
  new GatehouseError(
    kind,
    'StorageDriverMissing',
    'cannot load pg: run "npm install pg", or pass an open pool as "database"',
    { cause },
  )

/** The connection was lost during a commit. */
export const outcomeUnknown = (cause: unknown): GatehouseError =>
  storageUnavailable(
    'lost the connection to PostgreSQL during a commit: it is not known whether it succeeded',
    cause,
  )

/** The limit of pending operations is reached. */
export const tooManyWait = (limit: number): GatehouseError =>
  storageUnavailable(`${limit} operations are already waiting for PostgreSQL`)

/** An operation took too long, including its retries. */
export const tookTooLong = (ms: number): GatehouseError =>
  storageUnavailable(`PostgreSQL did not answer within ${ms} ms`)

/** The SQLSTATE of a PostgreSQL error (five characters), or `undefined` for other errors. */
export function sqlState(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined
  const { code, severity } = error as { code?: unknown; severity?: unknown }
  // Operating system codes such as EPIPE may have five letters too, but no severity.
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && typeof severity === 'string'
    ? code
    : undefined
}

/** Whether the transaction collided with another and may be repeated from its beginning. Nothing was written. */
export function isSerializationFailure(error: unknown): boolean {
  const state = sqlState(error)
  return state === '40001' || state === '40P01'
}

/** Whether two processes created the same object at once, or the schema changed during the statement. */
export function isSchemaRace(error: unknown): boolean {
  return ['42P07', '42710', '23505', '42P06', '40001', '40P01', 'XX000'].includes(
    sqlState(error) ?? '',
  )
}

/** Whether the engine does not support the statement. */
export function isUnsupported(error: unknown): boolean {
  return ['0A000', '42883', '42601'].includes(sqlState(error) ?? '')
}

/** Whether a table or an index is missing. */
export function isTableMissing(error: unknown): boolean {
  return ['42P01', '3F000'].includes(sqlState(error) ?? '')
}

/**
 * Whether the connection is useless: it is gone, or leads to a server that is stopping or has become a standby. Errors without a
 * SQLSTATE come from the connection or the driver, except programming errors.
 */
export function isConnectionUseless(error: unknown): boolean {
  if (isGatehouseError(error) || error instanceof TypeError) return false
  const state = sqlState(error)
  return state === undefined || /^(08|57P|25006|F0|XX)/.test(state)
}

/** The error a Storage reports for a failure of PostgreSQL. Our own errors are returned unchanged. */
export function toStorageError(error: unknown): unknown {
  if (isGatehouseError(error) || error instanceof TypeError) return error
  const state = sqlState(error)
  if (state === undefined) {
    return storageUnavailable(`PostgreSQL cannot be reached: ${messageOf(error)}`, error)
  }
  if (state === '53100') {
    const message = 'the disk of PostgreSQL is full'
    return new GatehouseError(kind, 'StorageFull', message, { cause: error })
  }
  switch (state.slice(0, 2)) {
    case '40':
      return storageUnavailable(
        'PostgreSQL kept refusing a commit: other processes write the same records',
      )
    case '22':
    case '23':
      // Messages of these classes quote the written values.
      return storageUnavailable(`PostgreSQL refused a statement (${state})`)
    default:
      return storageUnavailable(`PostgreSQL refused a statement (${state}): ${messageOf(error)}`)
  }
}

/** The message of an error. Some drivers bundle the failures of several addresses and have no message themselves. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.message !== '') return error.message
  const [first] = (error as { errors?: readonly unknown[] }).errors ?? []
  return first === undefined ? error.name : messageOf(first)
}
