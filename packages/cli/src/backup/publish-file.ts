import { existsSync, linkSync, renameSync } from 'node:fs'

/**
 * Gives a finished file its name, unless the name is taken. The draft may remain under its own name for the caller to remove.
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

/** @throws {Error} if a file with this name exists. */
export function refuseExisting(filename: string): void {
  if (existsSync(filename)) throw isThere(filename)
}

const isThere = (filename: string): Error =>
  new Error(`${filename} already exists: move it away, or choose another name`)
