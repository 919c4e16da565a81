import { resolve } from 'node:path'
import {
  checked,
  duration,
  filledText,
  flag,
  integer,
  mapping,
  oneOf,
  optional,
  type Schema,
  type Sound,
  textLike,
  withDefault,
} from '@gatehouse/core/document'
import { postgresSchemaSql } from '@gatehouse/store-postgres'
import { isPostgresUrl, type StorageChoice } from '../storage.ts'
import { readTextFile } from './config-file.ts'
import { checkedBy } from './kinds.ts'

/** The section `storage`. */
export interface StorageSection {
  /** Path of the database file. */
  readonly sqlite: string | undefined
  readonly durability: 'process' | 'power'
  /** URL of a PostgreSQL database. */
  readonly postgres: string | undefined
  /** Path of a file with the URL, which keeps the password out of the configuration. */
  readonly postgres_file: string | undefined
  readonly schema: string | undefined
  readonly prefix: string | undefined
  readonly max_connections: number | undefined
  /** The timeout of the database, in ms. */
  readonly timeout: number | undefined
  readonly migrate: 'auto' | 'manual'
  /** Whether statements are prepared once for each connection. */
  readonly prepare: boolean
  readonly memory: boolean
}

/** PostgreSQL's own upper limit. */
const maxPostgresConnections = 262_143

/** A database name, checked by the store. */
const nameOf = (key: 'schema' | 'prefix'): Schema<string> =>
  checkedBy((name) => {
    postgresSchemaSql({ collections: [], [key]: name })
    return name
  })

const postgresUrl: Schema<string> = textLike(
  isPostgresUrl,
  'a URL: postgres://user@host:5432/database',
)

const sectionParts: Schema<StorageSection> = mapping<StorageSection>(
  {
    sqlite: optional(filledText, 'The database file. Created if missing.'),
    durability: withDefault(
      oneOf('process', 'power'),
      'process',
      'What an acknowledged write survives: a crash of the process (`process`), or also a power cut (`power`).',
    ),
    postgres: optional(
      postgresUrl,
      'A PostgreSQL database, which [several instances](storage.md#several-instances) may share: `postgres://user:password@host:5432/name`.',
    ),
    postgres_file: optional(
      filledText,
      'A file with this URL, which keeps the password out of the configuration.',
    ),
    schema: optional(
      nameOf('schema'),
      'The schema of the tables. Created if missing. Default: the first one of the connection, usually `public`.',
    ),
    prefix: optional(
      nameOf('prefix'),
      'The prefix of all table names: at most 16 lower case letters, digits and underscores. Default: `gatehouse_`.',
    ),
    max_connections: optional(
      integer(1, maxPostgresConnections),
      'The most concurrent connections; one more listens for changes of other instances. Default: 10.',
    ),
    timeout: optional(
      duration({ least: 1 }),
      'The timeout of a connection, and then of a response. Default: `10s`.',
    ),
    migrate: withDefault(
      oneOf('auto', 'manual'),
      'auto',
      'Whether missing tables and indexes are created (`auto`) or are an error (`manual`), see [gatehouse storage](cli.md#gatehouse-storage).',
    ),
    prepare: withDefault(
      flag,
      true,
      'Whether statements are prepared once for each connection; set `false` behind a PgBouncer before 1.21 in transaction mode.',
    ),
    memory: withDefault(flag, false, 'Whether to keep the data in memory only.'),
  },
  { title: 'Storage' },
)

const oneStorage =
  'set one storage: postgres: URL, postgres_file: FILE, sqlite: FILE, or memory: true'

/** The schema of the section. */
export const storageSection: Schema<StorageSection> = checked(
  sectionParts,
  ({ value, isBroken, report }) => {
    const isThere = (key: keyof StorageSection): boolean =>
      value[key] !== undefined || isBroken(key)
    const named = (['sqlite', 'postgres', 'postgres_file'] as const).filter(isThere)
    const isMemory = value.memory === true || isBroken('memory')
    if (named.length + (isMemory ? 1 : 0) !== 1) report([], 'conflict', oneStorage)
    const isPostgres = isThere('postgres') || isThere('postgres_file')
    for (const key of ['schema', 'prefix', 'max_connections', 'timeout'] as const) {
      if (isThere(key) && !isPostgres) report([key], 'conflict', 'is for postgres only')
    }
  },
)

/**
 * The storage that a file configures; by default memory. Paths are relative to the file.
 *
 * @throws {Error} if a file it names cannot be read, or does not contain a URL.
 */
export async function storageChoiceOf(
  storage: Sound<StorageSection> | undefined,
  directory: string,
): Promise<StorageChoice> {
  if (storage === undefined) return { kind: 'memory' }
  const { sqlite, postgres, postgres_file: file } = storage
  const { durability = 'process', migrate = 'auto', prepare = true } = storage
  if (sqlite !== undefined) {
    return { kind: 'sqlite', filename: resolve(directory, sqlite), durability }
  }
  const url = file === undefined ? postgres : await readUrl(resolve(directory, file))
  if (url === undefined) return { kind: 'memory' }
  const { schema, prefix, max_connections: maxConnections, timeout: timeoutMs } = storage
  return {
    kind: 'postgres',
    url,
    migrate,
    prepare,
    ...(schema === undefined ? {} : { schema }),
    ...(prefix === undefined ? {} : { prefix }),
    ...(maxConnections === undefined ? {} : { maxConnections }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  }
}

async function readUrl(filename: string): Promise<string> {
  const { text: content } = await readTextFile(filename)
  const url = content.trim()
  if (isPostgresUrl(url)) return url
  throw new Error(`${filename}: does not hold a URL such as postgres://user@host:5432/database`)
}
