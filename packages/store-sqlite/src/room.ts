import type { Clock, Instant, Logger } from '@gatehouse/core'
import type { Connection } from './connection.ts'
import { isFull } from './errors.ts'
import type { Reserve } from './reserve.ts'

/** Makes room on a full disk, as far as that goes. */
export interface Room {
  /** Makes a commit. If the disk is full, makes room and tries once more. */
  use<T>(commit: () => T): T
}

/** Options of {@link createRoom}. */
export interface RoomOptions {
  reserve: Reserve
  clock: Clock
  logger: Logger
  filename: string
}

/** On a disk that stays full, room is looked for so often. */
const lookAgainMs = 1_000
/** After a full disk the reserve is made again no sooner. */
const keepAgainMs = 60_000

/** {@link Room} for the commits of one connection. */
export function createRoom(connection: Connection, options: RoomOptions): Room {
  const { reserve, clock, logger, filename } = options
  let fullAt: Instant | undefined
  reserve.keep()

  /** The write-ahead log begins anew once it is in the file; what it takes of the disk is enough for many commits. */
  const makeRoom = (): void => {
    if (reserve.release()) {
      logger.warn({ filename }, 'the disk is full: gave up the reserve beside the database')
    }
    try {
      connection.exec('PRAGMA wal_checkpoint(PASSIVE)')
    } catch (error) {
      // The file cannot grow. What is in the log stays there.
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
