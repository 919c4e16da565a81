import { GatehouseError } from '../errors.ts'

/** A problem of a configuration. */
export interface ConfigProblem {
  /** The path in the values, such as `route.routes[0].receiver`; empty for the whole document. */
  readonly path: string
  /** From 1. */
  readonly line: number
  /** From 1, in UTF-16 units. */
  readonly column: number
  readonly message: string
  /** The file, if it is another than that of the whole configuration. */
  readonly file?: string
}

/** Lines `file:line:column: message` for people, one for each problem. */
export function formatConfigProblems(
  filename: string,
  problems: readonly ConfigProblem[],
): readonly string[] {
  return problems.map(({ line, column, message, file = filename }) => {
    return `${file}:${line}:${column}: ${message.replaceAll('\n', ' ')}`
  })
}

/** The error for a refused configuration; `info.problems` are all the problems. */
export function invalidConfig(
  message: string,
  problems: readonly ConfigProblem[],
  filename?: string,
): GatehouseError {
  return new GatehouseError('Invalid', 'InvalidConfig', message, {
    info: filename === undefined ? { problems } : { problems, filename },
  })
}
