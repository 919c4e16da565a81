import type { Secret } from '../crypto/secret.ts'
import { clientError } from './errors.ts'

/** Reads a file as text. */
export type ReadFile = (path: string) => Promise<string>

/** A secret in the configuration, or in a file that it names. */
export interface ConfiguredSecret {
  readonly value?: Secret | undefined
  /** Empty if none is named. */
  readonly file: string
  /** The content of the file, for messages, such as `password`. */
  readonly name: string
}

/** The secret itself, read again each time; empty if it is not configured. */
export async function readSecret(
  readFile: ReadFile,
  { value, file, name }: ConfiguredSecret,
): Promise<string> {
  if (value !== undefined) return value.reveal()
  return file === '' ? '' : readTrimmed(readFile, file, name)
}

/**
 * The trimmed content of a configured file.
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
