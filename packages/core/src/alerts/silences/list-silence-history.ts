import { inSlices } from '../../async/slices.ts'
import { isGatehouseError } from '../../errors.ts'
import {
  type DecodedHistoryQuery,
  type HistoryPage,
  type HistoryQuery,
  historyQueryFields,
  wordsOf,
} from '../../history/history-query.ts'
import { readHistory } from '../../history/read-history.ts'
import { anyText, decodeInput, exactly, listOf, oneOf, optional } from '../../input/decode.ts'
import type { FromCode } from '../../input/from-code.ts'
import type { AlertEntry } from '../board/alert-entry.ts'
import { readFilters } from '../board/alert-query.ts'
import type { AlertsContext } from '../context.ts'
import {
  type GettableSilenceEvent,
  type StoredSilenceEvent,
  silenceEventKinds,
  silenceHistoryCollection,
  toGettableSilenceEvent,
} from '../history/silence-event.ts'
import { type Matcher, matchesAll } from '../matcher/matcher.ts'
import { silenceMatchers } from '../silence/silence.ts'
import type * as wire from '../wire/types.generated.ts'

/** Which events of silences to list. */
export type SilenceHistoryQuery = FromCode<wire.SilenceHistoryQuery, 'from' | 'to'>

/** A {@link SilenceHistoryQuery} whose types were checked. */
export type DecodedSilenceHistoryQuery = Omit<SilenceHistoryQuery, keyof HistoryQuery> &
  DecodedHistoryQuery

const decode = exactly<DecodedSilenceHistoryQuery>({
  ...historyQueryFields,
  silenceId: optional(anyText),
  filter: optional(listOf(anyText)),
  event: optional(listOf(oneOf(silenceEventKinds))),
})

/**
 * Lists who created, changed and expired silences, newest first, as far as {@link startHistory} kept it.
 *
 * @throws {GatehouseError} `InvalidInput`; `InvalidHistoryQuery`; `TooManyFilters`; `InvalidMatcher` if a filter is not a valid
 * matcher.
 */
export async function listSilenceHistory(
  alerts: AlertsContext,
  query: SilenceHistoryQuery = {},
): Promise<HistoryPage<GettableSilenceEvent>> {
  return readSilenceHistory(alerts, decodeInput('query', decode, query))
}

/** {@link listSilenceHistory} for a query whose types were checked. */
export async function readSilenceHistory(
  alerts: AlertsContext,
  query: DecodedSilenceHistoryQuery,
): Promise<HistoryPage<GettableSilenceEvent>> {
  const events = wordsOf('event', query.event ?? [], silenceEventKinds)
  const isAbout = await aboutAlerts(alerts, query.filter ?? [])
  return readHistory(alerts, query, {
    collection: silenceHistoryCollection,
    only: { field: 'silenceID', value: query.silenceId },
    wants: (event) => (events.size === 0 || events.has(event.event)) && isAbout(event),
    show: toGettableSilenceEvent,
  })
}

/** Each event may have to be compared with as many alerts. */
const maxAlerts = 100

/** Whether the silence of an event matches one of the firing alerts that match all filters. Without filters, all events count. */
async function aboutAlerts(
  { board, options }: AlertsContext,
  filter: readonly string[],
): Promise<(event: StoredSilenceEvent) => boolean> {
  if (filter.length === 0) return () => true
  const filters = await inSlices(readFilters(filter, options))
  await board.refresh()
  const found = (await inSlices(board.alerts.matching(filters))).slice(0, maxAlerts)
  /** The same silence has several events. */
  const known = new Map<string, boolean>()
  return ({ matchers }) => {
    const key = JSON.stringify(matchers)
    const before = known.get(key)
    if (before !== undefined) return before
    const isMatch = matchesOne(silenceMatchers({ matchers }), found)
    known.set(key, isMatch)
    return isMatch
  }
}

function matchesOne(matchers: readonly Matcher[], alerts: readonly AlertEntry[]): boolean {
  try {
    return alerts.some(({ labels }) => matchesAll(matchers, labels))
  } catch (error) {
    // The history has cut a long pattern so that it is none any more.
    if (isGatehouseError(error)) return false
    throw error
  }
}
