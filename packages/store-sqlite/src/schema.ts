import type { Logger } from '@gatehouse/core/store'
import type { Connection } from './connection.ts'
import type { SqliteDatabase } from './database.ts'
import { foreignFile, isBusy, isReadOnly, messageOf, newerVersion } from './errors.ts'
import { incremental } from './shrinker.ts'

/** Marks a file as Gatehouse's: "Gate" in ASCII. @see SQLite, `PRAGMA application_id` */
export const applicationId = 0x47617465

/**
 * The steps from one schema version to the next; the first one creates version 1 from an empty file. Never change a published
 * step, only add new ones.
 */
export const schemaSteps: readonly string[] = [
  `CREATE TABLE gatehouse__counter (commits INTEGER NOT NULL);
   INSERT INTO gatehouse__counter (commits) VALUES (0);`,
  'CREATE TABLE gatehouse__patches (revision INTEGER PRIMARY KEY, weight INTEGER NOT NULL, patches TEXT NOT NULL);',
]

/**
 * The number of 4 KiB pages in the log at which it is moved into the file. Pages that are written again and again, such as those
 * of timers, are then moved once. Four times SQLite's default, and a fraction of the size limit of the log.
 */
const checkpointPages = 4_000

/** Options of {@link prepareSchema}. */
export interface SchemaOptions {
  /** The name of the database in messages. */
  file: string
  busyTimeoutMs: number
  durability: 'process' | 'power'
  logger: Logger
  steps?: readonly string[]
}

/** A database that cannot shrink is rewritten when opened if it has at most this many 4 KiB pages. This takes about 0.5 s. */
const maxPagesToRewrite = 16_384

/**
 * Makes sure that a database is Gatehouse's and of the current schema version. Writes nothing if it is, so that it opens on a
 * full disk and where it is read-only.
 *
 * @throws {GatehouseError} `StorageForeignFile` or `StorageNewerVersion`; the file is left as it was.
 */
export function prepareSchema(connection: Connection, options: SchemaOptions): void {
  const { file, busyTimeoutMs, durability, logger, steps = schemaSteps } = options
  connection.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`)
  // Another process may be creating the database right now, so read all of it in one transaction.
  const found = connection.read(() => checkVersion(connection, file, steps.length))

  // Set this before the first page is written. Afterwards it would take a VACUUM.
  if (found === 0) connection.exec(`PRAGMA auto_vacuum = ${incremental}`)
  const mode = useWriteAheadLog(connection, busyTimeoutMs)
  if (mode !== 'wal' && mode !== 'memory') {
    logger.warn(
      { mode },
      `SQLite cannot use a write-ahead log for ${file}: readers will wait for writers`,
    )
  }
  connection.exec(`PRAGMA synchronous = ${durability === 'power' ? 'FULL' : 'NORMAL'}`)
  connection.exec('PRAGMA journal_size_limit = 67108864')
  connection.exec(`PRAGMA wal_autocheckpoint = ${checkpointPages}`)
  if (found === steps.length) letShrink(connection, { file, busyTimeoutMs, logger })
  else migrate(connection, { file, logger, steps })
}

/**
 * Creates the schema in a new file. Prepares no statement, because @photostructure/sqlite closes a file, which moves the log into
 * it, only when its statements are garbage.
 */
export function createSchema(database: SqliteDatabase): void {
  database.exec(
    `PRAGMA auto_vacuum = ${incremental}; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL`,
  )
  const marks = `PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${schemaSteps.length}`
  database.exec(`BEGIN IMMEDIATE; ${schemaSteps.join('\n')} ${marks}; COMMIT`)
}

function migrate(
  connection: Connection,
  { file, logger, steps }: Required<Pick<SchemaOptions, 'file' | 'logger' | 'steps'>>,
): void {
  connection.write(() => {
    const version = checkVersion(connection, file, steps.length)
    for (const step of steps.slice(version)) connection.exec(step)
    if (version === 0) connection.exec(`PRAGMA application_id = ${applicationId}`)
    connection.exec(`PRAGMA user_version = ${steps.length}`)
    if (version > 0 && version < steps.length) {
      logger.info({ from: version, to: steps.length }, `upgraded the schema of ${file}`)
    }
  })
}

/** Rewrites a small database from before files could shrink. Leaves it unchanged if that fails. */
function letShrink(
  connection: Connection,
  { file, busyTimeoutMs, logger }: Pick<SchemaOptions, 'file' | 'busyTimeoutMs' | 'logger'>,
): void {
  const mode = readNumber(connection, 'SELECT auto_vacuum AS n FROM pragma_auto_vacuum')
  if (mode === incremental) return
  const pages = readNumber(connection, 'SELECT page_count AS n FROM pragma_page_count')
  if (pages > maxPagesToRewrite) {
    logger.info({ pages }, `${file} keeps the space of removed records until a VACUUM`)
    return
  }
  try {
    connection.exec('PRAGMA busy_timeout = 0')
    connection.exec(`PRAGMA auto_vacuum = ${incremental}; VACUUM`)
  } catch (error) {
    logger.debug({ error: messageOf(error) }, `could not rewrite ${file} so that it can shrink`)
  } finally {
    connection.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`)
  }
}

/**
 * Returns the schema version, 0 for an empty file.
 *
 * @throws {GatehouseError} `StorageForeignFile`, `StorageNewerVersion`.
 */
export function checkVersion(connection: Connection, file: string, known: number): number {
  const id = readNumber(connection, 'SELECT application_id AS n FROM pragma_application_id')
  const version = readNumber(connection, 'SELECT user_version AS n FROM pragma_user_version')
  if (id !== applicationId) {
    const entries = readNumber(connection, 'SELECT count(*) AS n FROM sqlite_schema')
    if (id !== 0 || version !== 0 || entries !== 0) throw foreignFile(file)
  }
  if (version > known) throw newerVersion(file, version, known)
  return version
}

const readNumber = (connection: Connection, sql: string): number =>
  (connection.get(sql) as { n: number }).n

/** Switches to a write-ahead log. This needs the file alone, but unlike other statements does not wait for it, so retry. */
function useWriteAheadLog(connection: Connection, busyTimeoutMs: number): unknown {
  const { journal_mode: current } = connection.get('PRAGMA journal_mode') as {
    journal_mode: unknown
  }
  if (current === 'wal' || current === 'memory') return current
  const pauseMs = 10
  for (let waitedMs = 0; ; waitedMs += pauseMs) {
    try {
      const row = connection.get('PRAGMA journal_mode = WAL') as { journal_mode: unknown }
      return row.journal_mode
    } catch (error) {
      if (isReadOnly(error)) return current
      if (!isBusy(error) || waitedMs >= busyTimeoutMs) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs)
    }
  }
}
