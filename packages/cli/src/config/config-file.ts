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
  files?: ReadFiles,
): Promise<ConfigFile<T>> {
  const file = await readTextFile(filename, files)
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
