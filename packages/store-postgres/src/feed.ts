import {
  type Changes,
  type ChangeTail,
  createChangeTail,
  type Instant,
  type Revision,
  type StoredRecord,
} from '@gatehouse/core/store'
import type { Queryable } from './database.ts'
import {
  answered,
  asked,
  doubted,
  follows,
  saw,
  suffices,
  unanswered,
  unknownFeed,
} from './feed-knowledge.ts'
import { createFeedTable, type FeedMark, type FeedRead, type FeedTable } from './feed-table.ts'
import type { Names } from './names.ts'

/** The effect of one commit on one collection. */
export interface CommittedChange {
  readonly written: readonly StoredRecord[]
  readonly removed: readonly string[]
}

/** The change feed of one collection: its table, and the newest part of it in memory. */
export interface Feed extends Pick<FeedTable, 'record' | 'leave'> {
  /** Adds a commit of this process to memory, after its transaction. */
  remember(mark: FeedMark, change: CommittedChange): void
  /** Marks memory as stale: other processes may have committed. */
  doubt(): void
  /** The changes since a revision. Answered from memory unless another process has committed or one second has passed. */
  changes(on: Queryable, since: Revision, now: Instant): Promise<Changes>
  /** The same, if memory suffices. Returns the same promise until something changes, because views ask all the time. */
  remembered(since: Revision, now: Instant): Promise<Changes> | undefined
  /** Deletes rows older than the feed must reach back. Cheap if there are none. */
  trim(on: Queryable): Promise<void>
}

/** Creates the {@link Feed} over a table that exists and is not empty. */
export function createFeed(names: Names, collection: string): Feed {
  const table = createFeedTable(names, collection)
  const memory = createFeedMemory(table)
  /** The last answer to a reader that was up to date. */
  let answer: { revision: Revision; changes?: Promise<Changes> } = { revision: -1 }
  let newestWeight = 0

  return {
    record: table.record,
    leave: table.leave,

    remember({ revision, weight }, change) {
      newestWeight = Math.max(newestWeight, weight)
      memory.remember(revision, change)
    },

    doubt: memory.doubt,

    remembered(since, now) {
      const tail = memory.held(now)
      if (tail === undefined) return undefined
      const { revision } = tail
      if (since === revision && answer.revision === revision) return answer.changes
      const changes = tail.since(since)
      if (changes === undefined) return undefined
      const promise = Promise.resolve(changes)
      if (since === revision) answer = { revision, changes: promise }
      return promise
    },

    async changes(on, since, now) {
      const latest = await memory.current(on, now)
      const remembered = latest.since(since)
      if (remembered !== undefined) return remembered
      const isPast = Number.isSafeInteger(since) && since >= 0 && since <= latest.revision
      return isPast
        ? changesOf(await memory.readSince(on, since, now))
        : { reset: true, revision: latest.revision }
    },

    trim: (on) => table.trim(on, newestWeight),
  }
}

/** The newest part of a feed in memory. */
interface FeedMemory extends Pick<Feed, 'doubt'> {
  /** Adds a commit of this process. */
  remember(revision: Revision, change: CommittedChange): void
  /** The tail, if it can be used without asking the database. */
  held(now: Instant): ChangeTail | undefined
  /** The tail, at least up to the revision known when the call began. */
  current(on: Queryable, now: Instant): Promise<ChangeTail>
  /** Reads the table, for a reader whose revision is older than the tail. */
  readonly readSince: FeedTable['since']
}

/** Creates an empty {@link FeedMemory}. When it suffices is said in `feed-knowledge.ts`; this asks when it does not. */
function createFeedMemory(table: FeedTable): FeedMemory {
  let tail: ChangeTail | undefined
  let knowledge = unknownFeed
  let asking: Promise<ChangeTail> | undefined

  const readSince: FeedTable['since'] = async (on, since, now) => {
    const read = await table.since(on, since, now)
    knowledge = saw(knowledge, read.newest)
    return read
  }

  const readTail = async (on: Queryable, now: Instant): Promise<ChangeTail> => {
    tail =
      tail === undefined
        ? createChangeTail({ from: await table.newest(on) })
        : extended(tail, await readSince(on, tail.revision, now))
    return tail
  }

  /** Asks the database. Calls made meanwhile must ask again. */
  const ask = (on: Queryable, now: Instant): Promise<ChangeTail> => {
    knowledge = asked(knowledge, now)
    asking = readTail(on, now).then(
      (read) => {
        asking = undefined
        knowledge = answered(knowledge, read.revision)
        return read
      },
      (error: unknown) => {
        asking = undefined
        knowledge = unanswered(knowledge)
        throw error
      },
    )
    return asking
  }

  return {
    readSince,

    remember(revision, { written, removed }) {
      knowledge = saw(knowledge, revision)
      if (follows(knowledge, tail?.revision, revision)) tail?.append(revision, written, removed)
    },

    doubt() {
      knowledge = doubted(knowledge)
    },

    held: (now) =>
      !knowledge.isAsking && suffices(knowledge, tail?.revision, { now }) ? tail : undefined,

    async current(on, now) {
      const needed = knowledge.known
      // A query that began before this call may have an answer that is too old. If it fails, this call tries itself.
      if (asking !== undefined) await asking.catch(() => undefined)
      if (tail !== undefined && suffices(knowledge, tail.revision, { needed, now })) return tail
      return asking ?? ask(on, now)
    },
  }
}

/** The tail with what was read since its end, or another one if that is too long ago. */
function extended(tail: ChangeTail, { newest, commits }: FeedRead): ChangeTail {
  if (commits === undefined) return createChangeTail({ from: newest })
  for (const { revision, written, removed } of commits) tail.append(revision, written, removed)
  return tail
}

function changesOf({ newest, commits }: FeedRead): Changes {
  if (commits === undefined) return { reset: true, revision: newest }
  return {
    revision: newest,
    written: commits.flatMap(({ written }) => written),
    removed: commits.flatMap(({ removed }) => removed),
  }
}
