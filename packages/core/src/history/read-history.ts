import type { TypedCollection, TypedRecord } from '../storage/collection.ts'
import type { Json, Query } from '../storage/storage.ts'
import { fieldKey } from '../storage/storage-input.ts'
import type { HistoryContext } from './history-context.ts'
import { cursorAt, historyBound } from './history-id.ts'
import { type DecodedHistoryQuery, type HistoryPage, historyRange } from './history-query.ts'
import { historyRecords } from './history-records.ts'

/** A value of a declared field to search for. */
interface FieldValue {
  readonly field: string
  readonly value: string | undefined
}

/** The records that {@link readHistory} reads, and a filter for them. */
export interface HistorySource<T, Item> {
  collection: TypedCollection<T>
  /** Only records with this value (default: all). */
  only?: FieldValue
  wants: (value: T) => boolean
  show: (record: TypedRecord<T>) => Item
}

/** The most records that are read for a page. */
const maxScanned = 20_000

/**
 * Reads a page of history, newest first.
 *
 * @throws {GatehouseError} `InvalidHistoryQuery`
 */
export async function readHistory<T, Item>(
  { storage, clock, options, logger }: HistoryContext,
  query: DecodedHistoryQuery,
  { collection, only, wants, show }: HistorySource<T, Item>,
): Promise<HistoryPage<Item>> {
  const { to, limit, afterId, ...range } = historyRange(query)
  // Older records have expired, or would have under this retention; the store need not search them.
  const from = historyBound(Math.max(range.from, clock.now() - options.historyRetentionMs))
  const end = historyBound(to)
  const records = historyRecords({
    storage,
    collection,
    before: afterId === undefined || afterId > end ? end : afterId,
    from,
    rows: queryFor(only, { from, to: end }),
    // One more than requested, to know whether there is a next page.
    firstPage: limit + 1,
    onDamaged: (id, error) => logger.error({ id, error: String(error) }, 'history is damaged'),
  })
  const isAsked = ({ value }: TypedRecord<T>): boolean =>
    only?.value === undefined || fieldKey(value as Json, only.field) === only.value
  const items: Item[] = []
  let scanned = 0
  let last = ''
  for await (const record of records) {
    if (items.length === limit || scanned === maxScanned) return { items, next: cursorAt(last) }
    scanned++
    last = record.id
    if (isAsked(record) && wants(record.value)) items.push(show(record))
  }
  return { items }
}

/** For a field, reads all records with the value in the order of their ids, and filters the range. */
function queryFor(
  only: FieldValue | undefined,
  range: { readonly from: string; readonly to: string },
): (before: string, limit: number) => Query {
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
