import type { Logger } from '@gatehouse/core/store'
import { type Connection, readPragma } from './connection.ts'
import { messageOf } from './errors.ts'

/** Returns the space of removed records to the file system, in small steps. */
export interface Shrinker {
  /** Makes a step if there is enough free space. Call it after each commit. */
  step(): void
}

/** The number of commits between two checks of the free pages. */
const lookAfter = 64
/** Pages returned by one step, which takes about a millisecond. */
const pagesPerStep = 64
/** Free pages to keep for new records: an eighth of the file, and at least a megabyte. */
const kept = { least: 256, share: 1 / 8 }

/** Creates a {@link Shrinker}. It does nothing if the database was created without `auto_vacuum`. */
export function createShrinker(connection: Connection, logger: Logger): Shrinker {
  const mode = readPragma(connection, 'auto_vacuum')
  let left = lookAfter

  const shrink = (): void => {
    const free = readPragma(connection, 'freelist_count')
    if (free <= Math.max(kept.least, readPragma(connection, 'page_count') * kept.share)) return
    connection.exec(`PRAGMA incremental_vacuum(${pagesPerStep})`)
    left = 1
  }

  return {
    step() {
      if (mode !== incremental || --left > 0) return
      left = lookAfter
      try {
        shrink()
      } catch (error) {
        // The commit before it has succeeded. The space is returned later.
        logger.debug({ error: messageOf(error) }, 'could not shrink the database file')
      }
    },
  }
}

/** The value of `PRAGMA auto_vacuum` for a file that shrinks on demand. */
export const incremental = 2
