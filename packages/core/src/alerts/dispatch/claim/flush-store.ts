import { together } from '../../../async/together.ts'
import type { TypedRecord } from '../../../storage/collection.ts'
import { isConflict, type Storage, type Version, type Write } from '../../../storage/storage.ts'
import { logCollection, type StoredLog } from '../log/log.ts'
import { createRecentLogs, type RecentLogs } from '../log/recent-logs.ts'

/** How flushes read and write: those that are at the same point do it together, as one commit costs little more than none. */
export interface FlushStore {
  /** What is logged under an id of `logId()`. */
  log(id: string): Promise<TypedRecord<StoredLog> | undefined>
  /**
   * Commits what one flush begins with; others begin in the same commit.
   *
   * @throws {GatehouseError} `StorageConflict` if one of these writes cannot be made, whatever becomes of the others.
   */
  begin(writes: readonly Write[]): Promise<readonly Version[]>
  /** The same of what a flush came to. */
  end(writes: readonly Write[]): Promise<readonly Version[]>
  readonly recentLogs: RecentLogs
}

/** How many flushes share a commit at most, so that no other waits long. */
const limit = 200
/** How many logs are at hand without being read. */
const mostRecent = 20_000

/** A {@link FlushStore} over a storage. */
export function createFlushStore(storage: Storage): FlushStore {
  const commitAll = (all: readonly (readonly Write[])[]): Promise<Commits> =>
    commitTogether(storage, all)
  return {
    log: together((ids: readonly string[]) => readLogs(storage, ids), { moment: 'now', limit }),
    begin: together(commitAll, { moment: 'now', limit }),
    end: together(commitAll, { moment: 'soon', limit }),
    recentLogs: createRecentLogs(mostRecent),
  }
}

async function readLogs(
  storage: Storage,
  ids: readonly string[],
): Promise<readonly PromiseSettledResult<TypedRecord<StoredLog> | undefined>[]> {
  const records = await storage.get(logCollection, ids)
  // Only the dispatcher writes to this collection.
  return (records as unknown as (TypedRecord<StoredLog> | undefined)[]).map(fulfilled)
}

type Commits = readonly PromiseSettledResult<readonly Version[]>[]

/** One of them that cannot be made keeps no other from being made. */
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
