import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { isGatehouseError } from '@gatehouse/core'
import {
  type ConfigKind,
  type ConfigNode,
  type ConfigProblem,
  createDecoding,
  formatConfigProblems,
  invalidConfig,
  isNull,
  oneOf,
  parseConfigDocument,
  parseDuration,
  parsed,
} from '@gatehouse/core/config'

/** A text that was read from a file. */
export interface TextFile {
  /** As the user named it. */
  readonly filename: string
  /** Absolute path of the folder it is in, from which the relative paths in it start. */
  readonly directory: string
  readonly text: string
}

/** A file that was read and decoded. */
export interface ConfigFile<T> extends TextFile {
  readonly value: T
}

/**
 * Reads a text file.
 *
 * @throws {Error} with a message for the person who named the file.
 */
export async function readTextFile(filename: string): Promise<TextFile> {
  try {
    const text = await readFile(filename, 'utf8')
    return { filename, directory: dirname(resolve(filename)), text }
  } catch (error) {
    throw new Error(`${filename}: ${fileProblem(error)}`, { cause: error })
  }
}

/** What is wrong with a file, in words. */
export function fileProblem(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'ENOENT') return 'no such file or directory'
  if (code === 'EACCES') return 'permission denied'
  if (code === 'EISDIR') return 'is a directory'
  return error instanceof Error ? error.message : String(error)
}

/**
 * Reads and decodes a YAML file.
 *
 * @throws {GatehouseError} `InvalidConfig`, with every problem in `info.problems`.
 * @throws {Error} if it cannot be read.
 */
export async function readConfigFile<T>(
  filename: string,
  kind: ConfigKind<T>,
): Promise<ConfigFile<T>> {
  const file = await readTextFile(filename)
  const decoding = createDecoding(file.directory)
  const node = asMapping(parseConfigDocument(file.text, filename))
  const value = kind.decode({ decoding, node, path: '' })
  const problems = [...decoding.structure, ...decoding.checks]
  const [first] = problems
  if (first !== undefined) throw invalidConfig(first.message, problems, filename)
  return { ...file, value }
}

/** An empty file is a mapping without entries: what must be in it is missed. */
function asMapping(node: ConfigNode): ConfigNode {
  return isNull(node) ? { ...node, kind: 'mapping', entries: [] } : node
}

/**
 * What is wrong, one line each: every problem of a refused configuration in its order as `file:line:column: message`, every
 * other failure as its message. `filename` is for a configuration that does not name its file.
 */
export function failureLines(error: unknown, filename = 'configuration'): readonly string[] {
  if (isGatehouseError(error) && error.reason === 'InvalidConfig') {
    const { problems, filename: named } = error.info
    if (Array.isArray(problems)) {
      return formatConfigProblems(typeof named === 'string' ? named : filename, inOrder(problems))
    }
  }
  return [(error instanceof Error ? error.message : String(error)).replaceAll('\n', ' ')]
}

function inOrder(problems: readonly ConfigProblem[]): readonly ConfigProblem[] {
  return [...problems].sort((a, b) => a.line - b.line || a.column - b.column)
}

/** A length of time such as `1h30m` or `5d`, in milliseconds. */
export const duration: ConfigKind<number> = parsed<number>({
  zero: 0,
  parse: parseDuration,
  encode: (ms) => `${ms}ms`,
})

/** One of a few words; the first is the default. */
export function oneOfThese<T extends string>(choices: readonly [T, ...T[]]): ConfigKind<T> {
  return oneOf(choices, choices[0], (given) => `"${given}" is none of ${choices.join(', ')}`)
}
