import { Command, Option } from 'commander'
import { addConfigFlag } from '../flags/api-flags.ts'
import type { ImportAlertmanagerFlags } from '../import/import-alertmanager.ts'
import type { ImportClientsFlags } from '../import/import-clients.ts'
import type { ImportHooksFlags } from '../import/import-hooks.ts'
import { type ImportFlags, importUsersFrom, sources } from '../import/import-users.ts'
import { runCommand } from '../run-command.ts'
import { addPlaceFlags } from './storage.ts'

/** `gatehouse import`: takes over what another system knows. */
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
  return new Command('import')
    .description(
      'Import users or clients of another system, the state of an Alertmanager, or the hooks of adnanh/webhook.',
    )
    .addCommand(users)
    .addCommand(clientsCommand())
    .addCommand(alertmanagerCommand())
    .addCommand(hooksCommand())
}

function clientsCommand(): Command {
  const command = new Command('clients')
    .description(
      'Print the OAuth clients of an authgear.yaml as the section `auth.oidc` of a configuration. Comments say what is different. Exits with 1 if a client is left out, because it cannot be one here.',
    )
    .argument('<file>', 'the authgear.yaml')
    .option(
      '--secrets <file>',
      'its authgear.secrets.yaml, whose client secrets are printed then; else the configuration refers to variables',
    )
  return command.action((file: string) =>
    runCommand(async () => {
      const { importClients } = await import('../import/import-clients.ts')
      return importClients(file, command.opts<ImportClientsFlags>())
    }),
  )
}

function hooksCommand(): Command {
  const command = new Command('hooks')
    .description(
      'Print the hooks of adnanh/webhook as a configuration of webhooks. Comments say what is different. Hooks without authentication are listed on stderr. Exits with 1 if a hook is disabled, because a part of it does not carry over.',
    )
    .argument('<files...>', 'its hooks files, in YAML or JSON')
    .option('--urlprefix <path>', 'its flag -urlprefix, with which the paths begin', 'hooks')
    .option('--header <name=value...>', 'its flag -header: headers of all answers')
    .option('--http-methods <list>', 'its flag -http-methods, for hooks that name none')
    .option(
      '--template',
      'its flag -template: the files are Go templates with getenv, cat and credential',
    )
    .option(
      '--read-from <folders...>',
      'folders besides that of a file, from which cat may read values that are no secrets of a rule',
    )
  return command.action((files: string[]) =>
    runCommand(async () => {
      const { importHooks } = await import('../import/import-hooks.ts')
      return importHooks(files, command.opts<ImportHooksFlags>())
    }),
  )
}

function alertmanagerCommand(): Command {
  const command = new Command('alertmanager')
    .description(
      'Take over silences and the notification log, so that nothing is notified twice. What is there already stays as it is, so it may run again. Exits with 1 if something was left out.',
    )
    .argument(
      '<folder>',
      'the data folder of an Alertmanager that has stopped: it writes its files then',
    )
    .option(
      '--alerts <file>',
      'the answer of its GET /api/v2/alerts before it stopped: the log names alerts by a hash alone',
    )
    .option('--json', 'print the counts as JSON')
  return addPlaceFlags(command).action((folder: string) =>
    runCommand(async () => {
      const { importAlertmanager } = await import('../import/import-alertmanager.ts')
      return importAlertmanager(folder, command.opts<ImportAlertmanagerFlags>())
    }),
  )
}
