#!/usr/bin/env node
import { Command } from 'commander'
import { alertmanagerCommand } from './commands/alertmanager.ts'
import { apiCommand } from './commands/api.ts'
import { checkConfigCommand } from './commands/check-config.ts'
import { receiverCommand } from './commands/receiver.ts'
import { storageCommand } from './commands/storage.ts'
import { templateCommand } from './commands/template.ts'
import { packageVersion } from './version.ts'

const program = new Command('gatehouse')
  .description('Alertmanager as a server over one storage, and the other Gatehouse services.')
  .version(packageVersion, '--version', 'print the version and exit')
  .enablePositionalOptions()

const commands = [
  alertmanagerCommand(),
  apiCommand(),
  checkConfigCommand(),
  receiverCommand(),
  storageCommand(),
  templateCommand(),
]
for (const command of commands) {
  program.addCommand(command.showHelpAfterError(`(try 'gatehouse ${command.name()} --help')`))
}

await program.parseAsync()
