import { isGatehouseError } from '../errors.ts'
import type { Logger } from '../logger.ts'
import type { Clock } from '../time/clock.ts'
import type { ReadableCollection } from './collection.ts'
import {
  type Changes,
  type Collection,
  isConflict,
  type Json,
  type Revision,
  type Storage,
  type StoredRecord,
  storageConflict,
  type Version,
  type Write,
} from './storage.ts'

/** Options of {@link keepRefusedWrites}. */
export interface RefusedWritesOptions {
  /** Only commits to these collections alone are kept. */
  collections: readonly ReadableCollection[]
  clock: Clock
  logger: Logger
  /** Called with the number of records kept in memory. */
  onKept: (count: number) => void
}

/** A record that is not in the storage yet. */
interface Kept {
  readonly collection: ReadableCollection
  readonly id: string
  /** `undefined` for a removal. */
  readonly value: Json | undefined
  readonly expiresAt: number | undefined
  readonly version: Version
  /** The version in the storage when it refused the write. */
  readonly base: Version | 'absent'
  /** Increases with every kept write. */
  readonly place: number
}

/** The position of a reader of changes: in the feed of the storage, and among the kept writes. */
interface Standing {
  readonly revision: Revision
  readonly place: number
}

/** Milliseconds between attempts to store. */
const tryAgainMs = 1_000
/** Milliseconds between log lines, if the disk has a little room now and then. */
const logAgainMs = 60_000
/** The number of records in one commit. */
const batchSize = 500
/** How many positions of readers to remember. A reader further behind gets a reset. */
const mostStandings = 1_000

/** Error reasons which mean that a commit failed and that the next one will fail too. */
const refusals = new Set(['StorageFull', 'StorageReadOnly'])

/**
 * Wraps a storage so that it goes on in memory while the storage refuses writes, as on a full disk. Refused writes are kept in
 * memory, can be read and followed as if they were stored, and are stored once the storage accepts writes again. If another
 * process has changed a record by then, its change wins. Kept writes are lost when the process ends, and other processes do not
 * see them.
 *
 * Use it only for records whose loss merely repeats work. `find` does not see kept writes.
 */
