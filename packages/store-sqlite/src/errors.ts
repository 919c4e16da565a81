import {
  type ErrorKind,
  GatehouseError,
  isGatehouseError,
  storageUnavailable,
} from '@gatehouse/core/store'

const kind: ErrorKind = 'ServiceUnavailable'

/** A newer version of this package wrote the file. */
export const newerVersion = (file: string, found: number, known: number): GatehouseError =>
  new GatehouseError(
    kind,
    'StorageNewerVersion',
    `${file} has the schema version ${found}, this program knows ${known}: use a newer @gatehouse/store-sqlite`,
    { info: { found, known } },
  )

/** The file is not a Gatehouse database. */
export const foreignFile = (file: string, cause?: unknown): GatehouseError =>
  new GatehouseError(
    kind,
    'StorageForeignFile',
    `${file} is not a Gatehouse database; it was left as it is`,
    { cause },
  )

/** The file exists but has no bytes. SQLite itself would treat it as a new database. */
export const emptyFile = (file: string): GatehouseError =>
  failure(
    'StorageCorrupt',
    `${file} is empty, which a Gatehouse database never is: restore it from a backup, or remove it to start with an empty database`,
  )

/** There is a write-ahead log without its database. SQLite would apply it to any database created there. */
export const logWithoutFile = (file: string): GatehouseError =>
  failure(
    'StorageCorrupt',
    `${file} is missing, but its write-ahead log exists: put the file back, or restore a backup; to start with an empty database, remove the log, ${file.slice(0, -1)}-wal"`,
  )

/** A row that every database has is missing. Without it, new commits would reuse old numbers. */
export const countMissing = (file: string, table: string): GatehouseError =>
  failure(
    'StorageCorrupt',
    `${file} is damaged: ${table} has no row. Restore it from a backup, or save its records with "gatehouse storage backup" and restore those into a new file`,
  )

/** SQLite's primary result codes that a user can act on. */
const codes: Readonly<Record<string, number>> = {
  SQLITE_BUSY: 5,
  SQLITE_LOCKED: 6,
  SQLITE_READONLY: 8,
  SQLITE_IOERR: 10,
  SQLITE_CORRUPT: 11,
  SQLITE_FULL: 13,
  SQLITE_CANTOPEN: 14,
  SQLITE_NOTADB: 26,
}

/** SQLite's messages for them. @photostructure/sqlite reports a failure of `all` without its code. */
const codesOfMessages: Readonly<Record<string, number>> = {
  'database is locked': 5,
  'database table is locked': 6,
  'attempt to write a readonly database': 8,
  'disk I/O error': 10,
  'database disk image is malformed': 11,
  'database or disk is full': 13,
  'unable to open database file': 14,
  'file is not a database': 26,
}

/** SQLite's primary result code, or `undefined` for other errors. Drivers report it in four ways. */
export function resultCode(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null) return undefined
  const { code, errcode, errno } = error as { code?: unknown; errcode?: unknown; errno?: unknown }
  if (typeof errcode === 'number') return errcode & 0xff
  if (code === 'ERR_SQLITE_ERROR') return codesOfMessages[messageOf(error)] ?? 1
  if (typeof code !== 'string' || !code.startsWith('SQLITE_')) return undefined
  if (typeof errno === 'number') return errno & 0xff
  const name = code.split('_', 2).join('_')
  return codes[name] ?? 1
}

/** Whether another connection holds the lock. */
export function isBusy(error: unknown): boolean {
  const code = resultCode(error)
  return code === codes.SQLITE_BUSY || code === codes.SQLITE_LOCKED
}

/** SQLite cannot create its shared-memory file, because the disk is full. */
const cannotShare = { name: 'SQLITE_IOERR_SHMSIZE', code: 4_874 }

/** Whether the disk is full. */
export function isFull(error: unknown): boolean {
  if (resultCode(error) === codes.SQLITE_FULL) return true
  if (typeof error !== 'object' || error === null) return false
  const { code, errcode, sqliteExtendedCode } = error as Record<string, unknown>
  return code === cannotShare.name || [errcode, sqliteExtendedCode].includes(cannotShare.code)
}

/** Whether the file is read-only. */
export const isReadOnly = (error: unknown): boolean => resultCode(error) === codes.SQLITE_READONLY

/** The error a Storage reports for a failure of SQLite. Other errors are returned unchanged. */
export function toStorageError(error: unknown, file: string): unknown {
  if (isGatehouseError(error)) return error
  if (isFull(error)) return failure('StorageFull', `the disk of ${file} is full`, error)
  const code = resultCode(error)
  switch (code) {
    case undefined:
      return error
    case codes.SQLITE_BUSY:
    case codes.SQLITE_LOCKED:
      return storageUnavailable(`${file} was locked by another writer for too long`, error)
    case codes.SQLITE_READONLY:
      return failure('StorageReadOnly', `${file} cannot be written to`, error)
    case codes.SQLITE_CORRUPT:
      return failure('StorageCorrupt', `${file} is damaged: restore it from a backup`, error)
    case codes.SQLITE_NOTADB:
      return foreignFile(file, error)
    case codes.SQLITE_CANTOPEN:
      return storageUnavailable(
        `cannot open ${file}: check that its directory exists and is writable`,
        error,
      )
    default:
      return storageUnavailable(`SQLite failed on ${file}: ${messageOf(error)}`, error)
  }
}

const failure = (reason: string, message: string, cause?: unknown): GatehouseError =>
  new GatehouseError(kind, reason, message, { cause })

/** SQLite's messages name tables and columns, never data. */
export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)
