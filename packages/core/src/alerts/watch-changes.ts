import { inSlices } from '../async/slices.ts'
import type { ChangeFilter } from '../changes/change.ts'
import { readEvents } from '../changes/read-events.ts'
import { anyText, decodeInput, exactly, listOf, oneOf, optional } from '../input/decode.ts'
import type { GettableAlert } from './alert/alert.ts'
import type { AlertGroupSummary } from './board/alert-group-json.ts'
import { readFilters } from './board/alert-query.ts'
import { type ChangeTopic, changeFilter, changeTopics } from './changes/topic.ts'
import type { AlertsContext } from './context.ts'
import { invalidChangesQuery } from './errors.ts'
import type { GettableAlertEvent } from './history/alert-event.ts'
import type { GettableNotification } from './history/notification-record.ts'
import type { GettableSilenceEvent } from './history/silence-event.ts'
import type { GettableSilence } from './silence/silence.ts'

/** Which changes to follow. */
export interface ChangesQuery {
  /** Only these lists (default `alerts`, `alert-groups` and `silences`). */
  types?: readonly ChangeTopic[]
  /** Matchers in their text form. Alerts, their groups and their history must match all; other changes have no labels. */
  filter?: readonly string[]
  /** Continues after this position, from {@link AlertsChange}. */
  since?: string | undefined
}

/** The data of each kind of change. */
export interface AlertsChangeData {
  /** The stream is open. If it did not resume, read the lists now: changes after this event are sent. */
  ready: { readonly resumed: boolean }
  /** Too much has changed to send it one by one: read the lists again. */
  reset: Readonly<Record<string, never>>
  /** The server ends the stream, because the reader was too slow, it shuts down, or rights are asked again. */
  end: { readonly reason: 'slow' | 'closing' | 'renew' }
  /** The alert fires, or differs in more than its end and its update. */
  alert: GettableAlert
  /** The alert does not fire any more. */
  'alert-removed': { readonly fingerprint: string }
  'alert-group': AlertGroupSummary
  'alert-group-removed': { readonly id: string }
  silence: GettableSilence
  'silence-removed': { readonly id: string }
  'alert-history': GettableAlertEvent
  'silence-history': GettableSilenceEvent
  notification: GettableNotification
}

/** A change. `data` is the new state of the thing: a later change of the same thing replaces it. */
export type AlertsChange = {
  [Type in keyof AlertsChangeData]: {
    readonly type: Type
    readonly data: AlertsChangeData[Type]
    /** For {@link ChangesQuery.since}: everything up to here was returned. */
    readonly position: string | undefined
  }
}[keyof AlertsChangeData]

const changesQuery = exactly<ChangesQuery>({
  types: optional(listOf(oneOf(changeTopics))),
  filter: optional(listOf(anyText)),
  since: optional(anyText),
})

const defaultTopics: readonly ChangeTopic[] = ['alerts', 'alert-groups', 'silences']
const historyTopics: readonly ChangeTopic[] = ['alert-history', 'silence-history', 'notifications']

/**
 * Follows the changes of alerts, groups, silences and history, of this process and of others that share the storage. Leave the
 * loop to stop. A slow reader gets only the latest state of each thing; history is not collapsed, so it may need a `reset`.
 *
 * @throws {GatehouseError} `InvalidInput`, `TooManyFilters`, `InvalidMatcher`; `InvalidChangesQuery` for history that is not kept;
 * `TooManyListeners`; `ServiceClosing` after {@link closeAlerts}.
 * @example
 * for await (const change of watchChanges(alerts, { types: ['silences'] })) {
 *   if (change.type === 'silence') console.log(change.data.id, change.data.status.state)
 * }
 */
export async function* watchChanges(
  alerts: AlertsContext,
  query: ChangesQuery = {},
): AsyncGenerator<AlertsChange> {
  const stream = await openChanges(alerts, decodeInput('query', changesQuery, query))
  for await (const { event, data, position } of readEvents(stream)) {
    // The hub writes no other events.
    yield { type: event, data: JSON.parse(data), position } as AlertsChange
  }
}

/** The stream of {@link watchChanges} as Server-Sent Events, for a query whose types were checked. See {@link ChangeHub.listen}. */
export async function openChanges(
  alerts: AlertsContext,
  query: ChangesQuery,
  maxAgeMs?: number,
): Promise<ReadableStream<Uint8Array>> {
  return alerts.changes.listen(await filterOf(alerts, query), query.since, maxAgeMs)
}

async function filterOf(
  { options }: AlertsContext,
  { types = [], filter = [] }: ChangesQuery,
): Promise<ChangeFilter<ChangeTopic>> {
  const topics = types.length === 0 ? defaultTopics : types
  const notKept = topics.find((topic) => historyTopics.includes(topic))
  if (options.historyRetentionMs === 0 && notKept !== undefined) {
    throw invalidChangesQuery(`${notKept} cannot be followed: no history is kept`)
  }
  return changeFilter(topics, await inSlices(readFilters(filter, options)))
}
