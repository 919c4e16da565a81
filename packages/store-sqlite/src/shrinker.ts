import type { Logger } from '@gatehouse/core'
import type { Connection } from './connection.ts'
import { messageOf } from './errors.ts'

/** Gives space that removed records left behind back to the file system, in small steps. */
export interface Shrinker {
  /** Makes a step, or does nothing. To be called after a commit. */
  step(): void
}

/** Commits between two looks at the free pages. */
const lookAfter = 64
/** Pages given back by one step: about a millisecond. */
const pagesPerStep = 64
/** Free pages that are kept for the next records: an eighth of the file, and never less than a megabyte. */
const kept = { least: 256, share: 1 / 8 }

/** A {@link Shrinker}. It does nothing where the database was made without `auto_vacuum`. */
export function createShrinker(connection: Connection, logger: Logger): Shrinker {
  const { auto_vacuum: mode } = connection.get('PRAGMA auto_vacuum') as { auto_vacuum: number }
  const pragma = (name: 'freelist_count' | 'page_count'): number =>
    (connection.get(`PRAGMA ${name}`) as Record<typeof name, number>)[name]
  let left = lookAfter

  const shrink = (): void => {
    const free = pragma('freelist_count')
    if (free <= Math.max(kept.least, pragma('page_count') * kept.share)) return
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
        // The commit before it is made. The space is given back later.
        logger.debug({ error: messageOf(error) }, 'could not shrink the database file')
      }
    },
  }
}

/** The value of `PRAGMA auto_vacuum` for a file that shrinks on demand. */
export const incremental = 2
