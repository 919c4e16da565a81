import type { Logger } from '../logger.ts'
import { declareMetrics } from '../metrics/declare-metrics.ts'
import type { Counter, MetricsRegistry } from '../metrics/metrics.ts'
import { defineCollection, type ReadableCollection, type TypedCollection } from './collection.ts'
import { isDescribed } from './describe.ts'
import { number, objectOf } from './record-check.ts'
import { newerShape, unreadableRecord } from './record-shape.ts'
import {
  type Changes,
  type Collection,
  type Query,
  retryOnConflict,
  type Storage,
  type StoredRecord,
  type Version,
  type Write,
} from './storage.ts'
import { fieldKey } from './storage-input.ts'

/**
 * The newest shape that the records of each collection may have, by collection name. Written before the first record of that
 * shape.
 */
export const shapeCollection: TypedCollection<{ readonly shape: number }> = defineCollection({
  name: 'record_shapes',
  check: objectOf<{ readonly shape: number }>({ shape: number }),
})

/** Options of {@link readableStorage}. */
export interface ReadableStorageOptions {
  logger: Logger
  /** Counts unreadable records, by `collection`. */
  unreadable: Counter
}

/** Registers the counter of unreadable records of a service. */
export const registerUnreadableRecords = (metrics: MetricsRegistry, service: string): Counter =>
  declareMetrics(metrics, {
    unreadable: {
      type: 'counter',
      name: `gatehouse_${service}_unreadable_records_total`,
      help: 'Stored records that could not be read, each counted once.',
      labels: ['collection'],
    },
  }).unreadable

/** The number of unreadable records to remember as already logged. */
const maxKnown = 10_000

const isReadable = (collection: Collection): collection is ReadableCollection =>
  'decode' in collection

/**
 * Wraps a storage so that records are checked and upgraded to their current shape as they are read. A record that cannot be
 * decoded is logged and counted once. Its collection decides whether it counts as absent or fails the read.
 *
 * If a newer version has written records of a newer shape, the whole collection is refused with `StorageNewerVersion` from its
 * first use on.
 */
export function readableStorage(storage: Storage, options: ReadableStorageOptions): Storage {
  const known = createKnownRecords(options)
  const shapes = createShapes(storage)

  const { get, find, changes } = decodedReads(storage, known)

  const commit = (writes: readonly Write[]): Promise<readonly Version[]> =>
    storage.commit(known.size === 0 ? writes : writes.map((write) => overUnreadable(write, known)))

  const isReady = (collection: Collection): boolean => shapes.ready.has(collection)
  const when = async <T>(
    collections: readonly Collection[],
    work: () => Promise<T>,
  ): Promise<T> => {
    await shapes.prepare(collections)
    return work()
  }

  return {
    get(collection, ids) {
      if (!isReadable(collection)) return storage.get(collection, ids)
      return isReady(collection)
        ? get(collection, ids)
        : when([collection], () => get(collection, ids))
    },

    find(collection, query) {
      if (!isReadable(collection)) return storage.find(collection, query)
      return isReady(collection)
        ? find(collection, query)
        : when([collection], () => find(collection, query))
    },

    changes(collection, since) {
      if (!isReadable(collection)) return storage.changes(collection, since)
      return isReady(collection)
        ? changes(collection, since)
        : when([collection], () => changes(collection, since))
    },

    commit(writes) {
      if (writes.every(({ collection }) => isReady(collection))) return commit(writes)
      const collections = new Set(writes.map(({ collection }) => collection))
      return when([...collections], () => commit(writes))
    },

    close: () => storage.close(),
    ...(isDescribed(storage) ? { describe: () => storage.describe() } : {}),
  }
}

/** Reads of collections whose shapes this program supports. */
interface DecodedReads {
  get(collection: ReadableCollection, ids: readonly string[]): Promise<(StoredRecord | undefined)[]>
  find(collection: ReadableCollection, query: Query): Promise<StoredRecord[]>
  changes(collection: ReadableCollection, since: number): Promise<Changes>
}

