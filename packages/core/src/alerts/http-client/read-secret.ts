import type { Secret } from '../../crypto/secret.ts'
import { clientError } from './errors.ts'

/** Reads the text of a file. */
export type ReadFile = (path: string) => Promise<string>

/** A secret that stands in the configuration, or in a file it names. */
export interface ConfiguredSecret {
  readonly value?: Secret | undefined
  /** Empty if none is named. */
  readonly file: string
  /** What the file holds, for messages, as `password`. */
  readonly name: string
}

/** The secret itself, read anew each time; empty if it is configured nowhere. */
export async function readSecret(
  readFile: ReadFile,
  { value, file, name }: ConfiguredSecret,
): Promise<string> {
  if (value !== undefined) return value.reveal()
  return file === '' ? '' : readTrimmed(readFile, file, name)
}

/**
 * The content of a file that is configured, without white space around it.
 *
 * @throws {GatehouseError} `UnreadableFile`
 */
export async function readTrimmed(readFile: ReadFile, path: string, name: string): Promise<string> {
  try {
    return (await readFile(path)).trim()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
    throw clientError('UnreadableFile', `unable to read ${name} file ${path}: ${code}`)
  }
}
