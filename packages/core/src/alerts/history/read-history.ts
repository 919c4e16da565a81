import type { TypedCollection, TypedRecord } from '../../collection.ts'
import type { Query } from '../../storage.ts'
import type { AlertsContext } from '../context.ts'
import { cursorAt, historyBound } from './history-id.ts'
import { type HistoryPage, type HistoryQuery, historyRange } from './history-query.ts'
import { letOthersRun } from './let-others-run.ts'

/** A value of a declared field, if one is asked for. */
interface FieldValue {
  readonly field: string
  readonly value: string | undefined
}

/** What {@link readHistory} reads, and what of it is wanted. */
export interface HistorySource<T, Item> {
  collection: TypedCollection<T>
  /** Only records with this value are wanted (default: whatever they have). */
  only?: FieldValue
  wants: (value: T) => boolean
  show: (record: TypedRecord<T>) => Item
}

/** So many records are looked at for one page. */
const mostScanned = 20_000
/** So many are read at once. */
const chunkSize = 1_000

/**
 * A page of history, newest first.
 *
 * @throws {GatehouseError} `InvalidHistoryQuery`
 */
export async function readHistory<T, Item>(
  { storage, clock, options }: AlertsContext,
  query: HistoryQuery,
  { collection, only, wants, show }: HistorySource<T, Item>,
): Promise<HistoryPage<Item>> {
  const { to, limit, afterId, ...range } = historyRange(query)
  // What is older has expired, or would have under this retention; a store need not look for it.
  const from = historyBound(Math.max(range.from, clock.now() - options.historyRetentionMs))
  const end = historyBound(to)
  const ask = queryFor(only, { from, to: end })
  const items: Item[] = []
  let after = afterId === undefined || afterId > end ? end : afterId
  // One more than asked for: it tells whether there is more.
  let size = limit + 1
  for (let scanned = 0; scanned < mostScanned; scanned += size) {
    if (scanned > 0) {
      await letOthersRun()
      size = Math.min(chunkSize, mostScanned - scanned)
    }
    const found = await collection.find(storage, ask(after, size))
    const records = found.filter(({ id }) => id >= from)
    const isLastChunk = records.length < size
    for (const [index, record] of records.entries()) {
      after = record.id
      if (!wants(record.value)) continue
      items.push(show(record))
      if (items.length < limit) continue
      const isLast = isLastChunk && index === records.length - 1
      return isLast ? { items } : { items, next: cursorAt(after) }
    }
    if (isLastChunk) return { items }
  }
  return { items, next: cursorAt(after) }
}

/** By a field, all records of one value are asked for in the order of their ids, and those out of range left out. */
function queryFor(
  only: FieldValue | undefined,
  range: { readonly from: string; readonly to: string },
): (after: string, limit: number) => Query {
  if (only?.value === undefined) {
    return (id, limit) => ({ by: 'id', ...range, order: 'desc', limit, after: { key: id, id } })
  }
  const { field, value } = only
  return (id, limit) => ({
    by: field,
    equals: value,
    order: 'desc',
    limit,
    after: { key: value, id },
  })
}
