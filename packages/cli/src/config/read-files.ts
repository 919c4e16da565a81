import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'

/** Reads the files of a configuration, and records their digests. */
export interface ReadFiles {
  /** The bytes of a file. @throws {Error} of Node */
  read(path: string): Promise<Buffer>
  /** Its text, synchronously. @throws {Error} of Node */
  readTextNow(path: string): string
  /** The digest of every file read, by its absolute path. */
  readonly digests: ReadonlyMap<string, string>
}

/** The digest of a file's content. */
export function digestOf(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('base64')
}

/** Starts to record the files of one configuration. */
export function createReadFiles(): ReadFiles {
  const digests = new Map<string, string>()
  const remember = (path: string, content: Buffer): Buffer => {
    digests.set(resolve(path), digestOf(content))
    return content
  }
  return {
    digests,
    read: async (path) => remember(path, await readFile(path)),
    readTextNow: (path) => remember(path, readFileSync(path)).toString('utf8'),
  }
}
