import type { Command } from 'commander'

/** The names of the flag for a configuration file: Gatehouse's own, amtool's and Alertmanager's. */
const names: readonly string[] = ['--config', '--config-file', '--config.file']

/**
 * Arguments with the name that the called command has for its configuration file: every command takes all three names.
 *
 * @param program has the commands.
 */
export function withOwnConfigFlag(args: readonly string[], program: Command): string[] {
  const own = ownName(args, program)
  const end = args.indexOf('--')
  return args.map((arg, index) => {
    if (own === undefined || (end >= 0 && index > end)) return arg
    const [name = '', ...value] = arg.split('=')
    return names.includes(name) ? [own, ...value].join('=') : arg
  })
}

/** The name that the called command has; `undefined` if it has none. */
function ownName(args: readonly string[], program: Command): string | undefined {
  let called = program
  for (const arg of args) {
    const inner = called.commands.find((command) => command.name() === arg)
    if (inner !== undefined) called = inner
  }
  return called.options.find(({ long }) => names.includes(long ?? ''))?.long ?? undefined
}
