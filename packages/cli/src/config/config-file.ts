import { dirname, resolve } from 'node:path'
import {
  type ConfigKind,
  type ConfigNode,
  createDecoding,
  invalidConfig,
  isNull,
  oneOf,
  parseConfigDocument,
  parseDuration,
  parsed,
} from '@gatehouse/core/config'
import { createReadFiles, type ReadFiles } from './read-files.ts'

/** The text of a file. */
export interface TextFile {
  /** As the user wrote it. */
  readonly filename: string
  /** The absolute path of its folder; relative paths in the file start there. */
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
export async function readTextFile(
  filename: string,
  files: ReadFiles = createReadFiles(),
): Promise<TextFile> {
  try {
    const text = (await files.read(filename)).toString('utf8')
    return { filename, directory: dirname(resolve(filename)), text }
  } catch (error) {
    throw new Error(`${filename}: ${fileProblem(error)}`, { cause: error })
  }
}

/** The problem with a file, in words. */
export function fileProblem(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'ENOENT') return 'no such file or directory'
  if (code === 'EACCES') return 'permission denied'
  if (code === 'EISDIR') return 'is a directory'
  if (code === 'ENOTDIR') return 'is not a directory'
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
  files?: ReadFiles,
): Promise<ConfigFile<T>> {
  const file = await readTextFile(filename, files)
  const decoding = createDecoding({ directory: file.directory })
  const node = asMapping(parseConfigDocument(file.text, filename))
  const value = kind.decode({ decoding, node, path: '' })
  const problems = [...decoding.structure, ...decoding.checks]
  const [first] = problems
  if (first !== undefined) throw invalidConfig(first.message, problems, filename)
  return { ...file, value }
}

/** An empty file is an empty mapping, so that its missing keys are reported. */
function asMapping(node: ConfigNode): ConfigNode {
  return isNull(node) ? { ...node, kind: 'mapping', entries: [] } : node
}

/** A duration such as `1h30m` or `5d`, in milliseconds. */
export const duration: ConfigKind<number> = parsed<number>({
  zero: 0,
  parse: parseDuration,
  encode: (ms) => `${ms}ms`,
})

/** One of several words; the first is the default. */
export function oneOfThese<T extends string>(choices: readonly [T, ...T[]]): ConfigKind<T> {
  return oneOf(choices, choices[0], (given) => `"${given}" must be one of ${choices.join(', ')}`)
}
