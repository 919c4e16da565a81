import { resolve } from 'node:path'
import { type ConfigKind, flag, integer, optional, text } from '@gatehouse/core/config'
import { postgresSchemaSql } from '@gatehouse/store-postgres'
import { isPostgresUrl, type StorageChoice } from '../storage.ts'
import { duration, oneOfThese, readTextFile } from './config-file.ts'
import { section } from './config-section.ts'
import { messageOf } from './failure.ts'

/** The section `storage`. */
export interface StorageSection {
  /** Path of the database file. */
  readonly sqlite: string | undefined
  readonly durability: 'process' | 'power'
  /** URL of a PostgreSQL database. */
  readonly postgres: string | undefined
  /** Path of a file that holds the URL, so that its password stands in no configuration. */
  readonly postgres_file: string | undefined
  readonly schema: string | undefined
  readonly prefix: string | undefined
  readonly max_connections: number | undefined
  /** How long the database may take, in ms. */
  readonly timeout: number | undefined
  readonly migrate: 'auto' | 'manual'
  /** Whether statements are prepared once for each connection. */
  readonly prepare: boolean
  readonly memory: boolean
}

const oneStorage =
  'name one storage: postgres: URL, postgres_file: FILE, sqlite: FILE, or memory: true'

/** What PostgreSQL can be built for. */
const mostConnections = 262_143
const longestTimeoutMs = 24 * 86_400_000

/** What is wrong with a name in the database, in the words of the store. */
function nameProblem(place: { schema?: string } | { prefix?: string }): string | undefined {
  try {
    postgresSchemaSql({ collections: [], ...place })
    return undefined
  } catch (error) {
    return messageOf(error)
  }
}

/** How the section is read. */
export const storageSection: ConfigKind<StorageSection> = section<StorageSection>({
  typeName: 'storage',
  fields: {
    sqlite: { kind: optional(text) },
    durability: { kind: oneOfThese(['process', 'power']) },
    postgres: { kind: optional(text) },
    postgres_file: { kind: optional(text) },
    schema: { kind: optional(text) },
    prefix: { kind: optional(text) },
    max_connections: { kind: optional(integer('uint')) },
    timeout: { kind: optional(duration) },
    migrate: { kind: oneOfThese(['auto', 'manual']) },
    prepare: { kind: flag, default: true },
    memory: { kind: flag },
  },
  check(section, report) {
    const { sqlite, postgres, postgres_file: file, memory, schema, prefix } = section
    const { max_connections: max, timeout } = section
    const named = [sqlite, postgres, file, memory || undefined]
    if (named.filter((one) => one !== undefined).length !== 1) report(oneStorage)
    if (postgres !== undefined && !isPostgresUrl(postgres)) {
      report('postgres must be a URL: postgres://user@host:5432/database', 'postgres')
    }
    const isPostgres = postgres !== undefined || file !== undefined
    for (const key of ['schema', 'prefix', 'max_connections', 'timeout'] as const) {
      if (section[key] !== undefined && !isPostgres) report(`${key} is one of postgres alone`, key)
    }
    const badSchema = schema === undefined ? undefined : nameProblem({ schema })
    if (badSchema !== undefined) report(badSchema, 'schema')
    const badPrefix = prefix === undefined ? undefined : nameProblem({ prefix })
    if (badPrefix !== undefined) report(badPrefix, 'prefix')
    if (max !== undefined && (max < 1 || max > mostConnections)) {
      report(`max_connections must be from 1 to ${mostConnections}`, 'max_connections')
    }
    if (timeout !== undefined && (timeout === 0 || timeout > longestTimeoutMs)) {
      report('timeout must be from 1ms to 24d', 'timeout')
    }
  },
})

/**
 * The storage a file names, or memory; paths in it start from the folder of the file.
 *
 * @throws {Error} if a file it names cannot be read, or holds no URL.
 */
export async function storageChoiceOf(
  storage: StorageSection | undefined,
  directory: string,
): Promise<StorageChoice> {
  if (storage === undefined) return { kind: 'memory' }
  const { sqlite, durability, postgres, postgres_file: file, migrate, prepare } = storage
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
