import { GatehouseError } from '../../errors.ts'
import { readShellText } from '../shell/read-shell-text.ts'
import type { CommandLine } from '../webhook.ts'
import { placementProblem } from './argument-placement.ts'
import { type SplitProblem, splitWords } from './split-words.ts'

const systemShell = '/bin/sh'

type CommandProblem = SplitProblem | 'unusable_character'

const messages: Readonly<Record<CommandProblem, string>> = {
  empty: 'the command names no program',
  unterminated_quote: 'the command has a quote that is not closed',
  lone_backslash: 'the command ends in a lone backslash',
  unusable_character: 'the command has a NUL character or half a surrogate pair',
}

const badCommand = (problem: CommandProblem): GatehouseError =>
  new GatehouseError('Invalid', 'bad_command', messages[problem], { info: { problem } })

function withoutTrailingBlanks(text: string): string {
  let end = text.length
  while (end > 0 && ' \t\r\n'.includes(text.charAt(end - 1))) end -= 1
  return text.slice(0, end)
}

/** The problem of a text that no shell would accept. */
function shellProblem(text: string, shell: string): CommandProblem | undefined {
  if (/(?:^|[^\\])(?:\\\\)*\\$/.test(text)) return 'lone_backslash'
  const { endsInside, hasNesting, hasHereDocument } = readShellText(text)
  // Other shells have other quotes.
  const isCertain = shell === systemShell && !hasNesting && !hasHereDocument
  return endsInside === 'quote' && isCertain ? 'unterminated_quote' : undefined
}

/**
 * Parses a configured command. With `auto`, the system's shell runs it if it has shell syntax; otherwise it is split into words.
 * `false` always splits, `true` never does, and a path selects another shell.
 *
 * @throws {GatehouseError} `bad_command`, with `problem` in `info`.
 */
export function parseCommandLine(
  text: string,
  shell: 'auto' | 'false' | 'true' | (string & {}),
): CommandLine {
  if (text.includes('\0') || !text.isWellFormed()) throw badCommand('unusable_character')
  const command = withoutTrailingBlanks(text)
  if (command === '') throw badCommand('empty')
  if (shell === 'auto' || shell === 'false') {
    const split = splitWords(command, shell === 'auto')
    if ('words' in split) return { kind: 'words', words: split.words }
    if ('problem' in split) throw badCommand(split.problem)
  }
  const program = shell === 'auto' || shell === 'true' ? systemShell : shell
  const problem = shellProblem(command, program)
  if (problem !== undefined) throw badCommand(problem)
  return { kind: 'shell', shell: program, text: command }
}

/**
 * The reason why a command cannot take arguments; `undefined` if it can. After some shell texts an argument would be run as a
 * command.
 */
export function argumentsProblem(line: CommandLine): string | undefined {
  if (line.kind === 'words') return undefined
  const problem = placementProblem(line.text, readShellText(line.text))
  if (problem === undefined) return undefined
  return `arguments cannot follow a text that ${problem}; write "$@" where they belong`
}

/**
 * A command with its arguments, ready to start. A shell gets them as positional parameters, never as text; if its text does not
 * say where they belong, they follow it.
 */
export function placeArguments(
  line: CommandLine,
  args: readonly string[],
): readonly [program: string, ...args: string[]] {
  if (line.kind === 'words') return [...line.words, ...args]
  const appends = args.length > 0 && !readShellText(line.text).usesParameters
  return [line.shell, '-c', appends ? `${line.text} "$@"` : line.text, 'gatehouse', ...args]
}
