import { letOthersRun } from '../async/end-of-turn.ts'
import type { TypedCollection, TypedRecord } from '../storage/collection.ts'
import type { Query, Storage } from '../storage/storage.ts'
import {
  blockCollection,
  blockId,
  blocksOf,
  packedCollection,
  type StoredBlock,
  unpackRecords,
} from './history-block.ts'

/** Input of {@link historyRecords}. */
export interface HistoryRecordsOptions<T> {
  storage: Storage
  collection: TypedCollection<T>
  /** Records before this id. */
  before: string
  /** Records from this id on. */
  from: string
  /** The query for unpacked records before an id. */
  rows: (before: string, limit: number) => Query
  /** The number of records in the first read. */
  firstPage: number
  /** Called for a damaged block. */
  onDamaged: (id: string, error: unknown) => void
}

/** Records per read after the first. */
const pageSize = 1_000

/**
 * Reads the records of a history, packed or not, the newest first.
 *
 * Records may be packed meanwhile, the oldest first. So it first reads the records that were unpacked at the start, and then the
 * blocks below the last of them, with records that arrived too late to be packed.
 */
export async function* historyRecords<T>(
  options: HistoryRecordsOptions<T>,
): AsyncGenerator<TypedRecord<T>, void> {
  const { storage, collection, from } = options
  const packed = await packedCollection.get(storage, collection.name)
  const horizon = packed?.value.to ?? ''
  let before = options.before
  for await (const row of looseRecords(options, before)) {
    if (row.id < from) return
    if (row.id <= horizon) break
    before = row.id
    yield row
  }
  const late = looseRecords(options, horizon < before ? horizon : before)
  let row = await late.next()
  for await (const record of packedRecords(options, before)) {
    while (!row.done && row.value.id > record.id) {
      yield row.value
      row = await late.next()
    }
    yield record
  }
  while (!row.done && row.value.id >= from) {
    yield row.value
    row = await late.next()
  }
}

/** Unpacked records before an id. */
async function* looseRecords<T>(
  { storage, collection, rows, firstPage }: HistoryRecordsOptions<T>,
  before: string,
): AsyncGenerator<TypedRecord<T>, void> {
  let end = before
  for (let size = firstPage; ; size = pageSize) {
    const page = await collection.find(storage, rows(end, size))
    yield* page
    const last = page.at(-1)
    if (last === undefined || page.length < size) return
    end = last.id
    await letOthersRun()
  }
}

/** Records in blocks before an id. Blocks do not overlap. */
async function* packedRecords<T>(
  { storage, collection, from, onDamaged }: HistoryRecordsOptions<T>,
  before: string,
): AsyncGenerator<TypedRecord<T>, void> {
  const { name } = collection
  const start = blockId(name, before)
  const all = blocksOf(name)
  /** The block that contains the starting point, if any. */
  const [around] = await blockCollection.find(storage, { by: 'id', ...all, from: start, limit: 1 })
  let block = around !== undefined && around.value.from < before ? around : undefined
  for (let end = start; ; end = block?.id ?? end, block = undefined) {
    if (block === undefined) {
      const after = { key: end < start ? end : start, id: end < start ? end : start }
      const query: Query = { by: 'id', ...all, order: 'desc', limit: 1, after }
      block = (await blockCollection.find(storage, query))[0]
      if (block === undefined) return
    }
    for (const record of unpack(collection, block, onDamaged).toReversed()) {
      if (record.id < from) return
      if (record.id < before) yield record
    }
    await letOthersRun()
  }
}

function unpack<T>(
  collection: TypedCollection<T>,
  { id, value }: TypedRecord<StoredBlock>,
  onDamaged: (id: string, error: unknown) => void,
): readonly TypedRecord<T>[] {
  try {
    return unpackRecords(collection, value)
  } catch (error) {
    onDamaged(id, error)
    return []
  }
}
