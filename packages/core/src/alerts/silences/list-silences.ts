import { encodedList } from '@gatehouse/go-template/json'
import { inSlices, isPauseDue, pause } from '../../async/slices.ts'
import {
  anyText,
  decodeInput,
  exactly,
  type Fields,
  flag,
  listOf,
  optional,
} from '../../input/decode.ts'
import type { Instant } from '../../time/clock.ts'
import type { SilenceEntry } from '../board/alert-entry.ts'
import { readFilters } from '../board/alert-query.ts'
import type { ListBytes } from '../board/kept-lists.ts'
import { silenceItem } from '../board/silence-json.ts'
import { measuredQuery } from '../board/silence-metrics.ts'
import type { AlertsContext } from '../context.ts'
import type { Matcher } from '../matcher/matcher.ts'
import {
  compareSilences,
  type GettableSilence,
  type SilenceState,
  silenceState,
  toGettableSilence,
} from '../silence/silence.ts'
import type * as wire from '../wire/types.generated.ts'

/** Which silences to list. @see Alertmanager API v2, `GET /silences` */
export type SilencesQuery = wire.SilencesQuery

/** The decoders of the members of a query. */
export const silencesQueryFields: Fields<SilencesQuery> = {
  filter: optional(listOf(anyText)),
  active: optional(flag),
  pending: optional(flag),
  expired: optional(flag),
}

const silencesQuery = exactly(silencesQueryFields)

/**
 * Lists silences, expired ones too until they are removed. Active ones come first by their end, then pending ones by their start,
 * then expired ones, the last to end first.
 *
 * @throws {GatehouseError} `InvalidInput`; `TooManyFilters`; `InvalidMatcher` if a filter is not a valid matcher.
 * @see Alertmanager API v2, `GET /silences`
 */
export async function listSilences(
  alerts: AlertsContext,
  query: SilencesQuery = {},
): Promise<GettableSilence[]> {
  const decoded = decodeInput('query', silencesQuery, query)
  const filters = await inSlices(readFilters(decoded.filter ?? [], alerts.options))
  return measuredQuery(alerts, async () => {
    const now = await alerts.board.refresh()
    const entries = await chosenSilences(alerts, decoded, filters, now)
    return entries.map(({ id, silence }) => toGettableSilence(id, silence, now))
  })
}

/**
 * {@link listSilences} as JSON in UTF-8, the body of a response. It is rendered once for each state of the silences and shared by
 * its readers: do not change it.
 */
export async function listSilencesJson(
  alerts: AlertsContext,
  query: SilencesQuery = {},
): Promise<ListBytes> {
  return silencesJson(alerts, decodeInput('query', silencesQuery, query))
}

/** {@link listSilencesJson} for a query whose types were checked. */
export async function silencesJson(
  alerts: AlertsContext,
  query: SilencesQuery,
): Promise<ListBytes> {
  const filters = await inSlices(readFilters(query.filter ?? [], alerts.options))
  return measuredQuery(alerts, async () => {
    const now = await alerts.board.refresh()
    let isKnown = true
    const list = alerts.board.silenceLists.get(query, now, async () => {
      isKnown = false
      const items: Uint8Array[] = []
      for (const entry of await chosenSilences(alerts, query, filters, now)) {
        items.push(silenceItem(entry, now))
        if (isPauseDue()) await pause()
      }
      return { bytes: await inSlices(encodedList(items)) }
    })
    if (isKnown) alerts.counters.silencesSkipped(alerts.board.silences.size)
    return list
  })
}

/** The silences that match the query, sorted. Call it right after the refresh that returned `now`. */
export async function chosenSilences(
  alerts: AlertsContext,
  { active = true, pending = true, expired = true }: SilencesQuery,
  filters: readonly Matcher[],
  now: Instant,
): Promise<SilenceEntry[]> {
  const wanted: Readonly<Record<SilenceState, boolean>> = { active, pending, expired }
  const found: { entry: SilenceEntry; state: SilenceState; startsAt: Instant; endsAt: Instant }[] =
    []
  alerts.counters.silencesScanned(alerts.board.silences.size)
  for (const entry of alerts.board.silences.entries()) {
    if (isPauseDue()) await pause()
    const state = silenceState(entry, now)
    if (!wanted[state]) continue
    const hasAll = filters.every(({ name, operator, value }) =>
      entry.matchers.some(
        (own) => own.name === name && own.operator === operator && own.value === value,
      ),
    )
    if (hasAll) found.push({ entry, state, startsAt: entry.startsAt, endsAt: entry.endsAt })
  }
  found.sort(compareSilences)
  return found.map(({ entry }) => entry)
}
