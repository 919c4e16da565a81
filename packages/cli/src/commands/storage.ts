import { Command } from 'commander'
import { addLogFlags, type LogFlags } from '../flags/log-flags.ts'
import { runCommand } from '../run-command.ts'
import type { BackupFlags, RestoreFlags, VerifyFlags } from './storage-backup.ts'
import type { CheckRecordsFlags } from './storage-check-records.ts'
import type { SchemaFlags } from './storage-schema.ts'

/** `gatehouse storage`: prepares a PostgreSQL database by hand; backs up, restores and checks a storage. */
export function storageCommand(): Command {
  const command = new Command('storage').description(
    'Prepare a PostgreSQL database; back up, restore and check a storage.',
  )
  const parts = [...schemaCommands(), ...backupCommands(), checkRecordsCommand()]
  for (const part of parts) command.addCommand(part)
  return command
}

function schemaCommands(): readonly Command[] {
  const migrate = new Command('migrate').description(
    'Create missing tables and indexes. Safe to run again, and while servers run.',
  )
  addSchemaFlags(migrate).option(
    '--database <url>',
    'the database, as postgres://user@host:5432/name',
  )
  addLogFlags(migrate).action(() =>
    runCommand(async () => {
      const { migrateStorage } = await import('./storage-schema.ts')
      return migrateStorage(migrate.opts<SchemaFlags & LogFlags>())
    }),
  )
  const sql = new Command('sql').description(
    'Print the SQL for an empty database, for review or another tool. Runs nothing.',
  )
  addSchemaFlags(sql).action(() =>
    runCommand(async () => {
      const { printSql } = await import('./storage-schema.ts')
      return printSql(sql.opts<SchemaFlags>())
    }),
  )
  return [migrate, sql]
}

function backupCommands(): readonly Command[] {
  const backup = new Command('backup')
    .description('Save all data of a storage to a file. Servers may keep running.')
    .requiredOption('--to <file>', 'the file to write, which must not exist; - for standard output')
    .option('--json', 'print the counts as JSON, unless the backup goes to standard output')
  addPlaceFlags(backup).action(() =>
    runCommand(async () => {
      const { saveBackup } = await import('./storage-backup.ts')
      return saveBackup(backup.opts<BackupFlags>())
    }),
  )
  const restore = new Command('restore')
    .description('Restore such a file into an empty storage, of either kind.')
    .requiredOption('--from <file>', 'the file that backup wrote')
    .option('--json', 'print the counts as JSON')
  addPlaceFlags(restore).action(() =>
    runCommand(async () => {
      const { restoreFile } = await import('./storage-backup.ts')
      return restoreFile(restore.opts<RestoreFlags>())
    }),
  )
  const verify = new Command('verify')
    .description('Print every problem of a storage or a backup. Servers may keep running.')
    .option('--from <file>', 'check this backup file instead of a storage')
    .option('--json', 'print all problems as JSON')
  addPlaceFlags(verify).action(() =>
    runCommand(async () => {
      const { verifyPlace } = await import('./storage-backup.ts')
      return verifyPlace(verify.opts<VerifyFlags>())
    }),
  )
  return [backup, restore, verify]
}

function checkRecordsCommand(): Command {
  const command = new Command('check-records')
    .description('List stored records that cannot be read. Exits with 1 if there are any.')
    .option('--config <file>', 'use the storage of this `gatehouse api` file')
    .option('--database <url>', 'a PostgreSQL database, as postgres://user@host:5432/name')
    .option('--sqlite <file>', 'an SQLite database')
    .option('--schema <name>', 'with --database: the schema of the tables')
    .option('--prefix <text>', 'with --database: the prefix of all table names')
    .option('--remove', 'remove them. Make a backup first: their content is lost')
    .option('--json', 'print each record as a line of JSON')
  return addLogFlags(command).action(() =>
    runCommand(async () => {
      const { checkStoredRecords } = await import('./storage-check-records.ts')
      return checkStoredRecords(command.opts<CheckRecordsFlags>())
    }),
  )
}

function addSchemaFlags(command: Command): Command {
  return addTableFlags(command).option('--json', 'print the result as JSON')
}

/** The flags that name a storage. */
export function addPlaceFlags(command: Command): Command {
  return addTableFlags(command)
    .option(
      '--sqlite <file>',
      'the database file, such as data/gatehouse.db of `gatehouse alertmanager`',
    )
    .option('--database <url>', 'the database, as postgres://user@host:5432/name')
}

function addTableFlags(command: Command): Command {
  return command
    .option('--config <file>', 'use the storage of this `gatehouse api` file')
    .option(
      '--schema <name>',
      'the schema of the tables (default: the first one of the connection)',
    )
    .option('--prefix <text>', 'the prefix of all table names (default: gatehouse_)')
}
