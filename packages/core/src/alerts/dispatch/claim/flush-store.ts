import { together } from '../../../async/together.ts'
import type { TypedRecord } from '../../../storage/collection.ts'
import { isConflict, type Storage, type Version, type Write } from '../../../storage/storage.ts'
import type { Clock } from '../../../time/clock.ts'
import { logCollection, type StoredLog } from '../log/log.ts'
import { createRecentLogs, type RecentLogs } from '../log/recent-logs.ts'

/** Reads and writes of flushes. Concurrent ones share a commit, because a larger commit costs little more. */
export interface FlushStore {
  /** The log with an id of `logId()`. */
  log(id: string): Promise<TypedRecord<StoredLog> | undefined>
  /**
   * Commits the first writes of a flush; others join the same commit.
   *
   * @throws {GatehouseError} `StorageConflict` if one of these writes fails its precondition, independent of the others in the
   * commit.
   */
  begin(writes: readonly Write[]): Promise<readonly Version[]>
  /** The same for the last writes of a flush. */
  end(writes: readonly Write[]): Promise<readonly Version[]>
  readonly recentLogs: RecentLogs
}

/** The most flushes in one commit, so that no other commit waits long. */
const limit = 200
/** The number of logs that are cached. */
const maxRecent = 20_000

/** Called for each reading of logs with its duration in ms. */
type OnRead = (tookMs: number, isGood: boolean) => void

/** Creates a {@link FlushStore} over a storage. */
export function createFlushStore(
  storage: Storage,
  { clock, onRead }: { clock: Clock; onRead: OnRead },
): FlushStore {
  const read = async (ids: readonly string[]): ReturnType<typeof readLogs> => {
    const since = clock.monotonic()
    let isGood = false
    try {
      const logs = await readLogs(storage, ids)
      isGood = true
      return logs
    } finally {
      onRead(clock.monotonic() - since, isGood)
    }
  }

  const commitAll = (all: readonly (readonly Write[])[]): Promise<Commits> =>
    commitTogether(storage, all)
  return {
    log: together(read, { moment: 'now', limit }),
    begin: together(commitAll, { moment: 'now', limit }),
    end: together(commitAll, { moment: 'soon', limit }),
    recentLogs: createRecentLogs(maxRecent),
  }
}

async function readLogs(
  storage: Storage,
  ids: readonly string[],
): Promise<readonly PromiseSettledResult<TypedRecord<StoredLog> | undefined>[]> {
  const records = await logCollection.getAll(storage, ids)
  return records.map(fulfilled)
}

type Commits = readonly PromiseSettledResult<readonly Version[]>[]

/** Commits writes of several flushes. A failed precondition of one does not affect the others. */
async function commitTogether(
  storage: Storage,
  all: readonly (readonly Write[])[],
): Promise<Commits> {
  try {
    const left = [...(await storage.commit(all.flat()))]
    return all.map(({ length }) => fulfilled(left.splice(0, length)))
  } catch (error) {
    if (!isConflict(error) || all.length === 1) throw error
    return Promise.allSettled(all.map((writes) => storage.commit(writes)))
  }
}

const fulfilled = <T>(value: T): PromiseSettledResult<T> => ({ status: 'fulfilled', value })
