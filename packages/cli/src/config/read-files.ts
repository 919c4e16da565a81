import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { findFiles, isGlob } from './find-files.ts'

/** Reads the files of a configuration, and records their digests. */
export interface ReadFiles {
  /** The bytes of a file. @throws {Error} of Node */
  read(path: string): Promise<Buffer>
  /** Its text, synchronously. @throws {Error} of Node */
  readTextNow(path: string): string
  /** The files that match a glob, as {@link findFiles}. */
  find(glob: string): Promise<readonly string[]>
  /** The digest of every file read and of every list of matching files, by absolute path. */
  readonly digests: ReadonlyMap<string, string>
}

/** The digest of a file's content. */
export function digestOf(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('base64')
}

/** The digest of a file that could not be read. */
export const noDigest = ''

const listed = 'list:'

/** Whether a digest is one of a list of matching files. */
export const isListing = (digest: string): boolean => digest.startsWith(listed)

/** The digest of a list of matching files. */
export function listingOf(found: readonly string[]): string {
  return `${listed}${digestOf(Buffer.from(found.join('\0')))}`
}

/** The files of a list of paths, of which some may be globs. */
export async function pathsOf(
  paths: readonly string[],
  files: ReadFiles,
): Promise<readonly string[]> {
  const found: string[] = []
  for (const path of paths) found.push(...(isGlob(path) ? await files.find(path) : [path]))
  return [...new Set(found)]
}

/** Starts to record the files of one configuration. */
export function createReadFiles(): ReadFiles {
  const digests = new Map<string, string>()
  const remember = (path: string, content: Buffer): Buffer => {
    digests.set(resolve(path), digestOf(content))
    return content
  }
  const missed = (path: string): void => void digests.set(resolve(path), noDigest)
  return {
    digests,
    async read(path) {
      // Until it is read, or for good if it cannot be.
      missed(path)
      return remember(path, await readFile(path))
    },
    readTextNow(path) {
      missed(path)
      return remember(path, readFileSync(path)).toString('utf8')
    },
    async find(glob) {
      const found = await findFiles(glob)
      digests.set(resolve(glob), listingOf(found))
      return found
    },
  }
}
