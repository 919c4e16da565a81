import type { TypedRecord } from '../../../storage/collection.ts'
import type { Version } from '../../../storage/storage.ts'
import type { StoredLog } from './log.ts'

/** The id and version of a stored group. */
export interface GroupMark {
  readonly id: string
  readonly version: Version
}

/** Caches logs as this process left them, so that the next flush of a group need not read its log again. */
export interface RecentLogs {
  /**
   * The log of a group, if the group is as this process left it and no other group used the same log here since. Another process
   * may have used it, so a write must state the version it is based on.
   */
  get(group: GroupMark): TypedRecord<StoredLog> | undefined
  set(group: GroupMark, log: TypedRecord<StoredLog>): void
  forget(groupId: string): void
}

interface Recent {
  readonly version: Version
  readonly log: TypedRecord<StoredLog>
}

/**
 * Creates an empty cache.
 *
 * @param limit of groups whose logs are kept at least, the most recently notified; at most as many others are kept too.
 */
export function createRecentLogs(limit: number): RecentLogs {
  // Two generations: in a single map, finding the oldest entry would skip all deleted entries before it.
  let recent = new Map<string, Recent>()
  let older = new Map<string, Recent>()
  /** The last group that used a log, by log. */
  const lastGroups = new Map<string, string>()

  const find = (groupId: string): Recent | undefined => recent.get(groupId) ?? older.get(groupId)

  const forget = (groupId: string): void => {
    const known = find(groupId)
    if (known === undefined) return
    recent.delete(groupId)
    older.delete(groupId)
    if (lastGroups.get(known.log.id) === groupId) lastGroups.delete(known.log.id)
  }

  const age = (): void => {
    for (const groupId of [...older.keys()]) forget(groupId)
    older = recent
    recent = new Map()
  }

  return {
    get({ id, version }) {
      const known = find(id)
      return known?.version === version && lastGroups.get(known.log.id) === id
        ? known.log
        : undefined
    },

    set({ id, version }, log) {
      older.delete(id)
      recent.set(id, { version, log })
      lastGroups.set(log.id, id)
      if (recent.size >= limit) age()
    },

    forget,
  }
}
