import type { Clock, Instant, Logger } from '@gatehouse/core/store'
import type { Connection } from './connection.ts'
import { isFull } from './errors.ts'
import type { Reserve } from './reserve.ts'

/** Makes room on a full disk, if possible. */
export interface Room {
  /** Runs a commit. If the disk is full, makes room and tries once more. */
  use<T>(commit: () => T): T
}

/** Options of {@link createRoom}. */
export interface RoomOptions {
  reserve: Reserve
  clock: Clock
  logger: Logger
  filename: string
}

/** On a disk that stays full, the milliseconds between attempts to make room. */
const lookAgainMs = 1_000
/** The least milliseconds between a full disk and a new reserve. */
const keepAgainMs = 60_000

/** Creates a {@link Room} for the commits of one connection. */
export function createRoom(connection: Connection, options: RoomOptions): Room {
  const { reserve, clock, logger, filename } = options
  let fullAt: Instant | undefined
  reserve.keep()

  /** Moves the write-ahead log into the file. The log then starts over, and its space on the disk is enough for many commits. */
  const makeRoom = (): void => {
    if (reserve.release()) {
      logger.warn({ filename }, 'the disk is full: deleted the reserve file beside the database')
    }
    try {
      connection.exec('PRAGMA wal_checkpoint(PASSIVE)')
    } catch (error) {
      // The file cannot grow, so the log keeps its content.
      if (!isFull(error)) throw error
    }
  }

  const afterCommit = (): void => {
    if (fullAt === undefined || Math.abs(clock.now() - fullAt) < keepAgainMs) return
    fullAt = undefined
    reserve.keep()
  }

  return {
    use(commit) {
      try {
        const result = commit()
        afterCommit()
        return result
      } catch (error) {
        const now = clock.now()
        const isSoon = fullAt !== undefined && Math.abs(now - fullAt) < lookAgainMs
        if (!isFull(error) || isSoon) throw error
        fullAt = now
        makeRoom()
        return commit()
      }
    },
  }
}