export function keepRefusedWrites(storage: Storage, options: RefusedWritesOptions): Storage {
  const { clock, logger, onKept } = options
  const known = new Map(options.collections.map((one) => [one.name, one]))
  const kept = new Map<string, Kept>()
  /** The stored version for each version given in memory. */
  let stored = new Map<Version, Version>()
  /** Kept records that were dropped because another process had changed them. */
  const givenUp = new Map<string, Pick<Kept, 'collection' | 'id' | 'place'>>()
  const standings = new Map<Revision, Standing>()
  let place = 0
  let triedAt = 0
  let loggedAt = Number.NEGATIVE_INFINITY
  let isLogged = false
  let turn: Promise<unknown> = Promise.resolve()

  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = turn.then(work, work)
    turn = mine.catch(() => undefined)
    return mine
  }
  const mayKeep = (writes: readonly Write[]): boolean =>
    writes.every(({ collection }) => known.has(collection.name))

  const currentOf = async (
    collection: Collection,
    id: string,
  ): Promise<{ version: Version | 'absent'; base: Version | 'absent' }> => {
    const entry = kept.get(keyOf(collection, id))
    if (entry !== undefined) {
      const { version, base } = entry
      return { version: isLive(entry, clock.now()) ? version : 'absent', base }
    }
    const [record] = await storage.get(collection, [id])
    const version = record?.version ?? 'absent'
    return { version, base: version }
  }

  /** @throws {GatehouseError} `StorageConflict` as the storage does; then nothing is kept. */
  const keep = async (writes: readonly Write[]): Promise<readonly Version[]> => {
    const current = await Promise.all(writes.map(({ collection, id }) => currentOf(collection, id)))
    for (const [index, write] of writes.entries()) {
      const expected = preconditionOf(write)
      if (
        expected !== undefined &&
        (stored.get(expected) ?? expected) !== current[index]?.version
      ) {
        throw storageConflict(write.collection, write.id)
      }
    }
    place++
    const versions = writes.map((write, index) => {
      if ('check' in write) return ''
      const { id, value } = write
      const collection = known.get(write.collection.name)
      if (collection === undefined) return ''
      const version = `memory-${place}`
      const expiresAt = value === undefined ? undefined : write.expiresAt
      const base = current[index]?.base ?? 'absent'
      kept.set(keyOf(collection, id), { collection, id, value, expiresAt, version, base, place })
      return value === undefined ? '' : version
    })
    onKept(kept.size)
    return versions
  }

  const begin = (error: unknown): void => {
    if (kept.size > 0) return
    triedAt = clock.monotonic()
    isLogged = triedAt - loggedAt >= logAgainMs
    if (!isLogged) return
    loggedAt = triedAt
    logger.warn(
      { error: String(error) },
      'the storage refuses writes: notifications go on from memory, and may be sent again after a restart',
    )
  }

  const drop = (entries: readonly Kept[]): void => {
    for (const { collection, id } of entries) kept.delete(keyOf(collection, id))
    onKept(kept.size)
    if (kept.size === 0 && isLogged)
      logger.info({}, 'the storage accepts writes again: notifications are stored')
  }

  /** Stores or drops the batch and returns true; false if the storage still refuses. */
  const storeBatch = async (entries: readonly Kept[]): Promise<boolean> => {
    const writing = entries.filter(({ value, base }) => value !== undefined || base !== 'absent')
    try {
      const versions = await storage.commit(writing.map(toWrite))
      for (const [index, { version }] of writing.entries()) {
        stored.set(version, versions[index] ?? '')
      }
      drop(entries)
      return true
    } catch (error) {
      if (!isGatehouseError(error)) throw error
      if (!isConflict(error)) return false
      const { collection, id } = error.info
      const lost = writing.find((entry) => entry.collection.name === collection && entry.id === id)
      if (lost === undefined) return false
      givenUp.set(keyOf(lost.collection, lost.id), { ...lost, place: ++place })
      drop([lost])
      return true
    }
  }

  /** @returns whether all kept writes are stored or dropped. */
  const store = async (): Promise<boolean> => {
    const now = clock.monotonic()
    if (kept.size === 0) return true
    if (now - triedAt < tryAgainMs) return false
    triedAt = now
    stored = new Map()
    while (kept.size > 0) {
      if (!(await storeBatch([...kept.values()].slice(0, batchSize)))) return false
    }
    return true
  }

  const commitNow = async (writes: readonly Write[]): Promise<readonly Version[]> => {
    try {
      return await storage.commit(stored.size === 0 ? writes : writes.map(withStoredVersion))
    } catch (error) {
      if (!isRefusal(error) || !mayKeep(writes)) throw error
      begin(error)
      return keep(writes)
    }
  }

  const withStoredVersion = (write: Write): Write => {
    const expected = preconditionOf(write)
    const version = expected === undefined ? undefined : stored.get(expected)
    if (version === undefined) return write
    return 'check' in write ? { ...write, check: version } : { ...write, if: version }
  }

  const standAt = (revision: Revision, standing: Standing): Revision => {
    standings.delete(revision)
    standings.set(revision, standing)
    const [oldest] = standings
    if (standings.size > mostStandings && oldest !== undefined) {
      const [past, { place: passed }] = oldest
      standings.delete(past)
      for (const [key, lost] of givenUp) if (lost.place <= passed) givenUp.delete(key)
    }
    return revision
  }

  const changes = async (collection: Collection, since: Revision): Promise<Changes> => {
    await inTurn(store)
    const from = standings.get(since) ?? { revision: since, place: 0 }
    const found = await storage.changes(collection, from.revision)
    const { revision } = found
    const next = revision + place
    if ('reset' in found) return { reset: true, revision: standAt(next, { revision, place: 0 }) }
    const isOurs = (one: { collection: Collection; place: number }): boolean =>
      one.collection.name === collection.name && one.place > from.place
    const news = [...kept.values()].filter(isOurs)
    const lost = [...givenUp.values()].filter(isOurs).map(({ id }) => id)
    standAt(next, { revision, place })
    const given = await storage.get(collection, lost)
    const isStored = (id: string): boolean => !kept.has(keyOf(collection, id))
    const live = news.flatMap((entry) => toRecord(entry, clock.now()) ?? [])
    const liveIds = new Set(live.map(({ id }) => id))
    return {
      revision: next,
      written: [
        ...found.written.filter(({ id }) => isStored(id) && !lost.includes(id)),
        ...given.flatMap((record) => record ?? []),
        ...live,
      ],
      removed: [
        ...found.removed.filter((id) => isStored(id) && !lost.includes(id)),
        ...lost.filter((_, index) => given[index] === undefined),
        ...news.map(({ id }) => id).filter((id) => !liveIds.has(id)),
      ],
    }
  }

  return {
    async get(collection, ids) {
      const records = await storage.get(collection, ids)
      if (kept.size === 0) return records
      return records.map((record, index) => {
        const entry = kept.get(keyOf(collection, ids[index] ?? ''))
        return entry === undefined ? record : toRecord(entry, clock.now())
      })
    },

    find: (collection, query) => storage.find(collection, query),

    commit(writes) {
      if (kept.size === 0) return commitNow(writes)
      return inTurn(async () => {
        if ((await store()) || !mayKeep(writes)) return commitNow(writes)
        return keep(writes)
      })
    },

    changes(collection, since) {
      if (place === 0 || !known.has(collection.name)) return storage.changes(collection, since)
      return changes(collection, since)
    },

    close: () => storage.close(),
  }
}

const keyOf = ({ name }: Collection, id: string): string => `${name} ${id}`

const isRefusal = (error: unknown): boolean => isGatehouseError(error) && refusals.has(error.reason)

const preconditionOf = (write: Write): Version | undefined =>
  'check' in write ? write.check : write.if

const isLive = ({ value, expiresAt }: Kept, now: number): boolean =>
  value !== undefined && (expiresAt === undefined || expiresAt > now)

/** The record as the storage would return it, without the marker of its shape. */
function toRecord(entry: Kept, now: number): StoredRecord | undefined {
  const { collection, id, value, version, expiresAt } = entry
  if (value === undefined || !isLive(entry, now)) return undefined
  const expiry = expiresAt === undefined ? {} : { expiresAt }
  const decoded = collection.decode({ id, value, version, ...expiry })
  return typeof decoded === 'string' ? undefined : decoded
}

function toWrite({ collection, id, value, expiresAt, base }: Kept): Write {
  if (value !== undefined) {
    return { collection, id, value, if: base, ...(expiresAt === undefined ? {} : { expiresAt }) }
  }
  return base === 'absent' ? { collection, id, check: base } : { collection, id, value, if: base }
}
