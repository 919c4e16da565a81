import { afterEach, beforeEach } from 'vitest'
import { defineCollection, type TypedCollection } from '../../storage/collection.ts'
import type { Changes, Collection, Revision, Storage, StoredRecord } from '../../storage/storage.ts'
import { createManualClock, type ManualClock } from '../../testing/manual-clock.ts'

/** A store under test. */
export interface StorageHarness {
  readonly storage: Storage
  /** Frees the resources of the factory, after all storages are closed. */
  release?(): Promise<void>
}

/** A store under test that can be opened again. */
export interface SharedStorageHarness extends StorageHarness {
  /** Opens another connection to the same data, on the same clock. */
  another(): Promise<Storage>
}

/** Creates an empty store on the given clock. */
export type StorageFactory = (clock: ManualClock) => Promise<Storage | StorageHarness>

/** Creates an empty store on the given clock, which can be opened again. */
export type SharedStorageFactory = (clock: ManualClock) => Promise<SharedStorageHarness>

/** The store of the current test. */
export interface StorageUnderTest {
  readonly clock: ManualClock
  readonly storage: Storage
}

/** The store of the current test, which can be opened again. */
export interface SharedStorageUnderTest extends StorageUnderTest {
  /** Opens another connection, which is closed after the test. */
  another(): Promise<Storage>
}

/** A value with fields to find it by. */
export interface Thing {
  readonly name?: string | null
  readonly size?: number | null
  readonly note?: string
  readonly end?: number
}

/** A collection with fields and a change feed. */
export const things: TypedCollection<Thing> = defineCollection({
  name: 'things',
  fields: { name: 'text', size: 'number' },
  feed: true,
})

/** A collection for any value, without a feed. */
export const notes: TypedCollection<unknown> = defineCollection({ name: 'notes' })

/** Sets up a fresh store for each test of the calling suite. */
export function useStorage(factory: StorageFactory): StorageUnderTest {
  return useHarness(async (clock) => {
    const made = await factory(clock)
    return 'storage' in made ? made : { storage: made }
  })
}

/** Sets up a fresh store that can be opened again, for each test of the calling suite. */
export function useSharedStorage(factory: SharedStorageFactory): SharedStorageUnderTest {
  const test = useHarness(factory)
  return {
    get clock() {
      return test.clock
    },
    get storage() {
      return test.storage
    },
    another: () => test.open((harness) => harness.another()),
  }
}

interface HarnessUnderTest<H> extends StorageUnderTest {
  /** Opens a storage that is closed after the test. */
  open(from: (harness: H) => Promise<Storage>): Promise<Storage>
}

function useHarness<H extends StorageHarness>(
  factory: (clock: ManualClock) => Promise<H>,
): HarnessUnderTest<H> {
  let clock = createManualClock()
  let harness: H | undefined
  let opened: Storage[] = []

  const present = (): H => {
    if (harness === undefined) throw new Error('the storage exists only while a test runs')
    return harness
  }

  beforeEach(async () => {
    clock = createManualClock()
    harness = await factory(clock)
    opened = [harness.storage]
  })

  afterEach(async () => {
    for (const storage of opened) await storage.close()
    await harness?.release?.()
    harness = undefined
  })

  return {
    get clock() {
      return clock
    },
    get storage() {
      return present().storage
    },
    async open(from) {
      const storage = await from(present())
      opened.push(storage)
      return storage
    },
  }
}

/** The ids of some records, in their order. */
export const idsOf = (records: readonly { readonly id: string }[]): string[] =>
  records.map(({ id }) => id)

/** Asks for changes, and fails on a reset. */
export async function changesSince(
  storage: Storage,
  collection: Collection,
  since: Revision,
): Promise<Exclude<Changes, { reset: true }>> {
  const changes = await storage.changes(collection, since)
  if ('reset' in changes) throw new Error(`the feed does not reach back to ${since}`)
  return changes
}

/** A copy of a collection built only from its changes. */
export interface Follower {
  readonly records: ReadonlyMap<string, StoredRecord>
  readonly revision: Revision
  follow(): Promise<void>
}

/** Creates a {@link Follower} that starts before the first change. */
export function createFollower(storage: Storage, collection: Collection): Follower {
  const records = new Map<string, StoredRecord>()
  let revision: Revision = 0
  return {
    records,
    get revision() {
      return revision
    },
    async follow() {
      const changes = await changesSince(storage, collection, revision)
      for (const record of changes.written) records.set(record.id, record)
      for (const id of changes.removed) records.delete(id)
      revision = changes.revision
    },
  }
}
