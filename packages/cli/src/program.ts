import { Command, type CommanderError } from 'commander'
import { badUsage } from './config/exit-codes.ts'
import { paint, paintError } from './log/color.ts'
import { packageVersion } from './version.ts'

const examples = `
Examples:
  gatehouse init                          ask a few questions and write a configuration
  gatehouse api --config config.yaml      serve the webhooks, the alerts and the sign-in of a file
  gatehouse check --config config.yaml    only say what is wrong with it
  gatehouse alertmanager --config.file=alertmanager.yml

Without --config, api and check take config.yaml, config.yml or config.json beside the program, else in the
working directory.`

interface CommandEntry {
  readonly name: string
  /** Most commands load a service, so only the one that runs is loaded. */
  readonly load: () => Promise<Command>
  /** Whether it replaces a Prometheus program: its flags have dots, and wrong usage exits with 1. */
  readonly isPrometheus?: boolean
}

/** In the order of the help. */
const commands: readonly CommandEntry[] = [
  { name: 'init', load: async () => (await import('./commands/init.ts')).initCommand() },
  { name: 'api', load: async () => (await import('./commands/api.ts')).apiCommand() },
  { name: 'check', load: async () => (await import('./commands/check.ts')).checkCommand() },
  {
    name: 'completion',
    load: async () => {
      const { completionCommand } = await import('./commands/completion.ts')
      return completionCommand(() => Promise.all(commands.map(({ load }) => load())))
    },
  },
  { name: 'hash', load: async () => (await import('./commands/hash.ts')).hashCommand() },
  {
    name: 'alertmanager',
    load: async () => (await import('./commands/alertmanager.ts')).alertmanagerCommand(),
    isPrometheus: true,
  },
  {
    name: 'check-config',
    load: async () => (await import('./commands/check-config.ts')).checkConfigCommand(),
    isPrometheus: true,
  },
  { name: 'demo', load: async () => (await import('./commands/demo.ts')).demoCommand() },
  { name: 'diff', load: async () => (await import('./commands/diff.ts')).diffCommand() },
  { name: 'explain', load: async () => (await import('./commands/explain.ts')).explainCommand() },
  { name: 'test', load: async () => (await import('./commands/test.ts')).testCommand() },
  {
    name: 'import',
    load: async () => (await import('./commands/import.ts')).importCommand(),
  },
  {
    name: 'receiver',
    load: async () => (await import('./commands/receiver.ts')).receiverCommand(),
  },
  {
    name: 'storage',
    load: async () => (await import('./commands/storage.ts')).storageCommand(),
  },
  {
    name: 'template',
    load: async () => (await import('./commands/template.ts')).templateCommand(),
    isPrometheus: true,
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
  withColors(program)
  const args = process.argv.slice(2)
  const called = neededCommands(args)
  for (const { load, isPrometheus = false } of called) {
    const command = withHint(await load())
    program.addCommand(isPrometheus ? command : command.exitOverride(exitForUsage))
  }
  const isOwn = called.every(({ isPrometheus = false }) => !isPrometheus)
  await program.parseAsync(isOwn ? withDashes(args) : args, { from: 'user' })
}

/** The command that is called. All of them for the help, and to suggest the name that was meant. */
function neededCommands(args: readonly string[]): readonly CommandEntry[] {
  // No option before a command takes a value.
  const name = args.find((word) => !word.startsWith('-'))
  if (name === undefined && args.includes('--version')) return []
  const called = commands.filter((command) => command.name === name)
  return called.length > 0 ? called : commands
}

/** Flags spelled with dots, as Alertmanager's are, such as `--log.level` for `--log-level`. */
function withDashes(args: readonly string[]): readonly string[] {
  const end = args.includes('--') ? args.indexOf('--') : args.length
  return args.map((arg, index) =>
    index < end && /^--[a-z]+\.[a-z.-]+(=|$)/.test(arg)
      ? arg.replace(/^[^=]+/, (name) => name.replaceAll('.', '-'))
      : arg,
  )
}

const withHint = (command: Command): Command =>
  withColors(command.showHelpAfterError(`(try 'gatehouse ${command.name()} --help')`))

/** Colors errors and the titles of the help, in the commands below, too. */
function withColors(command: Command): Command {
  for (const part of command.commands) withColors(part)
  const styleTitle = (title: string): string => paint('strong', title)
  return command
    .configureHelp({ styleTitle })
    .configureOutput({ outputError: (text, write) => write(paintError('bad', text)) })
}

/** Help and version are not failures. */
function exitForUsage({ exitCode }: CommanderError): never {
  process.exit(exitCode === 0 ? 0 : badUsage)
}
