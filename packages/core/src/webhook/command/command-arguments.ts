import type { Instant } from '../../time/clock.ts'
import { webhookError } from '../errors.ts'
import type { Delivery } from '../request/delivery.ts'
import { readSource } from '../request/source.ts'
import type { CommandArgument, Webhook } from '../webhook.ts'
import {
  entryProblem,
  type Purpose,
  valueMissing,
  valueProblem,
  valueRejected,
} from './request-value.ts'

/** Whether the value of an argument starts an entry, where a dash would make it an option. */
export function startsAnEntry({ format, name }: CommandArgument): boolean {
  return format === 'separate' || format === 'value' || (format === 'concat' && name === '')
}

function entriesOf({ format, name }: CommandArgument, value: string): readonly string[] {
  if (format === 'equals') return [`${name}=${value}`]
  if (format === 'concat') return [`${name}${value}`]
  return format === 'separate' && name !== '' ? [name, value] : [value]
}

/** The entries of one argument. Fixed text and defaults come from the configuration and are not checked. */
function resolveArgument(
  argument: CommandArgument,
  value: string | undefined,
  purpose: Purpose,
): readonly string[] {
  if (argument.from === undefined) return [argument.name]
  if (value === undefined) {
    if (argument.default !== undefined) return entriesOf(argument, argument.default)
    if (argument.on_missing === 'error') throw valueMissing(purpose, argument.source)
    if (argument.on_missing === 'skip') return []
    if (argument.on_missing === 'name') return argument.name === '' ? [] : [argument.name]
  }
  const text = value ?? ''
  const allow_dash = argument.allow_dash || !startsAnEntry(argument)
  const problem = valueProblem({ ...argument, allow_dash }, text)
  if (problem !== undefined) throw valueRejected(purpose, argument.source, problem)
  return entriesOf(argument, text)
}

/**
 * Resolves the arguments of a delivery, which follow the words of the command, in the order of the configuration.
 *
 * @throws {GatehouseError} `argument_missing` or `argument_rejected`, with `argument` (its index in the configuration) and
 * `source` in `info`.
 */
export function resolveArguments(
  webhook: Pick<Webhook, 'command_arguments'>,
  delivery: Delivery,
  now: Instant,
): readonly string[] {
  return webhook.command_arguments.flatMap((argument, index) => {
    const { from, source } = argument
    const purpose = { argument: index }
    const value = from === undefined ? undefined : readSource(from, delivery, now)
    const entries = resolveArgument(argument, value, purpose)
    for (const entry of entries) {
      const problem = entryProblem(entry)
      if (problem !== undefined) throw valueRejected(purpose, source, problem)
    }
    return entries
  })
}

/**
 * Checks the length of a whole command line, including the program.
 *
 * @throws {GatehouseError} `argument_rejected` if it has more than `limit` bytes.
 */
export function checkCommandLine(words: readonly string[], limit: number): void {
  const bytes = words.reduce((sum, word) => sum + Buffer.byteLength(word), 0)
  if (bytes > limit) {
    throw webhookError('argument_rejected', `the command line has more than ${limit} bytes`)
  }
}
