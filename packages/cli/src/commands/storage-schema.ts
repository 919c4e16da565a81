import { migratePostgres, postgresSchemaSql } from '@gatehouse/store-postgres'
import { allCollections as collections } from '../all-collections.ts'
import { type LogFlags, loggerFor } from '../flags/log-flags.ts'
import { withProgress } from '../log/progress.ts'
import { isPostgresUrl, type PostgresChoice, storageName } from '../storage.ts'

/** Flags that choose a PostgreSQL database. */
export interface SchemaFlags {
  readonly config?: string
  readonly database?: string
  readonly schema?: string
  readonly prefix?: string
  readonly json?: boolean
}

/** The place of the tables. Printing the SQL needs no URL. */
type Place = Pick<PostgresChoice, 'schema' | 'prefix'> & { readonly url?: string }

/** `gatehouse storage migrate` */
export async function migrateStorage(flags: SchemaFlags & LogFlags): Promise<number> {
  const { url, ...place } = await placeOf(flags)
  if (url === undefined) throw new Error('name the database: --database URL, or --config FILE')
  const logger = loggerFor(flags)
  await withProgress(
    (_, seconds) => `preparing the tables for ${seconds} s`,
    () => migratePostgres({ ...place, url, collections, logger }),
  )
  const storage = storageName({ kind: 'postgres', url })
  logger.info({ storage }, 'the database is ready')
  if (flags.json) console.log(JSON.stringify({ storage }))
  return 0
}

/** `gatehouse storage sql` */
export async function printSql(flags: SchemaFlags): Promise<number> {
  const { schema, prefix } = await placeOf(flags)
  const place = {
    ...(schema === undefined ? {} : { schema }),
    ...(prefix === undefined ? {} : { prefix }),
  }
  const sqlText = postgresSchemaSql({ ...place, collections })
  process.stdout.write(flags.json ? `${JSON.stringify({ sql: sqlText })}\n` : sqlText)
  return 0
}

/** The settings of the file, overridden by the flags. */
async function placeOf({ config, database: url, schema, prefix }: SchemaFlags): Promise<Place> {
  if (url !== undefined && !isPostgresUrl(url)) {
    throw new Error('--database must be a URL such as postgres://user@host:5432/database')
  }
  const named = config === undefined ? {} : await placeIn(config)
  return {
    ...named,
    ...(url === undefined ? {} : { url }),
    ...(schema === undefined ? {} : { schema }),
    ...(prefix === undefined ? {} : { prefix }),
  }
}

async function placeIn(filename: string): Promise<Place> {
  const [{ readOwnConfig }, { storageChoiceOf }] = await Promise.all([
    import('../api/api-document.ts'),
    import('../config/storage-config.ts'),
  ])
  const { own, directory } = await readOwnConfig(filename)
  const choice = await storageChoiceOf(own.storage, directory)
  if (choice.kind !== 'postgres') throw new Error(`${filename}: the storage is not PostgreSQL`)
  const { url, schema, prefix } = choice
  return {
    url,
    ...(schema === undefined ? {} : { schema }),
    ...(prefix === undefined ? {} : { prefix }),
  }
}
