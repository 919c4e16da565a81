import { anyText, type Fields, optional, wholeFrom } from '../../input/decode.ts'
import { invalidInput } from '../../input/refusal.ts'

/** Which part of a list to read. */
export interface ListQuery {
  /** The most on a page, 1 to 1,000 (default 100). */
  readonly limit?: number
  /** Continues after the previous page: its `next`. */
  readonly after?: string
}

/** A page of a list. */
export interface ListPage<T> {
  readonly items: readonly T[]
  /** The `after` of the next page; absent at the end. */
  readonly next?: string
}

/** The decoders of the members of a query. */
export const listQueryFields: Fields<ListQuery> = {
  limit: optional(wholeFrom(1, 1_000)),
  after: optional(anyText),
}

/** Where a page ends, in the order of its index. */
export interface Place {
  readonly key: string | number
  readonly id: string
}

/** What was read for a page. */
export interface Found<R> {
  readonly found: readonly R[]
  /** The most that could be found. */
  readonly limit: number
  /** The key of a record in the index that was read. */
  keyOf(record: R): Place['key'] | undefined
}

/** The page that shows `items`. If as many records were found as could be, there may be a next page. */
export function pageOf<T, R extends { readonly id: string }>(
  items: readonly T[],
  { found, limit, keyOf }: Found<R>,
): ListPage<T> {
  const last = found.length < limit ? undefined : found.at(-1)
  const key = last && keyOf(last)
  return last === undefined || key === undefined
    ? { items }
    : { items, next: cursorOf({ key, id: last.id }) }
}

const cursorOf = ({ key, id }: Place): string =>
  Buffer.from(JSON.stringify([key, id])).toString('base64url')

/** Where the page before ended. @throws {GatehouseError} `InvalidInput` */
export function placeOf(cursor: string, keyType: 'number' | 'string'): Place {
  try {
    const [key, id]: unknown[] = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    const isKey = typeof key === 'string' || typeof key === 'number'
    if (isKey && typeof key === keyType && typeof id === 'string') return { key, id }
  } catch {
    // Refused below.
  }
  throw invalidInput('query.after', 'the "next" of a page', 'another text')
}
