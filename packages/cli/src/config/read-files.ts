import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'

/** Reads the files of a configuration, and remembers which they were and what they held. */
export interface ReadFiles {
  /** The bytes of a file. @throws {Error} of Node */
  read(path: string): Promise<Buffer>
  /** Its text, at once. @throws {Error} of Node */
  readTextNow(path: string): string
  /** The digest of every file that was read, by its absolute path. */
  readonly digests: ReadonlyMap<string, string>
}

/** What a content is known by; two that differ have two digests. */
export function digestOf(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('base64')
}

/** Begins to read the files of one configuration. */
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
