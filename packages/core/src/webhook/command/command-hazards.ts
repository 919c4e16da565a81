import type { Pattern } from '@gatehouse/go-template/regex'
import { readShellText } from '../shell/read-shell-text.ts'
import { literalWord, type ShellCommand, type ShellWord } from '../shell/shell-command.ts'
import { findHazards, type Hazard, namedPositions } from '../shell/shell-hazards.ts'
import { highest, type Level, type StartValues } from '../shell/value-levels.ts'
import type { CommandLine, Source, Webhook } from '../webhook.ts'

/** The values of a request that a command gets. */
export interface CommandValues {
  readonly args: Webhook['command_arguments']
  readonly env: Webhook['env']
  readonly files: Webhook['files']
  readonly stdin: Webhook['stdin']
}

/** Shells that split and expand as POSIX says. Others may be different, so their hazards are warnings. */
const known = /(?:^|\/)(?:ba|da|a|k|mk|pdk|lk|ya)?sh$/
/** Languages with another syntax. */
const foreign = /(?:^|\/)(?:python|perl|ruby|node|php|lua|tclsh|pwsh|fish)[\d.]*$/

/** Patterns that match only letters, digits and `-_./:@+,`. */
const plain =
  /^(?:\[(?:a-z|A-Z|0-9|[\w./:@+,]|\\[wd.+/-]|-(?=\]))+\]|\\[dwAz.+/-]|\((?:\?:)?|[\w/:@,|)^$?*+-]|\{\d*,?\d*\})*$/

/** No sender chooses the facts of a request freely, and none has a blank or a pattern in it. */
function levelOf(from: Source | undefined, pattern: Pattern | undefined): Level {
  if (from === undefined || from.kind === 'request') return 0
  return pattern !== undefined && plain.test(pattern.source) ? 2 : 3
}

/** The positional parameters that arguments become, and whether there may be fewer. */
function positionsOf(args: CommandValues['args']): {
  readonly positions: readonly Level[]
  readonly rest: Level
  readonly most: number
} {
  const positions: Level[] = [0]
  let rest: Level = 0
  let most = 0
  let mayShift = false
  for (const { name, from, format, pattern, on_missing, default: fallback } of args) {
    const level = levelOf(from, pattern)
    const isPair = from !== undefined && format === 'separate' && name !== ''
    const entries: Level[] = isPair ? [0, level] : [level]
    const isOptional = on_missing === 'skip' || on_missing === 'name'
    mayShift ||= from !== undefined && fallback === undefined && isOptional
    most += entries.length
    if (!mayShift) positions.push(...entries)
    else rest = highest([rest, level])
  }
  return { positions, rest, most }
}

/** What a shell text would be, or the words of a command, with its arguments at the end. */
function commandsOf(line: CommandLine, hasArguments: boolean): readonly ShellCommand[] {
  if (line.kind === 'shell') {
    const appends = hasArguments && !readShellText(line.text).usesParameters
    return readShellText(appends ? `${line.text} "$@"` : line.text).commands
  }
  const [given] = hasArguments ? (readShellText(': "$@"').commands[0]?.words.slice(1) ?? []) : []
  const words: ShellWord[] = [
    ...line.words.map(literalWord),
    ...(given === undefined ? [] : [given]),
  ]
  const [empty] = readShellText(':').commands
  return empty === undefined ? [] : [{ ...empty, words }]
}

/**
 * Finds the places where a command would not keep a value of a request whole, execute it, or let it choose what runs. Certain
 * ones must be refused; the others are worth a warning.
 */
export function commandHazards(line: CommandLine, values: CommandValues): readonly Hazard[] {
  if (line.kind === 'shell' && foreign.test(line.shell)) return []
  const { positions, rest, most } = positionsOf(values.args)
  const variables = Array.from(values.env, ([name, value]) => {
    return [name, value.kind === 'source' ? levelOf(value.from, value.pattern) : 0] as const
  })
  const start: StartValues = {
    positions,
    rest,
    variables: new Map(variables),
    files: new Set(values.files.map(({ env }) => env)),
    readsRequest: values.stdin !== 'none',
  }
  const commands = commandsOf(line, values.args.length > 0)
  const hazards = findHazards(commands, start)
  if (line.kind === 'words') return hazards
  const isKnown = known.test(line.shell)
  return [
    ...hazards.map(({ problem, isSure }) => ({ problem, isSure: isSure && isKnown })),
    ...emptyParameters(commands, most),
  ]
}

/** Positional parameters that never have a value. */
function emptyParameters(commands: readonly ShellCommand[], most: number): readonly Hazard[] {
  return namedPositions(commands).flatMap((position) => {
    if (position > 0 && position <= most) return []
    const of = most === 1 ? '1 parameter' : `${most} parameters`
    const problem =
      position === 0
        ? '$0 is always gatehouse; the first argument is $1'
        : `$${position} is always empty, because the arguments are ${of} at most`
    return [{ problem, isSure: false }]
  })
}
