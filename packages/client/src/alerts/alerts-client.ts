import { type CallOptions, type ClientOptions, createRequester } from '../request.ts'
import type {
  Acknowledgements,
  AcknowledgementsQuery,
  AffectedAlerts,
  Alert,
  AlertGroup,
  AlertGroupsQuery,
  AlertHistory,
  AlertHistoryQuery,
  AlertsQuery,
  AlertsStatus,
  Fingerprints,
  NotificationHistory,
  NotificationsQuery,
  Occurrence,
  PostableAcknowledgement,
  PostableAlert,
  PostableRecurringSilence,
  PostableSilence,
  Receiver,
  ReceiversQuery,
  RecurrencePreview,
  RecurringSilence,
  Silence,
  SilenceExtension,
  SilenceHistory,
  SilenceHistoryQuery,
  SilencePreview,
  SilencePreviewRequest,
  SilencesQuery,
  TimeInterval,
  UnacknowledgeQuery,
} from '../types/alerts.ts'

/** Reads and changes alerts and silences. Every call may fail with a `GatehouseClientError`. */
export interface AlertsClient {
  readonly alerts: {
    /** Firing alerts. `filter` has matchers, such as `severity="critical"`. */
    list(query?: AlertsQuery, options?: CallOptions): Promise<readonly Alert[]>
    /** Posts alerts, or updates of known ones. */
    post(alerts: readonly PostableAlert[], options?: CallOptions): Promise<void>
    /** Firing alerts by group. */
    groups(query?: AlertGroupsQuery, options?: CallOptions): Promise<readonly AlertGroup[]>
    /** What happened to alerts, newest first. */
    history(query?: AlertHistoryQuery, options?: CallOptions): Promise<AlertHistory>
    /**
     * Acknowledges a firing alert, or all firing alerts of a group: notifications are not repeated while somebody takes care of
     * them. Returns their fingerprints. Fails with the reason `NotFound` if none is firing.
     */
    acknowledge(request: PostableAcknowledgement, options?: CallOptions): Promise<readonly string[]>
    /** Takes that back. Returns the fingerprints of the alerts that were acknowledged. */
    unacknowledge(request: UnacknowledgeQuery, options?: CallOptions): Promise<readonly string[]>
    /** Acknowledged alerts, the last first. */
    acknowledged(query?: AcknowledgementsQuery, options?: CallOptions): Promise<Acknowledgements>
  }
  readonly silences: {
    list(query?: SilencesQuery, options?: CallOptions): Promise<readonly Silence[]>
    /** Fails with the reason `NotFound` if there is none with this id. */
    get(id: string, options?: CallOptions): Promise<Silence>
    /** Creates a silence, or changes the one with its `id`. Returns its id, which a change may replace. */
    create(silence: PostableSilence, options?: CallOptions): Promise<string>
    /** Ends a silence now. */
    expire(id: string, options?: CallOptions): Promise<void>
    /** Lets a silence end later: `endsAt`, or `byMs` after the end it has. */
    extend(extension: SilenceExtension, options?: CallOptions): Promise<Silence>
    /** What a silence with these matchers would cover now, and would have covered lately. */
    preview(request: SilencePreviewRequest, options?: CallOptions): Promise<SilencePreview>
    /** The alerts that fired while a silence covered them. */
    affected(id: string, options?: CallOptions): Promise<AffectedAlerts>
    /** Silences that are created again and again. */
    readonly recurring: {
      list(options?: CallOptions): Promise<readonly RecurringSilence[]>
      create(silence: PostableRecurringSilence, options?: CallOptions): Promise<RecurringSilence>
      /** Deletes it, and ends the silence of its present or next occurrence. */
      delete(id: string, options?: CallOptions): Promise<void>
      /** The next ten occurrences of time intervals. */
      preview(
        timeIntervals: readonly TimeInterval[],
        options?: CallOptions,
      ): Promise<readonly Occurrence[]>
    }
    /** What users did to silences, newest first. */
    history(query?: SilenceHistoryQuery, options?: CallOptions): Promise<SilenceHistory>
  }
  receivers(query?: ReceiversQuery, options?: CallOptions): Promise<readonly Receiver[]>
  /** What became of notifications, newest first. */
  notifications(query?: NotificationsQuery, options?: CallOptions): Promise<NotificationHistory>
  status(options?: CallOptions): Promise<AlertsStatus>
}

