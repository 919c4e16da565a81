import {
  type ErrorKind,
  GatehouseError,
  isGatehouseError,
  storageUnavailable,
} from '@gatehouse/core'
import type { Names } from './names.ts'

const kind: ErrorKind = 'ServiceUnavailable'

/** The tables were made by a newer version of this package. */
export const newerVersion = (found: number, known: number): GatehouseError =>
  new GatehouseError(
    kind,
    'StorageNewerVersion',
    `the database has the schema version ${found}, this program knows ${known}: use a newer @gatehouse/store-postgres`,
    { info: { found, known } },
  )

/** Something is missing in the database, and the storage was told not to make it. */
export const notMigrated = (missing: readonly string[]): GatehouseError =>
  new GatehouseError(
    kind,
    'StorageNotMigrated',
    `the database lacks ${missing.slice(0, 5).join(', ')}${missing.length > 5 ? ' and more' : ''}: run "gatehouse storage migrate"`,
    { info: { missing } },
  )

/** The database keeps texts in another encoding. */
export const wrongEncoding = (encoding: string): GatehouseError =>
  new GatehouseError(
    kind,
    'StorageEncoding',
    `the database has the encoding ${encoding}, Gatehouse needs UTF8: make one by CREATE DATABASE … ENCODING 'UTF8'`,
  )

/** The row that counts a feed is gone: no program of ours removes it. */
export const counterMissing = ({ feeds, feed }: Names, collection: string): GatehouseError =>
  new GatehouseError(
    kind,
    'StorageCorrupt',
    `${feeds} has no row for "${collection}", so its changes cannot be numbered: restore the database from a backup, or stop every process and run INSERT INTO ${feeds} SELECT '${collection}', max(revision), max(weight) FROM ${feed(collection)}`,
    { info: { collection } },
  )

/** The package of the driver is not there. */
export const driverMissing = (cause: unknown): GatehouseError =>
  new GatehouseError(
    kind,
    'StorageDriverMissing',
    'cannot load pg: run "npm install pg", or pass an open pool as "database"',
    { cause },
  )

/** The connection was lost while the database was asked to keep a commit. */
export const outcomeUnknown = (cause: unknown): GatehouseError =>
  storageUnavailable(
    'PostgreSQL was lost while a commit was made: whether it was made is not known',
    cause,
  )

/** More wait for the database than may. */
export const tooManyWait = (limit: number): GatehouseError =>
  storageUnavailable(`${limit} operations wait for PostgreSQL already`)

/** An operation took too long, with all its attempts. */
export const tookTooLong = (ms: number): GatehouseError =>
  storageUnavailable(`PostgreSQL did not answer within ${ms} ms`)

/** The five characters that tell what PostgreSQL refused, or `undefined` if the error is none of its answers. */
function sqlState(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined
  const { code, severity } = error as { code?: unknown; severity?: unknown }
  // Codes of the machine (EPIPE) may have five letters too, but no severity.
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && typeof severity === 'string'
    ? code
    : undefined
}

/** Whether the transaction met another and is worth another try from its beginning. Nothing was written. */
export function isSerializationFailure(error: unknown): boolean {
  const state = sqlState(error)
  return state === '40001' || state === '40P01'
}

/** Whether two processes made the same thing at once, or the engine has changed it meanwhile. */
export function isSchemaRace(error: unknown): boolean {
  return ['42P07', '42710', '23505', '42P06', '40001', '40P01', 'XX000'].includes(
    sqlState(error) ?? '',
  )
}

/** Whether the engine does not know what it was asked for. */
export function isUnsupported(error: unknown): boolean {
  return ['0A000', '42883', '42601'].includes(sqlState(error) ?? '')
}

/** Whether a table or an index that should be there is gone. */
export function isTableMissing(error: unknown): boolean {
  return ['42P01', '3F000'].includes(sqlState(error) ?? '')
}

/**
 * Whether the connection is of no more use: it is gone, or leads to a server that stops or has become a standby.
 * Errors that are no answer of PostgreSQL come from the connection or the driver, but for mistakes of the program.
 */
export function isConnectionUseless(error: unknown): boolean {
  if (isGatehouseError(error) || error instanceof TypeError) return false
  const state = sqlState(error)
  return state === undefined || /^(08|57P|25006|F0|XX)/.test(state)
}

/** What a failure of PostgreSQL is to the user of a Storage. Errors of our own are answered as they are. */
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
      return storageUnavailable('PostgreSQL refused a commit for too long: others write the same')
    case '22':
    case '23':
      // Such messages quote what was written.
      return storageUnavailable(`PostgreSQL refused a statement (${state})`)
    default:
      return storageUnavailable(`PostgreSQL refused a statement (${state}): ${messageOf(error)}`)
  }
}

/** What an error says; some drivers bundle the failures of several addresses, and say nothing themselves. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.message !== '') return error.message
  const [first] = (error as { errors?: readonly unknown[] }).errors ?? []
  return first === undefined ? error.name : messageOf(first)
}
