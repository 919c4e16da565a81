import {
  type ErrorKind,
  GatehouseError,
  isGatehouseError,
  storageUnavailable,
} from '@gatehouse/core'

const kind: ErrorKind = 'ServiceUnavailable'

/** The file was written by a newer version of this package. */
export const newerVersion = (file: string, found: number, known: number): GatehouseError =>
  new GatehouseError(
    kind,
    'StorageNewerVersion',
    `${file} has the schema version ${found}, this program knows ${known}: use a newer @gatehouse/store-sqlite`,
    { info: { found, known } },
  )

/** The file is somebody else's. */
export const foreignFile = (file: string, cause?: unknown): GatehouseError =>
  new GatehouseError(
    kind,
    'StorageForeignFile',
    `${file} is not a Gatehouse database; it was left as it is`,
    { cause },
  )

/** An existing file without a byte. SQLite itself takes it for a new database. */
export const emptyFile = (file: string): GatehouseError =>
  failure(
    'StorageCorrupt',
    `${file} is empty, which a Gatehouse database never is: restore it from a backup, or remove it to begin with nothing`,
  )

/** A write-ahead log without its database. SQLite would write it into whatever database is made there. */
export const logWithoutFile = (file: string): GatehouseError =>
  failure(
    'StorageCorrupt',
    `${file} is missing, but its write-ahead log is there: put the file back, or restore a backup; to begin with nothing, remove the log, ${file.slice(0, -1)}-wal"`,
  )

/** A row is missing that every database has. Without it the next commits would get numbers that were given before. */
export const countMissing = (file: string, table: string): GatehouseError =>
  failure(
    'StorageCorrupt',
    `${file} is damaged: ${table} has no row. Restore it from a backup, or save its records with "gatehouse storage backup" and restore those into a new file`,
  )

/** SQLite's primary result codes that a user can do something about. */
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

/** SQLite's primary result code, or `undefined` if the error is not SQLite's: drivers tell it in three ways. */
export function resultCode(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null) return undefined
  const { code, errcode, errno } = error as { code?: unknown; errcode?: unknown; errno?: unknown }
  if (typeof errcode === 'number') return errcode & 0xff
  if (typeof code !== 'string' || !code.startsWith('SQLITE_')) return undefined
  if (typeof errno === 'number') return errno & 0xff
  const name = code.split('_', 2).join('_')
  return codes[name] ?? 1
}

/** Whether SQLite says that another connection holds the lock. */
export function isBusy(error: unknown): boolean {
  const code = resultCode(error)
  return code === codes.SQLITE_BUSY || code === codes.SQLITE_LOCKED
}

/** SQLite cannot make its shared-memory file: the disk is full. */
const cannotShare = { name: 'SQLITE_IOERR_SHMSIZE', code: 4_874 }

/** Whether SQLite says that the disk is full. */
export function isFull(error: unknown): boolean {
  if (resultCode(error) === codes.SQLITE_FULL) return true
  if (typeof error !== 'object' || error === null) return false
  const { code, errcode } = error as { code?: unknown; errcode?: unknown }
  return code === cannotShare.name || errcode === cannotShare.code
}

/** Whether SQLite says that the file may only be read. */
export const isReadOnly = (error: unknown): boolean => resultCode(error) === codes.SQLITE_READONLY

/** What a failure of SQLite is to the user of a Storage. Other errors are answered as they are. */
export function toStorageError(error: unknown, file: string): unknown {
  if (isGatehouseError(error)) return error
  if (isFull(error)) return failure('StorageFull', `the disk of ${file} is full`, error)
  const code = resultCode(error)
  switch (code) {
    case undefined:
      return error
    case codes.SQLITE_BUSY:
    case codes.SQLITE_LOCKED:
      return storageUnavailable(`${file} is locked by another writer for too long`, error)
    case codes.SQLITE_READONLY:
      return failure('StorageReadOnly', `${file} cannot be written to`, error)
    case codes.SQLITE_CORRUPT:
      return failure('StorageCorrupt', `${file} is damaged: restore it from a backup`, error)
    case codes.SQLITE_NOTADB:
      return foreignFile(file, error)
    case codes.SQLITE_CANTOPEN:
      return storageUnavailable(`cannot open ${file}: is its directory there, and writable?`, error)
    default:
      return storageUnavailable(`SQLite failed on ${file}: ${messageOf(error)}`, error)
  }
}

const failure = (reason: string, message: string, cause?: unknown): GatehouseError =>
  new GatehouseError(kind, reason, message, { cause })

/** SQLite's own texts name tables and columns, never data. */
export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)