const api = '/api/v2'
const own = '/gatehouse/v1'
const acknowledgements = `${own}/acknowledgements`

/**
 * A client of the alert service.
 *
 * @example
 * const { alerts } = createAlertsClient({ url: 'https://alerts.example.com' })
 * const critical = await alerts.list({ filter: ['severity="critical"'] })
 */
export function createAlertsClient(options: ClientOptions = {}): AlertsClient {
  const { json } = createRequester(options)
  const reader =
    <Query extends object, T>(path: string) =>
    (query?: Query, given?: CallOptions): Promise<T> =>
      json(path, { query, ...given })
  const silenceAt = (id: string): string => `${api}/silence/${encodeURIComponent(id)}`
  return {
    alerts: {
      list: reader(`${api}/alerts`),
      post: (alerts, given) => json(`${api}/alerts`, { method: 'POST', body: alerts, ...given }),
      groups: reader(`${api}/alerts/groups`),
      history: reader(`${own}/alert-history`),
      async acknowledge(request, given) {
        const call = { method: 'POST', body: request, ...given } as const
        return (await json<Fingerprints>(acknowledgements, call)).fingerprints
      },
      async unacknowledge(query, given) {
        const call = { method: 'DELETE', query, ...given } as const
        return (await json<Fingerprints>(acknowledgements, call)).fingerprints
      },
      acknowledged: reader(acknowledgements),
    },
    silences: {
      list: reader(`${api}/silences`),
      get: (id, given) => json(silenceAt(id), given),
      async create(silence, given) {
        const call = { method: 'POST', body: silence, ...given } as const
        return (await json<{ silenceID: string }>(`${api}/silences`, call)).silenceID
      },
      expire: (id, given) => json(silenceAt(id), { method: 'DELETE', ...given }),
      extend: (extension, given) =>
        json(`${own}/silence-extensions`, { method: 'POST', body: extension, ...given }),
      preview: (request, given) =>
        json(`${own}/silence-preview`, { method: 'POST', body: request, ...given }),
      affected: (id, given) =>
        json(`${own}/affected-alerts`, { query: { silenceID: id }, ...given }),
      recurring: {
        list: (given) => json(`${own}/recurring-silences`, given),
        create: (silence, given) =>
          json(`${own}/recurring-silences`, { method: 'POST', body: silence, ...given }),
        delete: (id, given) =>
          json(`${own}/recurring-silences/${encodeURIComponent(id)}`, {
            method: 'DELETE',
            ...given,
          }),
        async preview(timeIntervals, given) {
          const call = { method: 'POST', body: { timeIntervals }, ...given } as const
          return (await json<RecurrencePreview>(`${own}/recurrence-preview`, call)).occurrences
        },
      },
      history: reader(`${own}/silence-history`),
    },
    receivers: reader(`${api}/receivers`),
    notifications: reader(`${own}/notifications`),
    status: (given) => json(`${api}/status`, given),
  }
}

/**
 * All items of a history, page by page as they are read.
 *
 * @example
 * const { notifications } = createAlertsClient()
 * for await (const { receiver, detail } of everyItem(notifications, { outcome: ['failed'] })) {
 *   console.log(receiver, detail)
 * }
 */
export async function* everyItem<Item, Query extends { readonly after?: string }>(
  list: (
    query?: Query,
    options?: CallOptions,
  ) => Promise<{ items: readonly Item[]; next?: string }>,
  query?: Query,
  options?: CallOptions,
): AsyncGenerator<Item> {
  let page = await list(query, options)
  for (;;) {
    yield* page.items
    if (page.next === undefined) return
    // It differs from the given query only in its `after`.
    page = await list({ ...query, after: page.next } as Query, options)
  }
}
