import { alertsCollections } from '@gatehouse/core/alerts'
import { authCollections } from '@gatehouse/core/auth'
import type { Collection } from '@gatehouse/core/store'
import { webhookCollections } from '@gatehouse/core/webhook'
import { migratePostgres, postgresSchemaSql } from '@gatehouse/store-postgres'
import { Command } from 'commander'
import { readOwnConfig } from '../api/api-document.ts'
import { storageChoiceOf } from '../config/storage-config.ts'
import { addLogFlags, type LogFlags, loggerFor } from '../flags/log-flags.ts'
import { runCommand } from '../run-command.ts'
import { isPostgresUrl, type PostgresChoice, storageName } from '../storage.ts'
import { backupCommands } from './storage-backup.ts'
import { checkRecordsCommand } from './storage-check-records.ts'

interface PlaceFlags {
  readonly config?: string
  readonly url?: string
  readonly schema?: string
  readonly prefix?: string
}

/** Where the tables are or shall be; a text for review needs no URL. */
type Place = Pick<PostgresChoice, 'schema' | 'prefix'> & { readonly url?: string }

/** Whatever a program serves, it finds its tables: those of all services are made together. */
const collections: readonly Collection[] = [
  ...new Set([...alertsCollections, ...authCollections, ...webhookCollections]),
]

/** `gatehouse storage`: prepares a PostgreSQL database by hand, saves what a storage has, and checks it. */
export function storageCommand(): Command {
  const command = new Command('storage').description(
    'Prepare a PostgreSQL database; save, restore and check what a storage has.',
  )
  const migrate = new Command('migrate').description(
    'Make the tables and indexes that are missing. Safe to run again, and while servers run.',
  )
  addPlaceFlags(migrate).option('--url <url>', 'the database, as postgres://user@host:5432/name')
  addLogFlags(migrate).action(() =>
    runCommand(() => migrateStorage(migrate.opts<PlaceFlags & LogFlags>())),
  )
  const sql = new Command('sql').description(
    'Print the SQL for an empty database, to review it or to run it by other means. Runs nothing.',
  )
  addPlaceFlags(sql).action(() => runCommand(() => printSql(sql.opts<PlaceFlags>())))
  const parts = [migrate, sql, ...backupCommands(collections), checkRecordsCommand()]
  for (const part of parts) {
    command.addCommand(part.showHelpAfterError(`(try 'gatehouse storage ${part.name()} --help')`))
  }
  return command
}

function addPlaceFlags(command: Command): Command {
  return command
    .option('--config <file>', 'take the storage from this file of `gatehouse api`')
    .option('--schema <name>', 'the schema of the tables (default: the first of the connection)')
    .option('--prefix <text>', 'what the names of all tables begin with (default: gatehouse_)')
}

async function migrateStorage(flags: PlaceFlags & LogFlags): Promise<number> {
  const { url, ...place } = await placeOf(flags)
  if (url === undefined) throw new Error('name the database: --url URL, or --config FILE')
  const logger = loggerFor(flags)
  await migratePostgres({ ...place, url, collections, logger })
  logger.info({ storage: storageName({ kind: 'postgres', url }) }, 'the database is ready')
  return 0
}

async function printSql(flags: PlaceFlags): Promise<number> {
  const { schema, prefix } = await placeOf(flags)
  const place = {
    ...(schema === undefined ? {} : { schema }),
    ...(prefix === undefined ? {} : { prefix }),
  }
  process.stdout.write(postgresSchemaSql({ ...place, collections }))
  return 0
}

/** What a file says, and what the flags say over it. */
async function placeOf({ config, url, schema, prefix }: PlaceFlags): Promise<Place> {
  if (url !== undefined && !isPostgresUrl(url)) {
    throw new Error('--url must be a URL such as postgres://user@host:5432/database')
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
