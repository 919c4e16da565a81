import {
  clockPort,
  decodeInput,
  exactly,
  filledText,
  having,
  loggerPort,
  oneOf,
  optional,
  wholeFrom,
} from '@gatehouse/core/input'
import {
  type Clock,
  type Collection,
  checkCollection,
  checkQuery,
  checkWrites,
  type DescribedStorage,
  type Logger,
  loggerOf,
  type StorageDescription,
  type StoredRecord,
  storageClosed,
  systemClock,
  withoutFeed,
} from '@gatehouse/core/store'
import { type Committer, createCommitter } from './commit.ts'
import { type Connection, readPragma } from './connection.ts'
import type { SqliteDatabase } from './database.ts'
import { toStorageError } from './errors.ts'
import { openConnection } from './open-connection.ts'
import { createPatches, type Patches } from './patches.ts'
import { createReserve, noReserve } from './reserve.ts'
import { createRoom } from './room.ts'
import { createShrinker } from './shrinker.ts'
import { openTable, type Table } from './table.ts'

export {
  openDatabase as openSqliteDatabase,
  type SqliteDatabase,
  type SqliteStatement,
  type SqliteValue,
} from './database.ts'
export { readSqliteSnapshot, type SqliteSnapshotOptions } from './snapshot.ts'
export { type SqliteViewsOptions, sqliteViewsSql } from './views.ts'

/** Options of {@link createSqliteStorage}. */
export interface SqliteStorageOptions {
  /**
   * The database file. It is created if it is missing, but its directory is not. An empty file is refused, because it may have
   * been truncated. `:memory:` stores nothing.
   */
  filename: string
  /** An open connection to use instead of opening the file. The storage closes it. */
  database?: SqliteDatabase | undefined
  /** Permissions of a new file, such as `0o600` (default: the umask of the process decides). */
  mode?: number | undefined
  /**
   * Size of a reserve file beside the database, `<filename>-reserve`, in bytes; 0 for none (default 4 MiB). When the disk is
   * full, the storage deletes it, so that commits find room for a while, and creates it again later. There is no reserve for a
   * given `database`.
   */
  reserveBytes?: number | undefined
  /** The clock for expiry times (default the machine's clock). */
  clock?: Clock | undefined
  /** What an acknowledged commit survives: a crash of the process, or also a power cut (default `process`). */
  durability?: 'process' | 'power' | undefined
  /** How long a commit waits for other processes, in milliseconds (default 5,000). It blocks this process meanwhile. */
  busyTimeoutMs?: number | undefined
  /** Receives messages about migrations and reduced performance (default silent). */
  logger?: Logger | false | undefined
}

const decodeOptions = exactly<SqliteStorageOptions>({
  filename: filledText,
  database: optional(
    having<SqliteDatabase>(
      'a DatabaseSync of node:sqlite or a Database of better-sqlite3',
      'exec',
      'prepare',
      'close',
    ),
  ),
  mode: optional(wholeFrom(0, 0o777)),
  reserveBytes: optional(wholeFrom(0)),
  clock: optional(clockPort),
  durability: optional(oneOf(['process', 'power'])),
  busyTimeoutMs: optional(wholeFrom(0, 2 ** 31 - 1)),
  logger: optional(loggerPort),
})

/**
 * A Storage in an SQLite file, which several processes of one machine may share.
 *
 * @throws {GatehouseError} `StorageUnavailable` if the file cannot be opened or is locked for too long, `StorageForeignFile` if
 * it is not a Gatehouse database, `StorageNewerVersion` if a newer version wrote it, `StorageReadOnly`, `StorageCorrupt`,
 * `StorageFull`, and `StorageDriverMissing` if neither better-sqlite3, `node:sqlite` nor @photostructure/sqlite can be
 * loaded. The methods reject with the same errors.
 * `InvalidInput` if an option is not valid.
 */
