import { compareBytes } from '@gatehouse/go-template/text'
import { anyText, type Fields, listOf, optional, wholeFrom } from '../../input/decode.ts'
import { invalidPageQuery } from '../errors.ts'

/** Which part of a list to read. */
export interface PageQuery {
  /** The property to sort by, or `labels.NAME`; with `-` in front descending. Items without it come last. */
  sort?: string | undefined
  /** The most items on a page, 1 to 1,000 (default 100). */
  limit?: number | undefined
  /** Continues after the previous page: its `next`. Only for the same `sort`. */
  after?: string | undefined
  /** Only these properties of each item (default all). */
  fields?: readonly string[]
}

/** A part of a list. */
export interface Page<T> {
  items: readonly T[]
  /** The number of items on all pages. */
  total: number
  /** The `after` of the next page; absent at the end. */
  next?: string
}

/** The decoders of the members of a query. */
export const pageQueryFields: Fields<PageQuery> = {
  sort: optional(anyText),
  limit: optional(wholeFrom(1, 1_000)),
  after: optional(anyText),
  fields: optional(listOf(anyText)),
}

/** The value that an item is sorted by; `undefined` for an item without it. */
export type SortKey = string | number | undefined

/** How one kind of item is sorted and shown. */
export interface PageShape<Item> {
  /** By the name of the sort. The first one is the default. */
  readonly sorts: Readonly<Record<string, (item: Item) => SortKey>>
  /** The labels of an item, for the sort `labels.NAME` (default: it has none). */
  readonly label?: (item: Item, name: string) => string | undefined
  /** Unique. Items with the same key are sorted by it, ascending. */
  readonly id: (item: Item) => string
  /** The names of the properties that items may have. */
  readonly fields: readonly string[]
}

/** The items of a page, in order. */
export interface ChosenPage<Item> extends Page<Item> {
  /** Leaves only the wanted properties of an item. */
  pick<T extends object>(shown: T): T
}

interface Place {
  readonly key: SortKey
  readonly id: string
}

/** The number of items that are sorted at once. */
const itemsPerStep = 1_000

/**
 * Chooses the items of a page, in slices. A page begins after the place of the last item of the page before, wherever that item is
 * now: items that are added or removed meanwhile move no others to another page.
 *
 * @throws {GatehouseError} `InvalidPageQuery`
 */
export function* choosePage<Item>(
  items: readonly Item[],
  query: PageQuery,
  shape: PageShape<Item>,
): Generator<void, ChosenPage<Item>> {
  const { limit = 100, after } = query
  const pick = picker(query.fields ?? [], shape.fields)
  const { name, keyOf, direction } = sortOf(query.sort, shape)
  const compare = (a: Place, b: Place): number =>
    compareKeys(a.key, b.key, direction) || compareBytes(a.id, b.id)
  const start = after === undefined ? undefined : placeOf(after, name)
  let first: (Place & { readonly item: Item })[] = []
  let hasMore = false
  for (let at = 0; at < items.length; at += itemsPerStep) {
    for (const item of items.slice(at, at + itemsPerStep)) {
      const place = { item, key: keyOf(item), id: shape.id(item) }
      if (start === undefined || compare(place, start) > 0) first.push(place)
    }
    first.sort(compare)
    if (first.length > limit) {
      hasMore = true
      first = first.slice(0, limit)
    }
    yield
  }
  const last = first.at(-1)
  return {
    items: first.map(({ item }) => item),
    total: items.length,
    ...(hasMore && last !== undefined ? { next: cursorAt(last, name) } : {}),
    pick,
  }
}

function sortOf<Item>(
  given: string | undefined,
  { sorts, label }: PageShape<Item>,
): { name: string; keyOf: (item: Item) => SortKey; direction: 1 | -1 } {
  const name = given || Object.keys(sorts)[0] || ''
  const isDescending = name.startsWith('-')
  const property = isDescending ? name.slice(1) : name
  const direction = isDescending ? -1 : 1
  if (label !== undefined && property.startsWith('labels.')) {
    const wanted = property.slice('labels.'.length)
    return { name, keyOf: (item) => label(item, wanted), direction }
  }
  const keyOf = Object.hasOwn(sorts, property) ? sorts[property] : undefined
  if (keyOf !== undefined) return { name, keyOf, direction }
  const known = [...Object.keys(sorts), ...(label === undefined ? [] : ['labels.NAME'])]
  throw invalidPageQuery(
    `sort must be one of ${known.join(', ')}, got ${JSON.stringify(name.slice(0, 100))}`,
  )
}

/** Items without a key come last in both directions. */
function compareKeys(a: SortKey, b: SortKey, direction: 1 | -1): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined)
  if (typeof a === 'number' && typeof b === 'number') return direction * (a - b)
  return direction * compareBytes(String(a), String(b))
}

/** Leaves the wanted properties of an item. @throws {GatehouseError} `InvalidPageQuery` for an unknown one. */
function picker(
  fields: readonly string[],
  known: readonly string[],
): <T extends object>(shown: T) => T {
  const unknown = fields.find((name) => !known.includes(name))
  if (unknown !== undefined) {
    const shown = JSON.stringify(unknown.slice(0, 100))
    throw invalidPageQuery(`fields must be of ${known.join(', ')}, got ${shown}`)
  }
  if (fields.length === 0) return (shown) => shown
  const wanted = new Set(fields)
  return <T extends object>(shown: T): T =>
    // The caller asked for some properties only.
    Object.fromEntries(Object.entries(shown).filter(([name]) => wanted.has(name))) as T
}

const cursorAt = ({ key = null, id }: { key: SortKey | null; id: string }, sort: string): string =>
  Buffer.from(JSON.stringify([sort, key, id])).toString('base64url')

/** The place in a cursor. @throws {GatehouseError} `InvalidPageQuery` */
function placeOf(cursor: string, sort: string): Place {
  const place = decodeCursor(cursor)
  if (place === undefined) throw invalidPageQuery('after is not the "next" of a page')
  if (place.sort !== sort) {
    throw invalidPageQuery(`after belongs to the sort ${JSON.stringify(place.sort.slice(0, 100))}`)
  }
  return place
}

function decodeCursor(cursor: string): (Place & { readonly sort: string }) | undefined {
  try {
    const [sort, key, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[]
    if (typeof sort !== 'string' || typeof id !== 'string') return undefined
    if (key === null) return { sort, key: undefined, id }
    return typeof key === 'string' || typeof key === 'number' ? { sort, key, id } : undefined
  } catch {
    return undefined
  }
}
