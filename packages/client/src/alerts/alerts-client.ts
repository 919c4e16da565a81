import { type ChangesOptions, followChanges } from '../changes.ts'
import { type CallOptions, type ClientOptions, createRequester } from '../request.ts'
import type {
  Acknowledgements,
  AcknowledgementsQuery,
  AffectedAlerts,
  Alert,
  AlertEvent,
  AlertGroup,
  AlertGroupSummary,
  AlertGroupsPage,
  AlertGroupsPageQuery,
  AlertGroupsQuery,
  AlertHistory,
  AlertHistoryQuery,
  AlertSummary,
  AlertSummaryQuery,
  AlertsChangesQuery,
  AlertsPage,
  AlertsPageQuery,
  AlertsQuery,
  AlertsStatus,
  ConfigPreview,
  ConfigPreviewRequest,
  ExpectedAlert,
  ExpectedAlerts,
  Explanation,
  Fingerprints,
  FiringHistory,
  LabelSet,
  ListedRoute,
  MeQuery,
  Notification,
  NotificationCounts,
  NotificationCountsQuery,
  NotificationDetails,
  NotificationHistory,
  NotificationsQuery,
  Occurrence,
  OtherAlertGroups,
  OtherAlertGroupsQuery,
  OtherServers,
  PostableAcknowledgement,
  PostableAlert,
  PostableRecurringSilence,
  PostableSilence,
  Receiver,
  ReceiversQuery,
  ReceiverTest,
  ReceiverTestRequest,
  RecurrencePreview,
  RecurringSilence,
  RecurringSilences,
  ServerStatus,
  Silence,
  SilenceEvent,
  SilenceExtension,
  SilenceHistory,
  SilenceHistoryQuery,
  SilencePreview,
  SilencePreviewRequest,
  SilencesPage,
  SilencesPageQuery,
  SilencesQuery,
  TestedIntegration,
  TimeInterval,
  UnacknowledgeQuery,
  WhoAmI,
} from '../types.ts'