export function createSqliteStorage(given: SqliteStorageOptions): DescribedStorage {
  const options = decodeInput('options', decodeOptions, given)
  const { filename, database, mode, reserveBytes = 4 * 1024 * 1024 } = options
  const { clock = systemClock } = options
  const logger = loggerOf(options.logger)
  const { durability = 'process', busyTimeoutMs = 5_000 } = options
  const file = JSON.stringify(filename)
  const reserve = database === undefined ? createReserve(filename, reserveBytes) : noReserve
  const settings = { filename, database, mode, reserve, durability, busyTimeoutMs, logger }
  const opened = openConnection(settings)
  const patches = createPatches(opened)
  const connection = catchingUp(opened, patches)
  const committer = openCommitter(connection, { file, patches }, database === undefined)
  const shrinker = createShrinker(connection, logger)
  const room = createRoom(connection, { reserve, clock, logger, filename })
  const open = tableOpener((collection) => {
    const table = room.use(() => openTable(connection, collection, { file, patches }))
    committer.add(table)
    return table
  })
  let isClosed = false

  const attempt = <T>(work: () => T): T => {
    if (isClosed) throw storageClosed()
    try {
      return work()
    } catch (error) {
      throw toStorageError(error, file)
    }
  }

  // All methods do their work synchronously, as SQLite does, so nothing else in this process can run in between.
  return {
    async get(collection, ids) {
      return attempt(() => {
        const table = open(collection)
        const now = clock.now()
        const getAll = (): (StoredRecord | undefined)[] => ids.map((id) => table.get(id, now))
        return ids.length === 1 && table.feed === undefined ? getAll() : connection.read(getAll)
      })
    },

    async find(collection, query) {
      return attempt(() => {
        const table = open(collection)
        const checked = checkQuery(collection, query)
        const find = (): StoredRecord[] => table.find(checked, clock.now())
        return table.feed === undefined ? find() : connection.read(find)
      })
    },

    async commit(writes) {
      return attempt(() => {
        checkWrites(writes)
        const parts = writes.map((write) => ({ write, table: open(write.collection) }))
        const versions = room.use(() => committer.commit(parts, clock.now()))
        shrinker.step()
        return versions
      })
    },

    async changes(collection, since) {
      return attempt(() => {
        const { feed } = open(collection)
        if (feed === undefined) throw withoutFeed(collection)
        return committer.changes(feed, since, clock.now())
      })
    },

    describe: async () => attempt(() => describeFile(connection)),

    async close() {
      if (isClosed) return
      isClosed = true
      try {
        connection.exec('PRAGMA wal_checkpoint(TRUNCATE)')
      } catch (error) {
        // The commits are in the log beside the file, where the next process to open it reads them.
        logger.warn({ filename, error }, 'could not move the write-ahead log into the database')
      } finally {
        connection.close()
      }
    },
  }
}

/** The connection whose transactions begin with the patches of other connections. */
function catchingUp(connection: Connection, patches: Patches): Connection {
  const afterCatchingUp = <T>(work: () => T): T => {
    patches.catchUp()
    return work()
  }
  return {
    ...connection,
    read: (work) => connection.read(() => afterCatchingUp(work)),
    write: (work) => connection.write(() => afterCatchingUp(work)),
  }
}

/** Returns the table of a collection, which is opened once for each name. */
function tableOpener(open: (collection: Collection) => Table): (collection: Collection) => Table {
  const tables = new Map<string, { collection: Collection; table: Table }>()
  return (collection) => {
    const known = tables.get(collection.name)
    if (known?.collection === collection) return known.table
    checkCollection(collection, known?.collection)
    const table = known?.table ?? open(collection)
    tables.set(collection.name, { collection, table })
    return table
  }
}

function describeFile(connection: Connection): StorageDescription {
  const pageSize = readPragma(connection, 'page_size')
  return {
    kind: 'sqlite',
    bytes: pageSize * readPragma(connection, 'page_count'),
    freeBytes: pageSize * readPragma(connection, 'freelist_count'),
  }
}

function openCommitter(
  connection: Connection,
  options: Parameters<typeof createCommitter>[1],
  isOurs: boolean,
): Committer {
  try {
    return createCommitter(connection, options)
  } catch (error) {
    if (isOurs) connection.close()
    throw toStorageError(error, options.file)
  }
}
