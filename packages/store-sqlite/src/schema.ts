import type { Logger } from '@gatehouse/core'
import type { Connection } from './connection.ts'
import { foreignFile, isBusy, isReadOnly, messageOf, newerVersion } from './errors.ts'
import { incremental } from './shrinker.ts'

/** Marks a file as Gatehouse's: "Gate" in ASCII. @see SQLite, `PRAGMA application_id` */
export const applicationId = 0x47617465

/**
 * What brings a database from one schema version to the next: the first makes version 1 from an empty file.
 * Published steps are never changed, only followed by new ones.
 */
export const schemaSteps: readonly string[] = [
  `CREATE TABLE gatehouse__counter (commits INTEGER NOT NULL);
   INSERT INTO gatehouse__counter (commits) VALUES (0);`,
]

/**
 * So many pages of 4 KiB are written to the log before they are moved into the file: what is written again and again,
 * as timers are, is moved once. Four times SQLite's default, and a fraction of the limit of the log's size.
 */
const checkpointPages = 4_000

/** Options of {@link prepareSchema}. */
export interface SchemaOptions {
  /** What the database is called in messages. */
  file: string
  busyTimeoutMs: number
  durability: 'process' | 'power'
  logger: Logger
  steps?: readonly string[]
}

/** A database of up to so many pages of 4 KiB is written anew when it is opened, if it cannot shrink: some 0.5 s. */
const mostPagesToRewrite = 16_384

/**
 * Makes sure that a database is ours and of the current schema version. Writes nothing to one that is: it opens on a full
 * disk, and where it may only be read.
 *
 * @throws {GatehouseError} `StorageForeignFile`, `StorageNewerVersion`; the file was left as it is.
 */
export function prepareSchema(connection: Connection, options: SchemaOptions): void {
  const { file, busyTimeoutMs, durability, logger, steps = schemaSteps } = options
  connection.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`)
  // Another process may be making the database at this very time: what is read of it must be of one moment.
  const found = connection.read(() => checkVersion(connection, file, steps.length))

  // Before the first page is written. Later it takes a VACUUM.
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
      logger.info({ from: version, to: steps.length }, `brought ${file} to its new schema`)
    }
  })
}

/** Rewrites a small database that was made before files could shrink. Leaves it as it is where that fails. */
function letShrink(
  connection: Connection,
  { file, busyTimeoutMs, logger }: Pick<SchemaOptions, 'file' | 'busyTimeoutMs' | 'logger'>,
): void {
  const mode = readNumber(connection, 'SELECT auto_vacuum AS n FROM pragma_auto_vacuum')
  if (mode === incremental) return
  const pages = readNumber(connection, 'SELECT page_count AS n FROM pragma_page_count')
  if (pages > mostPagesToRewrite) {
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
 * Answers the schema version, 0 for an empty file.
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

/** The change to a write-ahead log needs the file alone, and does not wait for it as other statements do. */
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
