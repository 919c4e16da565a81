import {
  type Changes,
  type ChangeTail,
  createChangeTail,
  type Instant,
  type Revision,
} from '@gatehouse/core/store'
import type { Connection } from './connection.ts'
import {
  type CommittedChange,
  createFeedTable,
  type FeedTable,
  type FeedTableOptions,
} from './feed-table.ts'

/** The change feed of one collection: its table, and the newest part of it in memory. */
export interface Feed extends Pick<FeedTable, 'record'> {
  /**
   * Adds a commit of this connection to memory, after its transaction. `epoch` shows whether other connections committed in
   * between.
   */
  remember(epoch: number, change: CommittedChange): void
  /** The changes since a revision. `epoch` changes whenever other connections have committed. */
  changes(since: Revision, epoch: number, now: Instant): Changes
}

/** How far back memory reaches, in ids and commits. Keeping more alive makes garbage collection more expensive. */
const tailWeight = 20_000

/** Creates the {@link Feed} over a table that exists and is not empty. */
export function createFeed(connection: Connection, options: FeedTableOptions): Feed {
  const table = createFeedTable(connection, options)
  let tail: ChangeTail | undefined
  /** The tail is empty while it ends where it began. */
  let tailFrom = 0
  let tailEpoch = -1

  const createTail = (from: Revision): ChangeTail => {
    tailFrom = from
    return createChangeTail({ from, limit: tailWeight })
  }

  /** Updates the tail with everything that the current transaction sees. */
  const catchUp = (now: Instant): ChangeTail => {
    const change = tail && table.since(tail.revision, now)
    if (tail === undefined || change === undefined) {
      tail = createTail(table.newest())
    } else if (change.revision > tail.revision) {
      tail.append(change.revision, change.written, change.removed)
    }
    return tail
  }

  /**
   * Lets an empty tail begin with a change that was read from the table. Several views read a collection when a process starts;
   * then only the first one reads the file, and they share the records.
   */
  const keepIfEmpty = (since: Revision, change: CommittedChange): void => {
    if (tail === undefined || tail.revision > tailFrom) return
    tail = createTail(since)
    tail.append(change.revision, change.written, change.removed)
  }

  /** Returns the tail, updated to the present. */
  const current = (epoch: number, now: Instant): ChangeTail => {
    if (tail !== undefined && tailEpoch === epoch) return tail
    const caughtUp = connection.read(() => catchUp(now))
    tailEpoch = epoch
    return caughtUp
  }

  return {
    record: table.record,

    remember(epoch, { revision, written, removed }) {
      if (tailEpoch === epoch) tail?.append(revision, written, removed)
    },

    changes(since, epoch, now) {
      return (
        current(epoch, now).since(since) ??
        // Read in the same transaction as the tail; otherwise a reader between two revisions would get records twice.
        connection.read(() => {
          const { revision } = catchUp(now)
          const change = table.since(since, now)
          if (change === undefined) return { reset: true, revision }
          keepIfEmpty(since, change)
          return change
        })
      )
    },
  }
}
