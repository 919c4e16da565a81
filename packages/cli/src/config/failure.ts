import { type ConfigProblem, formatConfigProblems } from '@gatehouse/core/config'
import { compareBytes, isGatehouseError } from '@gatehouse/core/store'
import { badUsage } from './exit-codes.ts'

/** A refusal with several lines. */
export class Refused extends Error {
  readonly lines: readonly string[]
  readonly exitCode: number

  constructor(lines: readonly string[], exitCode: number = badUsage) {
    super(lines.join('; '))
    this.lines = lines
    this.exitCode = exitCode
  }
}

/** The exit code after an error at the start. */
export function exitCodeOf(error: unknown): number {
  return error instanceof Refused ? error.exitCode : badUsage
}

/**
 * The problems, one line each: those of a refused configuration in order as `file:line:column: message`, any other error as its
 * message. `filename` is for a configuration without a file name.
 */
export function failureLines(error: unknown, filename = 'configuration'): readonly string[] {
  if (error instanceof Refused) return error.lines
  if (isGatehouseError(error) && error.reason === 'InvalidConfig') {
    const { problems, filename: named } = error.info
    if (Array.isArray(problems)) {
      return formatConfigProblems(typeof named === 'string' ? named : filename, inOrder(problems))
    }
  }
  return [messageOf(error).replaceAll('\n', ' ')]
}

/** The message of an error, without `options.` before an option's name, which the user knows as a flag or a key. */
export function messageOf(error: unknown): string {
  if (isGatehouseError(error) && error.reason === 'InvalidInput') {
    const { path, expected, given } = error.info
    return `${String(path).replace(/^options\./, '')} must be ${expected}, got ${given}`
  }
  return error instanceof Error ? error.message : String(error)
}

function inOrder(problems: readonly ConfigProblem[]): readonly ConfigProblem[] {
  const file = (problem: ConfigProblem): string => problem.file ?? ''
  return [...problems].sort(
    (a, b) => compareBytes(file(a), file(b)) || a.line - b.line || a.column - b.column,
  )
}
