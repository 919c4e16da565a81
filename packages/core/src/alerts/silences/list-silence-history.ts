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
import type { AlertsContext } from '../context.ts'
import {
  type GettableSilenceEvent,
  silenceEventKinds,
  silenceHistoryCollection,
  toGettableSilenceEvent,
} from '../history/silence-event.ts'
import type * as wire from '../wire/types.generated.ts'

/** Which events of silences to list. */
export type SilenceHistoryQuery = FromCode<wire.SilenceHistoryQuery, 'from' | 'to'>

/** A {@link SilenceHistoryQuery} whose types were checked. */
export type DecodedSilenceHistoryQuery = Omit<SilenceHistoryQuery, keyof HistoryQuery> &
  DecodedHistoryQuery

const decode = exactly<DecodedSilenceHistoryQuery>({
  ...historyQueryFields,
  silenceId: optional(anyText),
  event: optional(listOf(oneOf(silenceEventKinds))),
})

/**
 * Lists who created, changed and expired silences, newest first, as far as {@link startHistory} kept it.
 *
 * @throws {GatehouseError} `InvalidInput`; `InvalidHistoryQuery`
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
  return readHistory(alerts, query, {
    collection: silenceHistoryCollection,
    only: { field: 'silenceID', value: query.silenceId },
    wants: ({ event }) => events.size === 0 || events.has(event),
    show: toGettableSilenceEvent,
  })
}