function decodedReads(storage: Storage, known: KnownRecords): DecodedReads {
  const decode = (
    collection: ReadableCollection,
    record: StoredRecord,
  ): StoredRecord | undefined => {
    const decoded = collection.decode(record)
    if (typeof decoded !== 'string') {
      known.forget(collection, record.id)
      return decoded
    }
    known.report(collection, record, decoded)
    if (collection.unreadable === 'refuse') throw unreadableRecord(collection, record, decoded)
    return undefined
  }

  return {
    async get(collection, ids) {
      const records = await storage.get(collection, ids)
      return records.map((record) => record && decode(collection, record))
    },

    // Reads more if records were left out, because a short page means that there are no more.
    async find(collection, query) {
      const kept: StoredRecord[] = []
      for (let asked = query; ; ) {
        const page = await storage.find(collection, asked)
        for (const record of page) {
          const decoded = decode(collection, record)
          if (decoded !== undefined) kept.push(decoded)
        }
        const last = page.at(-1)
        const left = query.limit - kept.length
        if (last === undefined || page.length < asked.limit || left === 0) return kept
        asked = { ...query, limit: left, after: placeOf(last, query) }
      }
    },

    async changes(collection, since) {
      const found = await storage.changes(collection, since)
      if ('reset' in found || found.written.length === 0) return found
      const { revision } = found
      const written: StoredRecord[] = []
      const removed = [...found.removed]
      for (const record of found.written) {
        const decoded = decode(collection, record)
        if (decoded === undefined) removed.push(record.id)
        else written.push(decoded)
      }
      return { revision, written, removed }
    },
  }
}

/** Allows overwriting a record that counts as absent although it exists, by using its known version as precondition. */
function overUnreadable(write: Write, known: KnownRecords): Write {
  if (!isReadable(write.collection) || write.collection.unreadable === 'refuse') return write
  const version = known.versionOf(write.collection, write.id)
  if (version === undefined) return write
  if ('check' in write) return write.check === 'absent' ? { ...write, check: version } : write
  if (write.value === undefined || write.if !== 'absent') return write
  return { ...write, if: version }
}

const placeOf = (record: StoredRecord, { by }: Query): { key: string | number; id: string } => ({
  key: by === 'id' ? record.id : (fieldKey(record.value, by) ?? ''),
  id: record.id,
})

/** The unreadable records found so far, with their versions. */
interface KnownRecords {
  readonly size: number
  /** Logs and counts a record, unless already done. */
  report(collection: Collection, record: StoredRecord, problem: string): void
  /** Removes a record that is readable now. */
  forget(collection: Collection, id: string): void
  versionOf(collection: Collection, id: string): Version | undefined
}

function createKnownRecords({ logger, unreadable }: ReadableStorageOptions): KnownRecords {
  const versions = new Map<string, Version>()
  const keyOf = ({ name }: Collection, id: string): string => `${name} ${id}`
  return {
    get size() {
      return versions.size
    },

    report(collection, { id, version }, problem) {
      const key = keyOf(collection, id)
      if (versions.get(key) === version) return
      const [oldest] = versions.keys()
      if (versions.size >= maxKnown && oldest !== undefined) versions.delete(oldest)
      versions.set(key, version)
      unreadable.add(1, { collection: collection.name })
      logger.error(
        { collection: collection.name, id, problem },
        'a stored record cannot be read: "gatehouse storage check-records" lists and removes such records',
      )
    },

    forget(collection, id) {
      if (versions.size > 0) versions.delete(keyOf(collection, id))
    },

    versionOf: (collection, id) => versions.get(keyOf(collection, id)),
  }
}

/** Tracks the collections whose shapes in the database this program supports. */
interface Shapes {
  readonly ready: WeakSet<Collection>
  /** @throws {GatehouseError} `StorageNewerVersion` if a collection has a newer shape. */
  prepare(collections: readonly Collection[]): Promise<void>
}

function createShapes(storage: Storage): Shapes {
  const ready = new WeakSet<Collection>()
  let noted: Promise<ReadonlyMap<string, number>> | undefined

  const readNotes = async (): Promise<ReadonlyMap<string, number>> => {
    const records = await shapeCollection.find(storage, { by: 'id', limit: 10_000 })
    return new Map(records.map(({ id, value }) => [id, Number(value.shape)]))
  }

  /** @throws {GatehouseError} `StorageNewerVersion` if a newer program was faster. */
  const note = (collection: ReadableCollection): Promise<void> =>
    retryOnConflict(async () => {
      const { name, shape } = collection
      const record = await shapeCollection.get(storage, name)
      const found = Number(record?.value.shape ?? 1)
      if (found > shape) throw newerShape(collection, { found, known: shape })
      if (found === shape) return
      await storage.commit([
        shapeCollection.write(name, { shape }, { if: record?.version ?? 'absent' }),
      ])
    })

  const notes = (): Promise<ReadonlyMap<string, number>> => {
    noted ??= readNotes().catch((error: unknown) => {
      noted = undefined
      throw error
    })
    return noted
  }

  const prepareOne = async (collection: ReadableCollection): Promise<void> => {
    const { name, shape } = collection
    const found = (await notes()).get(name) ?? 1
    if (found > shape) throw newerShape(collection, { found, known: shape })
    if (found < shape) await note(collection)
    ready.add(collection)
  }

  return {
    ready,
    async prepare(collections) {
      for (const collection of collections) {
        if (ready.has(collection)) continue
        if (isReadable(collection)) await prepareOne(collection)
        else ready.add(collection)
      }
    },
  }
}
