import { GatehouseError } from '../errors.ts'
import { anyText, type Fields, optional } from '../input/decode.ts'
import { type InstantInput, instant } from '../input/instant.ts'
import { refuseShown } from '../input/refusal.ts'
import type { Instant } from '../time/clock.ts'
import { idOfCursor } from './history-id.ts'

/** Query parameters that all kinds of history share. */
export interface HistoryQuery {
  /** Only events at this instant or later. */
  from?: InstantInput | undefined
  /** Only events before this instant. */
  to?: InstantInput | undefined
  /** The most items on a page, 1 to 1,000 (default 100). */
  limit?: number | undefined
  /** Continues after the previous page: its `next`. */
  after?: string | undefined
}

/** A page of history, newest first. */
export interface HistoryPage<T> {
  /** May have fewer items than the limit, or none, although there are more: a page reads at most 20,000 records. */
  items: readonly T[]
  /** The `after` of the next page; absent at the end. */
  next?: string
}

/** A {@link HistoryQuery} whose types were checked. */
export interface DecodedHistoryQuery extends HistoryQuery {
  from?: Instant | undefined
  to?: Instant | undefined
}

/** The decoders of the members of a query. The range of `limit` and the form of `after` are checked when the history is read. */
export const historyQueryFields: Fields<DecodedHistoryQuery> = {
  from: optional(instant),
  to: optional(instant),
  limit: (value) =>
    value === undefined || typeof value === 'number' ? value : refuseShown('a whole number', value),
  after: optional(anyText),
}

/** A {@link HistoryQuery} that was checked. */
export interface HistoryRange {
  readonly from: Instant
  readonly to: Instant
  readonly limit: number
  /** The id of the record after which it continues. */
  readonly afterId: string | undefined
}

const maxItems = 1_000

/** A history query is not valid; the message names the parameter. */
export const invalidHistoryQuery = (message: string, cause?: unknown): GatehouseError =>
  new GatehouseError('BadRequest', 'InvalidHistoryQuery', message, { cause })

/** Checks a query. @throws {GatehouseError} `InvalidHistoryQuery` */
export function historyRange(query: DecodedHistoryQuery): HistoryRange {
  const { from = 0, to = Number.MAX_SAFE_INTEGER, limit = 100, after } = query
  for (const [name, at] of Object.entries({ from, to })) {
    if (!Number.isFinite(at)) throw invalidHistoryQuery(`${name} is not a valid time`)
  }
  if (!Number.isInteger(limit) || limit < 1 || limit > maxItems) {
    throw invalidHistoryQuery(`limit must be a whole number from 1 to ${maxItems}`)
  }
  const afterId = after === undefined ? undefined : idOfCursor(after)
  if (after !== undefined && afterId === undefined) {
    throw invalidHistoryQuery('after is not the "next" of a page')
  }
  return { from, to, limit, afterId }
}

/** Checks that a list contains only known words. @throws {GatehouseError} `InvalidHistoryQuery` */
export function wordsOf<W extends string>(
  name: string,
  given: readonly string[],
  known: readonly W[],
): ReadonlySet<W> {
  const words = new Set<W>()
  for (const text of given) {
    const word = known.find((one) => one === text)
    if (word === undefined) {
      const shown = JSON.stringify(text.slice(0, 100))
      throw invalidHistoryQuery(`${name} must be one of ${known.join(', ')}, got ${shown}`)
    }
    words.add(word)
  }
  return words
}
