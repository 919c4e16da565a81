import { isGatehouseError } from '@gatehouse/core'
import { type ConfigProblem, formatConfigProblems } from '@gatehouse/core/config'

/** Exit code for a program that cannot serve: a taken port, a certificate that cannot be read. */
export const cannotServe = 1
/** Exit code for wrong usage and for a file that cannot be used. */
export const badUsage = 2

/** A refusal that is told in several lines. */
export class Refused extends Error {
  readonly lines: readonly string[]
  readonly exitCode: number

  constructor(lines: readonly string[], exitCode: number = badUsage) {
    super(lines.join('; '))
    this.lines = lines
    this.exitCode = exitCode
  }
}

/** What a program that was to serve a file ends with. */
export function exitCodeOf(error: unknown): number {
  return error instanceof Refused ? error.exitCode : badUsage
}

/**
 * What is wrong, one line each: every problem of a refused configuration in its order as `file:line:column: message`, every
 * other failure as its message. `filename` is for a configuration that does not name its file.
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

/** The message of an error. What a function refuses of its options is a flag or a key to who reads it. */
export function messageOf(error: unknown): string {
  if (isGatehouseError(error) && error.reason === 'InvalidInput') {
    const { path, expected, given } = error.info
    return `${String(path).replace(/^options\./, '')} must be ${expected}, got ${given}`
  }
  return error instanceof Error ? error.message : String(error)
}

function inOrder(problems: readonly ConfigProblem[]): readonly ConfigProblem[] {
  return [...problems].sort((a, b) => a.line - b.line || a.column - b.column)
}
