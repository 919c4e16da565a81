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
  readonly json?: boolean
}

/** The place of the tables. Printing the SQL needs no URL. */
type Place = Pick<PostgresChoice, 'schema' | 'prefix'> & { readonly url?: string }

/** The tables of all services are created together, so that every command finds its own. */
const collections: readonly Collection[] = [
  ...new Set([...alertsCollections, ...authCollections, ...webhookCollections]),
]

/** `gatehouse storage`: prepares a PostgreSQL database by hand; backs up, restores and checks a storage. */
export function storageCommand(): Command {
  const command = new Command('storage').description(
    'Prepare a PostgreSQL database; back up, restore and check a storage.',
  )
  const migrate = new Command('migrate').description(
    'Create missing tables and indexes. Safe to run again, and while servers run.',
  )
  addPlaceFlags(migrate).option('--url <url>', 'the database, as postgres://user@host:5432/name')
  addLogFlags(migrate).action(() =>
    runCommand(() => migrateStorage(migrate.opts<PlaceFlags & LogFlags>())),
  )
  const sql = new Command('sql').description(
    'Print the SQL for an empty database, for review or another tool. Runs nothing.',
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
    .option('--config <file>', 'use the storage of this `gatehouse api` file')
    .option(
      '--schema <name>',
      'the schema of the tables (default: the first one of the connection)',
    )
    .option('--prefix <text>', 'the prefix of all table names (default: gatehouse_)')
    .option('--json', 'print the result as JSON')
}

async function migrateStorage(flags: PlaceFlags & LogFlags): Promise<number> {
  const { url, ...place } = await placeOf(flags)
  if (url === undefined) throw new Error('name the database: --url URL, or --config FILE')
  const logger = loggerFor(flags)
  await migratePostgres({ ...place, url, collections, logger })
  const storage = storageName({ kind: 'postgres', url })
  logger.info({ storage }, 'the database is ready')
  if (flags.json) console.log(JSON.stringify({ storage }))
  return 0
}

async function printSql(flags: PlaceFlags): Promise<number> {
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
