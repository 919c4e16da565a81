import { existsSync, linkSync, renameSync } from 'node:fs'

/**
 * Gives a whole file its name, unless that is taken. The draft may stay under its own name, for the caller to remove.
 *
 * @throws {Error} if the name is taken.
 */
export function publishFile(draft: string, filename: string): void {
  try {
    linkSync(draft, filename)
  } catch (error) {
    // Not every file system has hard links.
    if (existsSync(filename)) throw isThere(filename)
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw error
    renameSync(draft, filename)
  }
}

/** @throws {Error} if there is a file of this name. */
export function refuseExisting(filename: string): void {
  if (existsSync(filename)) throw isThere(filename)
}

const isThere = (filename: string): Error =>
  new Error(`${filename} is there already: move it away, or name another file`)
