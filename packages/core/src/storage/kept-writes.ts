import { isGatehouseError } from '../errors.ts'
import type { Clock } from '../time/clock.ts'
import type { ReadableCollection } from './collection.ts'
import {
  type BeforeWrite,
  type GivenUp,
  isLive,
  type Kept,
  keptFor,
  keyOf,
  mergedChanges,
  type Standing,
  toWrite,
  withStoredVersion,
} from './kept-write.ts'
import {
  type Changes,
  type Collection,
  isConflict,
  type Revision,
  type Storage,
  type Version,
  type Write,
} from './storage.ts'

/** The writes that a storage refused, until it takes them. Calls of `store` must not overlap. */
export interface KeptWrites {
  readonly size: number
  find(collection: Collection, id: string): Kept | undefined
  /** Whether these writes may be kept. */
  mayKeep(writes: readonly Write[]): boolean
  /** @throws {GatehouseError} `StorageConflict` as the storage does; then nothing is kept. */
  keep(writes: readonly Write[]): Promise<readonly Version[]>
  /** The writes with the versions that the storage gave to what was kept. */
  asStored(writes: readonly Write[]): readonly Write[]
  /** Tries to store what is kept, now and then. Returns whether all kept writes are stored or dropped. */
  store(): Promise<boolean>
  /** Whether the changes of a collection may contain kept writes. */
  follows(collection: Collection): boolean
  /** The changes of such a collection. */
  changes(collection: Collection, since: Revision): Promise<Changes>
}

/** Options of {@link createKeptWrites}. */
export interface KeptWritesOptions {
  /** Only commits to these collections alone are kept. */
  collections: readonly ReadableCollection[]
  clock: Clock
  /** Called when the number of records in memory may have changed. */
  onSize: (size: number) => void
}

/** Milliseconds between attempts to store. */
const tryAgainMs = 1_000
/** The number of records in one commit. */
const batchSize = 500
/** How many positions of readers to remember. A reader further behind gets a reset. */
const maxStandings = 1_000

/** Creates {@link KeptWrites} without any. */
export function createKeptWrites(storage: Storage, options: KeptWritesOptions): KeptWrites {
  const { clock, onSize } = options
  const collections = new Map(options.collections.map((one) => [one.name, one]))
  const kept = new Map<string, Kept>()
  /** The stored version for each version given in memory. */
  let stored = new Map<Version, Version>()
  const readers = createReaders()
  let place = 0
  let triedAt = 0

  const drop = (entries: readonly Kept[]): void => {
    for (const { collection, id } of entries) kept.delete(keyOf(collection, id))
    onSize(kept.size)
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
      const { collection, id } = isConflict(error) ? error.info : {}
      const lost = writing.find((entry) => entry.collection.name === collection && entry.id === id)
      if (lost === undefined) return false
      readers.giveUp({ ...lost, place: ++place })
      drop([lost])
      return true
    }
  }

  return {
    get size() {
      return kept.size
    },

    find: (collection, id) => kept.get(keyOf(collection, id)),
    mayKeep: (writes) => writes.every(({ collection }) => collections.has(collection.name)),

    async keep(writes) {
      const current = await Promise.all(
        writes.map((write) => beforeWrite(write, kept, { storage, now: clock.now() })),
      )
      const entries = keptFor(writes, current, { collections, stored, place: place + 1 })
      place++
      if (kept.size === 0) triedAt = clock.monotonic()
      for (const entry of entries) {
        if (entry !== undefined) kept.set(keyOf(entry.collection, entry.id), entry)
      }
      if (kept.size > 0) onSize(kept.size)
      return entries.map((entry) => (entry?.value === undefined ? '' : entry.version))
    },

    asStored: (writes) =>
      stored.size === 0 ? writes : writes.map((write) => withStoredVersion(write, stored)),

    async store() {
      const now = clock.monotonic()
      if (kept.size === 0) return true
      if (now - triedAt < tryAgainMs) return false
      triedAt = now
      stored = new Map()
      while (kept.size > 0) {
        if (!(await storeBatch([...kept.values()].slice(0, batchSize)))) return false
      }
      return true
    },

    follows: ({ name }) => place > 0 && collections.has(name),

    async changes(collection, since) {
      const from = readers.at(since)
      const found = await storage.changes(collection, from.revision)
      const { revision } = found
      const next = revision + place
      if ('reset' in found) {
        readers.stand(next, { revision, place: 0 })
        return { reset: true, revision: next }
      }
      const isNew = (one: GivenUp): boolean =>
        one.collection.name === collection.name && one.place > from.place
      const news = [...kept.values()].filter(isNew)
      const lost = readers
        .givenUp()
        .filter(isNew)
        .map(({ id }) => id)
      readers.stand(next, { revision, place })
      const given = await storage.get(collection, lost)
      const isStored = (id: string): boolean => !kept.has(keyOf(collection, id))
      return mergedChanges({ found, news, lost, given, isStored, now: clock.now() }, next)
    },
  }
}

/** A record as readers see it now, and as the storage has it. */
async function beforeWrite(
  { collection, id }: Write,
  kept: ReadonlyMap<string, Kept>,
  { storage, now }: { storage: Storage; now: number },
): Promise<BeforeWrite> {
  const entry = kept.get(keyOf(collection, id))
  if (entry !== undefined) {
    return { version: isLive(entry, now) ? entry.version : 'absent', base: entry.base }
  }
  const [record] = await storage.get(collection, [id])
  const version = record?.version ?? 'absent'
  return { version, base: version }
}

/** The positions of readers, and what was given up since the earliest of them. */
function createReaders() {
  const givenUp = new Map<string, GivenUp>()
  const standings = new Map<Revision, Standing>()
  return {
    givenUp: (): GivenUp[] => [...givenUp.values()],
    giveUp(entry: GivenUp): void {
      givenUp.set(keyOf(entry.collection, entry.id), entry)
    },
    at: (since: Revision): Standing => standings.get(since) ?? { revision: since, place: 0 },
    stand(revision: Revision, standing: Standing): void {
      standings.delete(revision)
      standings.set(revision, standing)
      const [oldest] = standings
      if (standings.size <= maxStandings || oldest === undefined) return
      const [past, { place: passed }] = oldest
      standings.delete(past)
      for (const [key, lost] of givenUp) if (lost.place <= passed) givenUp.delete(key)
    },
  }
}
