import { parseArgs } from 'node:util'
import { type AppChoice, type Service, services } from './app-files.ts'
import { type Framework, frameworks } from './frameworks.ts'

/** Wrong usage. The message is for the user. */
export class UsageError extends Error {}

/** What the command line says. */
export interface Arguments {
  readonly folder?: string
  readonly framework?: Framework
  readonly services?: readonly Service[]
  readonly yes: boolean
  readonly help: boolean
  readonly version: boolean
}

const names = frameworks.map(({ name }) => name)

export const usage: string = `npm create gatehouse [FOLDER] -- [FLAGS]

Creates an app with sign-in, alerts or webhooks, and with its tests.
Asks for what is not given, if there is a terminal.

  --framework NAME   ${names.join(', ')} (default: ${names[0]})
  --with LIST        ${services.join(', ')}; with commas in between (default: all)
  --yes              take the defaults, and ask nothing
  --version          print the version
  --help             print this
`

/** @throws {UsageError} if an argument is unknown, or a value is. */
export function parseArguments(args: readonly string[]): Arguments {
  const { positionals, values } = parse(args)
  if (positionals.length > 1) {
    throw new UsageError(`expected one folder, got ${positionals.length}: ${positionals.join(' ')}`)
  }
  const [folder] = positionals
  return {
    ...(folder === undefined ? {} : { folder }),
    ...(values.framework === undefined ? {} : { framework: frameworkOf(values.framework) }),
    ...(values.with === undefined ? {} : { services: servicesOf(values.with) }),
    yes: values.yes === true,
    help: values.help === true,
    version: values.version === true,
  }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        framework: { type: 'string' },
        with: { type: 'string' },
        yes: { type: 'boolean', short: 'y' },
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean' },
      },
    })
  } catch (error) {
    // Its first sentence names the argument; the others are about programming.
    const [reason] = String(error instanceof Error ? error.message : error).split('. ')
    throw new UsageError(`${reason}; see --help`)
  }
}

/** @throws {UsageError} for an unknown framework. */
export function frameworkOf(name: string): Framework {
  const found = frameworks.find((one) => one.name === name.trim().toLowerCase())
  if (found === undefined) {
    throw new UsageError(`no framework is called "${name}"; there are ${names.join(', ')}`)
  }
  return found
}

/** @throws {UsageError} for an unknown service, or none. */
export function servicesOf(list: string): readonly Service[] {
  const given = list
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '')
  const unknown = given.find((name) => services.every((service) => service !== name))
  if (unknown !== undefined) {
    throw new UsageError(`no service is called "${unknown}"; there are ${services.join(', ')}`)
  }
  if (given.length === 0) throw new UsageError(`--with needs one of ${services.join(', ')}`)
  return services.filter((service) => given.includes(service))
}

/** The choice, with the defaults for what was not said. */
export function completeChoice(given: Arguments, name: string): AppChoice {
  const [first] = frameworks
  const framework = given.framework ?? first
  if (framework === undefined) throw new TypeError('there is no framework')
  return { name, framework, services: given.services ?? services }
}
