import { inSlices, isPauseDue, pause } from '../async/slices.ts'
import { goJsonString } from '../go/json.ts'
import { type BodyPiece, jsonList } from '../go/json-list.ts'
import { anyText, decodeInput, exactly, flag, listOf, optional } from '../input/decode.ts'
import type { Instant } from '../time/clock.ts'
import { labelSetFromObject } from './alert/label-set.ts'
import type { SilenceEntry } from './board/alert-entry.ts'
import { labelsJson } from './board/alert-json.ts'
import { readFilters } from './board/alert-query.ts'
import type { AlertsContext } from './context.ts'
import {
  compareSilences,
  type GettableSilence,
  type SilenceState,
  silenceState,
  toGettableSilence,
} from './silence/silence.ts'

/** Which silences to list. @see Alertmanager API v2, `GET /silences` */
export interface SilencesQuery {
  /** Matchers in their text form; a silence must have each of them, literally, among its own. */
  filter?: readonly string[]
  /** Whether active silences are listed (default true). */
  active?: boolean
  /** Whether pending silences are listed (default true). */
  pending?: boolean
  /** Whether expired silences are listed (default true). */
  expired?: boolean
}

const silencesQuery = exactly<SilencesQuery>({
  filter: optional(listOf(anyText)),
  active: optional(flag),
  pending: optional(flag),
  expired: optional(flag),
})

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
  const { now, entries } = await chosen(alerts, decodeInput('query', silencesQuery, query))
  return entries.map(({ id, silence }) => toGettableSilence(id, silence, now))
}

/** {@link listSilences} as JSON in pieces, which together are the response body. */
export async function listSilencesJson(
  alerts: AlertsContext,
  query: SilencesQuery = {},
): Promise<readonly BodyPiece[]> {
  return silencesJson(alerts, decodeInput('query', silencesQuery, query))
}

/** {@link listSilencesJson} for a query whose types were checked. */
export async function silencesJson(
  alerts: AlertsContext,
  query: SilencesQuery,
): Promise<readonly BodyPiece[]> {
  const { now, entries } = await chosen(alerts, query)
  const items: string[] = []
  for (const { id, silence } of entries) {
    items.push(silenceJson(toGettableSilence(id, silence, now)))
    if (isPauseDue()) await pause()
  }
  return jsonList(items)
}

/** A silence as JSON, with its members in the order of the API. */
export function silenceJson(silence: GettableSilence): string {
  const matchers = silence.matchers.map(
    ({ isEqual, isRegex, name, value }) =>
      `{"isEqual":${isEqual},"isRegex":${isRegex},"name":${goJsonString(name)},"value":${goJsonString(value)}}`,
  )
  return [
    `{"id":${goJsonString(silence.id)},"status":{"state":"${silence.status.state}"},"updatedAt":"`,
    silence.updatedAt,
    silence.annotations === undefined
      ? '"'
      : `","annotations":${labelsJson(labelSetFromObject(silence.annotations))}`,
    `,"comment":${goJsonString(silence.comment)},"createdBy":${goJsonString(silence.createdBy)}`,
    `,"endsAt":"${silence.endsAt}","matchers":[${matchers.join(',')}]`,
    `,"startsAt":"${silence.startsAt}"}`,
  ].join('')
}

async function chosen(
  alerts: AlertsContext,
  query: SilencesQuery,
): Promise<{ now: Instant; entries: SilenceEntry[] }> {
  const { active = true, pending = true, expired = true } = query
  const wanted: Readonly<Record<SilenceState, boolean>> = { active, pending, expired }
  const filters = await inSlices(readFilters(query.filter ?? [], alerts.options))
  const now = await alerts.board.refresh()
  const found: { entry: SilenceEntry; state: SilenceState; startsAt: Instant; endsAt: Instant }[] =
    []
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
  return { now, entries: found.map(({ entry }) => entry) }
}
