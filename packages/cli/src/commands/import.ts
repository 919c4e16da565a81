import { Command, Option } from 'commander'
import { addConfigFlag } from '../flags/api-flags.ts'
import { type ImportFlags, importUsersFrom, sources } from '../import/import-users.ts'
import { runCommand } from '../run-command.ts'

/** `gatehouse import`: takes users over from another system. */
export function importCommand(): Command {
  const users = new Command('users')
    .description(
      'Import users into the storage of a `gatehouse api` file, with their ids. Users who are there already stay as they are, so it may run again. Exits with 1 if a user could not be imported.',
    )
    .argument(
      '<file>',
      'better-auth: its SQLite file, or its tables as JSON; authgear: its export; gatehouse: records of importUsers()',
    )
    .addOption(
      new Option('--from <system>', 'where the users come from')
        .choices(sources)
        .makeOptionMandatory(),
    )
    .option('--passwords <file>', 'authgear: rows with user_id and password_hash, as JSON lines')
    .option('--dry-run', 'check everything, against the storage too, and store nothing')
    .option('--json', 'print the counts as JSON')
  addConfigFlag(users).action((file: string) =>
    runCommand(() => importUsersFrom(file, users.opts<ImportFlags>())),
  )
  return new Command('import').description('Import users of another system.').addCommand(users)
}
