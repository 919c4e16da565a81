import { Command, type CommanderError } from 'commander'
import { badUsage } from './config/exit-codes.ts'
import { packageVersion } from './version.ts'

const examples = `
Examples:
  gatehouse api --config config.yaml      serve the webhooks, the alerts and the sign-in of a file
  gatehouse check --config config.yaml    only say what is wrong with it
  gatehouse alertmanager --config.file=alertmanager.yml

Without --config, api and check take config.yaml, config.yml or config.json beside the program, else in the
working directory.`

interface CommandEntry {
  readonly name: string
  /** Most commands load a service, so only the one that runs is loaded. */
  readonly load: () => Promise<Command>
  /** Whether wrong usage exits with 1, as the Prometheus programs do that the command replaces. */
  readonly failsWithOne?: boolean
}

/** In the order of the help. */
const commands: readonly CommandEntry[] = [
  { name: 'api', load: async () => (await import('./commands/api.ts')).apiCommand() },
  { name: 'check', load: async () => (await import('./commands/check.ts')).checkCommand() },
  { name: 'hash', load: async () => (await import('./commands/hash.ts')).hashCommand() },
  {
    name: 'alertmanager',
    load: async () => (await import('./commands/alertmanager.ts')).alertmanagerCommand(),
    failsWithOne: true,
  },
  {
    name: 'check-config',
    load: async () => (await import('./commands/check-config.ts')).checkConfigCommand(),
    failsWithOne: true,
  },
  { name: 'diff', load: async () => (await import('./commands/diff.ts')).diffCommand() },
  { name: 'explain', load: async () => (await import('./commands/explain.ts')).explainCommand() },
  { name: 'test', load: async () => (await import('./commands/test.ts')).testCommand() },
  {
    name: 'import',
    load: async () => (await import('./commands/import.ts')).importCommand(),
    failsWithOne: true,
  },
  {
    name: 'receiver',
    load: async () => (await import('./commands/receiver.ts')).receiverCommand(),
    failsWithOne: true,
  },
  {
    name: 'storage',
    load: async () => (await import('./commands/storage.ts')).storageCommand(),
    failsWithOne: true,
  },
  {
    name: 'template',
    load: async () => (await import('./commands/template.ts')).templateCommand(),
    failsWithOne: true,
  },
]

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
  for (const { load, failsWithOne = false } of neededCommands(process.argv.slice(2))) {
    const command = withHint(await load())
    program.addCommand(failsWithOne ? command : command.exitOverride(exitForUsage))
  }
  await program.parseAsync()
}

/** The command that is called. All of them for the help, and to suggest the name that was meant. */
function neededCommands(args: readonly string[]): readonly CommandEntry[] {
  // No option before a command takes a value.
  const name = args.find((word) => !word.startsWith('-'))
  if (name === undefined && args.includes('--version')) return []
  const called = commands.filter((command) => command.name === name)
  return called.length > 0 ? called : commands
}

const withHint = (command: Command): Command =>
  command.showHelpAfterError(`(try 'gatehouse ${command.name()} --help')`)

/** Help and version are not failures. */
function exitForUsage({ exitCode }: CommanderError): never {
  process.exit(exitCode === 0 ? 0 : badUsage)
}
