import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Makes a folder and those above it, unless they exist. Node.js can do this in one call, but that never returns where no folder can
 * be made, such as below `/proc`.
 *
 * @throws {Error} of the file system.
 */
export function makeFolder(path: string, mode = 0o777): void {
  if (existsSync(path)) return
  makeFolder(dirname(path), mode)
  try {
    mkdirSync(path, { mode })
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!existsSync(path)) throw error
  }
}
