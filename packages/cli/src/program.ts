import { Command, type CommanderError } from 'commander'
import { badUsage } from './config/exit-codes.ts'
import { withOwnConfigFlag } from './flags/config-flag.ts'
import { paint, paintError } from './log/color.ts'
import { packageVersion } from './version.ts'

const examples = `
Examples:
  gatehouse init                          ask a few questions and write a configuration
  gatehouse api --config config.yaml      serve the webhooks, the alerts and the sign-in of a file
  gatehouse check --config config.yaml    only say what is wrong with it
  gatehouse alertmanager --config.file=alertmanager.yml

Without --config, api and check take config.yaml, config.yml or config.json next to the program, else in the
working directory.

Documentation: https://github.com/gatehouse/gatehouse/blob/main/docs/cli.md`

interface CommandEntry {
  readonly name: string
  /** Its line in the overview, which loads no command. */
  readonly summary: string
  /** Loads the command that runs. */
  readonly load: () => Promise<Command>
  /** Whether it replaces a Prometheus program: its flags have dots, and wrong usage exits with 1. */
  readonly isPrometheus?: boolean
}

/** By the heading in the help, in its order. */
const groups: Readonly<Record<string, readonly CommandEntry[]>> = {
  'Serve:': [
    {
      name: 'init',
      summary: 'ask a few questions and write a configuration',
      load: async () => (await import('./commands/init.ts')).initCommand(),
    },
    {
      name: 'check',
      summary: 'print every problem of a configuration',
      load: async () => (await import('./commands/check.ts')).checkCommand(),
    },
    {
      name: 'api',
      summary: 'serve the webhooks, the alerts and the sign-in of a file',
      load: async () => (await import('./commands/api.ts')).apiCommand(),
    },
    {
      name: 'alertmanager',
      summary: 'serve alerts with the flags of the alertmanager command',
      load: async () => (await import('./commands/alertmanager.ts')).alertmanagerCommand(),
      isPrometheus: true,
    },
  ],
  'Alerts:': [
    {
      name: 'check-config',
      summary: 'check alertmanager.yml files, as amtool does',
      load: async () => (await import('./commands/check-config.ts')).checkConfigCommand(),
      isPrometheus: true,
    },
    {
      name: 'test',
      summary: 'run tests of routes and notifications',
      load: async () => (await import('./commands/test.ts')).testCommand(),
    },
    {
      name: 'diff',
      summary: 'list the alerts that a new configuration routes differently',
      load: async () => (await import('./commands/diff.ts')).diffCommand(),
    },
    {
      name: 'explain',
      summary: 'explain how a running server routes an alert',
      load: async () => (await import('./commands/explain.ts')).explainCommand(),
    },
    {
      name: 'receiver',
      summary: 'send a test notification',
      load: async () => (await import('./commands/receiver.ts')).receiverCommand(),
    },
    {
      name: 'template',
      summary: 'render a template, as amtool does',
      load: async () => (await import('./commands/template.ts')).templateCommand(),
      isPrometheus: true,
    },
  ],
  'Webhooks:': [
    {
      name: 'run',
      summary: 'run a webhook of a running server and show its output',
      load: async () => (await import('./commands/run.ts')).runWebhookCommand(),
    },
    {
      name: 'runs',
      summary: 'list runs of a running server, or follow them',
      load: async () => (await import('./commands/runs.ts')).runsCommand(),
    },
    {
      name: 'webhook',
      summary: 'try a delivery without running anything',
      load: async () => (await import('./commands/webhook.ts')).webhookCommand(),
    },
  ],
  'Data:': [
    {
      name: 'storage',
      summary: 'back up, restore, check and prepare a storage',
      load: async () => (await import('./commands/storage.ts')).storageCommand(),
    },
    {
      name: 'import',
      summary: 'import users, apps, silences or hooks of another system',
      load: async () => (await import('./commands/import.ts')).importCommand(),
    },
  ],
  'Sign-in:': [
    {
      name: 'auth',
      summary: 'show the mails and SMS of sign-in in a browser',
      load: async () => (await import('./commands/auth.ts')).authCommand(),
    },
    {
      name: 'keys',
      summary: 'list and rotate the keys that sign tokens',
      load: async () => (await import('./commands/keys.ts')).keysCommand(),
    },
  ],
  'Tools:': [
    {
      name: 'demo',
      summary: 'feed a running server sample alerts until you stop it',
      load: async () => (await import('./commands/demo.ts')).demoCommand(),
    },
    {
      name: 'hash',
      summary: 'print the SHA-1 of a message',
      load: async () => (await import('./commands/hash.ts')).hashCommand(),
    },
    {
      name: 'completion',
      summary: 'print a script that completes commands and flags',
      load: async () => {
        const { completionCommand } = await import('./commands/completion.ts')
        return completionCommand(() => Promise.all(commands.map(({ load }) => load())))
      },
    },
  ],
}

/** All commands, in the order of the help. */
export const commands: readonly CommandEntry[] = Object.values(groups).flat()

/** Runs the command line. Exits the process if the command has an exit code. */
export async function runProgram(): Promise<void> {
  const program = new Command('gatehouse')
    .description(
      'Runs webhooks, alerts and sign-in over one storage: a command runner, an Alertmanager, and authentication flows.',
    )
    .version(packageVersion, '--version', 'print the version and exit')
    .addHelpText('after', examples)
    .enablePositionalOptions()
    .addHelpCommand(
      new Command('help')
        .argument('[command]')
        .helpOption(false)
        .description('print the help of a command')
        .helpGroup('Tools:'),
    )
    .exitOverride(exitForUsage)
  withColors(program)
  const args = process.argv.slice(2)
  const called = calledCommand(args)
  for (const [heading, entries] of Object.entries(groups)) {
    for (const entry of entries) {
      const command = entry === called ? await loaded(entry) : new Command(entry.name)
      program.addCommand(command.summary(entry.summary).helpGroup(heading))
    }
  }
  const isOwn = called?.isPrometheus !== true
  const given = withOwnConfigFlag(isOwn ? withDashes(args) : args, program)
  await program.parseAsync(given, { from: 'user' })
}

/** The command that is called, also as `help NAME`. The others are only listed, or suggested for a misspelled name. */
function calledCommand(args: readonly string[]): CommandEntry | undefined {
  // No option before a command takes a value.
  const [first, second] = args.filter((word) => !word.startsWith('-'))
  const name = first === 'help' ? second : first
  return commands.find((command) => command.name === name)
}

async function loaded({ load, isPrometheus = false }: CommandEntry): Promise<Command> {
  const command = await load()
  forEachCommand(command, (one, path) => {
    withColors(one).showHelpAfterError(`(try 'gatehouse ${path} --help')`)
    if (!isPrometheus) one.exitOverride(exitForUsage)
  })
  return command
}

/** Visits a command and those below it, with their names as they are written, such as `storage backup`. */
function forEachCommand(
  command: Command,
  visit: (command: Command, path: string) => void,
  before: readonly string[] = [],
): void {
  const names = [...before, command.name()]
  visit(command, names.join(' '))
  for (const part of command.commands) forEachCommand(part, visit, names)
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

/** Colors errors and the titles of the help. */
function withColors(command: Command): Command {
  const styleTitle = (title: string): string => paint('strong', title)
  return command
    .configureHelp({ styleTitle })
    .configureOutput({ outputError: (text, write) => write(paintError('bad', text)) })
}

/** Help and version are not failures. */
function exitForUsage({ exitCode }: CommanderError): never {
  process.exit(exitCode === 0 ? 0 : badUsage)
}
