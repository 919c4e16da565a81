import { Command, type CommanderError } from 'commander'
import { alertmanagerCommand } from './commands/alertmanager.ts'
import { apiCommand } from './commands/api.ts'
import { checkCommand } from './commands/check.ts'
import { checkConfigCommand } from './commands/check-config.ts'
import { hashCommand } from './commands/hash.ts'
import { receiverCommand } from './commands/receiver.ts'
import { storageCommand } from './commands/storage.ts'
import { templateCommand } from './commands/template.ts'
import { badUsage } from './config/failure.ts'
import { packageVersion } from './version.ts'

const examples = `
Examples:
  gatehouse api --config config.yaml      serve the webhooks, the alerts and the sign-in of a file
  gatehouse check --config config.yaml    only say what is wrong with it
  gatehouse alertmanager --config.file=alertmanager.yml

Without --config, api and check take config.yaml, config.yml or config.json beside the program, else in the
working directory.`

/** Runs the command line. Exits the process if the command has an exit code. */
export async function runProgram(): Promise<void> {
  const program = new Command('gatehouse')
    .description(
      'Runs webhooks, alerts and sign-in over one storage: a command runner, an Alertmanager, and authentication flows.',
    )
    .version(packageVersion, '--version', 'print the version and exit')
    .addHelpText('after', examples)
    .enablePositionalOptions()
    .exitOverride(exitForUsage)
  // The others exit with 1 for wrong usage, as the Prometheus programs do that they replace.
  for (const command of [apiCommand(), checkCommand(), hashCommand()]) {
    program.addCommand(withHint(command).exitOverride(exitForUsage))
  }
  for (const command of [
    alertmanagerCommand(),
    checkConfigCommand(),
    receiverCommand(),
    storageCommand(),
    templateCommand(),
  ]) {
    program.addCommand(withHint(command))
  }
  await program.parseAsync()
}

const withHint = (command: Command): Command =>
  command.showHelpAfterError(`(try 'gatehouse ${command.name()} --help')`)

/** Help and version are not failures. */
function exitForUsage({ exitCode }: CommanderError): never {
  process.exit(exitCode === 0 ? 0 : badUsage)
}