/** Reads and changes alerts and silences. Every call may fail with a `GatehouseClientError`. */
export interface AlertsClient {
  readonly alerts: {
    /** Firing alerts. `filter` has matchers, such as `severity="critical"`. */
    list(query?: AlertsQuery, options?: CallOptions): Promise<readonly Alert[]>
    /** Posts alerts, or updates of known ones. */
    post(alerts: readonly PostableAlert[], options?: CallOptions): Promise<void>
    /** Firing alerts by group. */
    groups(query?: AlertGroupsQuery, options?: CallOptions): Promise<readonly AlertGroup[]>
    /** A page of the firing alerts, sorted. With `fields`, items have only these properties. {@link everyItem} reads all pages. */
    page(query?: AlertsPageQuery, options?: CallOptions): Promise<AlertsPage>
    /** A page of the alert groups without their alerts: `page({ group: id })` has those. */
    groupsPage(query?: AlertGroupsPageQuery, options?: CallOptions): Promise<AlertGroupsPage>
    /** Firing alerts in numbers, by state, severity, receiver and label. */
    summary(query?: AlertSummaryQuery, options?: CallOptions): Promise<AlertSummary>
    /** What happened to alerts, newest first. */
    history(query?: AlertHistoryQuery, options?: CallOptions): Promise<AlertHistory>
    /** How many alerts fired in the last day, for each quarter of an hour. */
    firingHistory(options?: CallOptions): Promise<FiringHistory>
    /** Firing alerts of another server by group, as this server reads them. Fails with the reason `OtherServerFailed` if it cannot. */
    ofServer(
      name: string,
      query?: OtherAlertGroupsQuery,
      options?: CallOptions,
    ): Promise<readonly AlertGroup[]>
    /**
     * Acknowledges a firing alert, or all firing alerts of a group: acknowledged alerts are not
     * notified again. Returns their fingerprints. Fails with the reason `AlertNotFound` or `AlertGroupNotFound` if none is firing.
     */
    acknowledge(request: PostableAcknowledgement, options?: CallOptions): Promise<readonly string[]>
    /** Takes that back. Returns the fingerprints of the alerts that were acknowledged. */
    unacknowledge(request: UnacknowledgeQuery, options?: CallOptions): Promise<readonly string[]>
    /** Acknowledged alerts, the last first. */
    acknowledged(query?: AcknowledgementsQuery, options?: CallOptions): Promise<Acknowledgements>
    /** Alerts that must keep coming, and whether they do. */
    expected(options?: CallOptions): Promise<readonly ExpectedAlert[]>
  }
  /** Other servers whose alerts this one reads, by name, with the addresses of their pages. */
  otherServers(options?: CallOptions): Promise<OtherServers['items']>
  readonly silences: {
    list(query?: SilencesQuery, options?: CallOptions): Promise<readonly Silence[]>
    /** A page of the silences, sorted. */
    page(query?: SilencesPageQuery, options?: CallOptions): Promise<SilencesPage>
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
  /** Explains how the server treats an alert with these labels: its routes, groups, silences and notifications. The alert need not exist. */
  explain(labels: LabelSet, options?: CallOptions): Promise<Explanation>
  /** The routing tree from its root, with the numbers of firing alerts. */
  routes(options?: CallOptions): Promise<ListedRoute>
  /** What is wrong with a draft of the configuration, and which alerts it would send elsewhere. */
  previewConfig(request: ConfigPreviewRequest, options?: CallOptions): Promise<ConfigPreview>
  receivers(query?: ReceiversQuery, options?: CallOptions): Promise<readonly Receiver[]>
  /** Notifications and their outcomes, newest first. */
  notifications(query?: NotificationsQuery, options?: CallOptions): Promise<NotificationHistory>
  /** A notification with its alerts, and its message rendered again. Fails with the reason `NotificationNotFound` if there is none. */
  notification(id: string, options?: CallOptions): Promise<NotificationDetails>
  /** Numbers of notifications by receiver and time. */
  notificationCounts(
    query?: NotificationCountsQuery,
    options?: CallOptions,
  ): Promise<NotificationCounts>
  /** Really sends a test notification through each integration of a receiver, once, and returns how each ended. */
  testReceiver(
    request: ReceiverTestRequest,
    options?: CallOptions,
  ): Promise<readonly TestedIntegration[]>
  /**
   * Follows the changes of alerts, groups, silences and history. At each `reset`, the first one at the start, read the lists; the
   * changes after it are complete. It connects again by itself. Leave the loop, or abort the signal, to stop.
   */
  changes(query?: ChangesQuery, options?: ChangesOptions): AsyncGenerator<AlertsChange>
  status(options?: CallOptions): Promise<AlertsStatus>
  /** The storage, the history, the processes and the problems of the server. */
  serverStatus(options?: CallOptions): Promise<ServerStatus>
  /** The metrics in the text format of Prometheus. */
  metrics(options?: CallOptions): Promise<string>
  /**
   * Who sends the requests of this client, and what they may do. With `signIn`, it fails with the reason `NotAuthenticated` for an
   * unknown sender; a browser asks for a password first if the server takes one.
   */
  me(query?: MeQuery, options?: CallOptions): Promise<WhoAmI>
}

/** Which changes to follow. */
export type ChangesQuery = Omit<AlertsChangesQuery, 'since'>

/** The data of each kind of change. */
export interface AlertsChangeData {
  /** Read the lists: too much has changed, or it is not known what has. */
  reset: Readonly<Record<string, never>>
  /** The alert fires, or differs in more than its end and its update. */
  alert: Alert
  /** The alert does not fire any more. */
  'alert-removed': { readonly fingerprint: string }
  'alert-group': AlertGroupSummary
  'alert-group-removed': { readonly id: string }
  silence: Silence
  'silence-removed': { readonly id: string }
  'alert-history': AlertEvent
  'silence-history': SilenceEvent
  notification: Notification
}

/** A change. Its data is the new state of the thing, and replaces the one before. */
export type AlertsChange = {
  [Type in keyof AlertsChangeData]: { readonly type: Type; readonly data: AlertsChangeData[Type] }
}[keyof AlertsChangeData]

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
  const requester = createRequester(options)
  const { json } = requester
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
      page: reader(`${own}/alerts`),
      groupsPage: reader(`${own}/alert-groups`),
      summary: reader(`${own}/alerts/summary`),
      history: reader(`${own}/alert-history`),
      async ofServer(name, query, given) {
        const path = `${own}/other-servers/${encodeURIComponent(name)}/alert-groups`
        return (await json<OtherAlertGroups>(path, { query, ...given })).items
      },
      firingHistory: (given) => json(`${own}/firing-history`, given),
      async acknowledge(request, given) {
        const call = { method: 'POST', body: request, ...given } as const
        return fingerprintsOf(await json(acknowledgements, call))
      },
      async unacknowledge(query, given) {
        const call = { method: 'DELETE', query, ...given } as const
        return fingerprintsOf(await json(acknowledgements, call))
      },
      acknowledged: reader(acknowledgements),
      async expected(given) {
        return (await json<ExpectedAlerts>(`${own}/expected-alerts`, given)).items
      },
    },
    async otherServers(given) {
      return (await json<OtherServers>(`${own}/other-servers`, given)).items
    },
    silences: {
      list: reader(`${api}/silences`),
      page: reader(`${own}/silences`),
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
        json(`${own}/affected-alerts`, { query: { silenceId: id }, ...given }),
      recurring: {
        async list(given) {
          return (await json<RecurringSilences>(`${own}/recurring-silences`, given)).items
        },
        create: (silence, given) =>
          json(`${own}/recurring-silences`, { method: 'POST', body: silence, ...given }),
        delete: (id, given) =>
          json(`${own}/recurring-silences/${encodeURIComponent(id)}`, {
            method: 'DELETE',
            ...given,
          }),
        async preview(timeIntervals, given) {
          const call = { method: 'POST', body: { timeIntervals }, ...given } as const
          return (await json<RecurrencePreview>(`${own}/recurrence-preview`, call)).items
        },
      },
      history: reader(`${own}/silence-history`),
    },
    explain: (labels, given) =>
      json(`${own}/explain`, { method: 'POST', body: { labels }, ...given }),
    previewConfig: (request, given) =>
      json(`${own}/config-preview`, { method: 'POST', body: request, ...given }),
    routes: (given) => json(`${own}/routes`, given),
    receivers: reader(`${api}/receivers`),
    notifications: reader(`${own}/notifications`),
    notification: (id, given) => json(`${own}/notifications/${encodeURIComponent(id)}`, given),
    notificationCounts: reader(`${own}/notification-counts`),
    async testReceiver(request, given) {
      const call = { method: 'POST', body: request, ...given } as const
      return (await json<ReceiverTest>(`${own}/receiver-tests`, call)).items
    },
    async *changes(query, given = {}) {
      const call = { path: `${own}/changes`, ...(query && { query }) }
      for await (const { event, data } of followChanges(requester, call, given)) {
        yield { type: event, data: JSON.parse(data) } as AlertsChange
      }
    },
    status: (given) => json(`${api}/status`, given),
    serverStatus: (given) => json(`${own}/server-status`, given),
    metrics: (given) => json('/metrics', given),
    me: (query, given) => json(`${own}/me`, { query, ...given }),
  }
}

const fingerprintsOf = ({ items }: Fingerprints): readonly string[] =>
  items.map(({ fingerprint }) => fingerprint)

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
