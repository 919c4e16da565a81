import { createCaller, splitPlace } from '../call.ts'
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
  AlertsCalls,
  AlertsChangesQuery,
  AlertsPage,
  AlertsPageQuery,
  AlertsQuery,
  AlertsStatus,
  ConfigPreview,
  ConfigPreviewRequest,
  ExpectedAlert,
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
  OtherAlertGroupsQuery,
  OtherServers,
  PostableAcknowledgement,
  PostableAlert,
  PostableRecurringSilence,
  PostableSilence,
  Receiver,
  ReceiversQuery,
  ReceiverTestRequest,
  RecurringSilence,
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

/**
 * A client of the alert service.
 *
 * @example
 * const { alerts } = createAlertsClient({ url: 'https://alerts.example.com' })
 * const critical = await alerts.list({ filter: ['severity="critical"'] })
 */
export function createAlertsClient(options: ClientOptions = {}): AlertsClient {
  const requester = createRequester(options)
  const call = createCaller<AlertsCalls>(requester)
  return {
    alerts: {
      list: (query, given) => call('GET /api/v2/alerts', { query }, given),
      post: (alerts, given) => call('POST /api/v2/alerts', { body: alerts }, given),
      groups: (query, given) => call('GET /api/v2/alerts/groups', { query }, given),
      page: (query, given) => call('GET /gatehouse/v1/alerts', { query }, given),
      groupsPage: (query, given) => call('GET /gatehouse/v1/alert-groups', { query }, given),
      summary: (query, given) => call('GET /gatehouse/v1/alerts/summary', { query }, given),
      history: (query, given) => call('GET /gatehouse/v1/alert-history', { query }, given),
      ofServer: async (name, query, given) =>
        (
          await call(
            'GET /gatehouse/v1/other-servers/:name/alert-groups',
            { path: { name }, query },
            given,
          )
        ).items,
      firingHistory: (given) => call('GET /gatehouse/v1/firing-history', {}, given),
      acknowledge: async (body, given) =>
        fingerprintsOf(await call('POST /gatehouse/v1/acknowledgements', { body }, given)),
      unacknowledge: async (query, given) =>
        fingerprintsOf(await call('DELETE /gatehouse/v1/acknowledgements', { query }, given)),
      acknowledged: (query, given) => call('GET /gatehouse/v1/acknowledgements', { query }, given),
      expected: async (given) => (await call('GET /gatehouse/v1/expected-alerts', {}, given)).items,
    },
    otherServers: async (given) => (await call('GET /gatehouse/v1/other-servers', {}, given)).items,
    silences: {
      list: (query, given) => call('GET /api/v2/silences', { query }, given),
      page: (query, given) => call('GET /gatehouse/v1/silences', { query }, given),
      get: (id, given) =>
        call('GET /api/v2/silence/:silenceID', { path: { silenceID: id } }, given),
      create: async (body, given) =>
        (await call('POST /api/v2/silences', { body }, given)).silenceID,
      expire: (id, given) =>
        call('DELETE /api/v2/silence/:silenceID', { path: { silenceID: id } }, given),
      extend: (body, given) => call('POST /gatehouse/v1/silence-extensions', { body }, given),
      preview: (body, given) => call('POST /gatehouse/v1/silence-preview', { body }, given),
      affected: (id, given) =>
        call('GET /gatehouse/v1/affected-alerts', { query: { silenceId: id } }, given),
      recurring: {
        list: async (given) =>
          (await call('GET /gatehouse/v1/recurring-silences', {}, given)).items,
        create: (body, given) => call('POST /gatehouse/v1/recurring-silences', { body }, given),
        delete: (id, given) =>
          call('DELETE /gatehouse/v1/recurring-silences/:id', { path: { id } }, given),
        preview: async (timeIntervals, given) =>
          (await call('POST /gatehouse/v1/recurrence-preview', { body: { timeIntervals } }, given))
            .items,
      },
      history: (query, given) => call('GET /gatehouse/v1/silence-history', { query }, given),
    },
    explain: (labels, given) => call('POST /gatehouse/v1/explain', { body: { labels } }, given),
    previewConfig: (body, given) => call('POST /gatehouse/v1/config-preview', { body }, given),
    routes: (given) => call('GET /gatehouse/v1/routes', {}, given),
    receivers: (query, given) => call('GET /api/v2/receivers', { query }, given),
    notifications: (query, given) => call('GET /gatehouse/v1/notifications', { query }, given),
    notification: (id, given) =>
      call('GET /gatehouse/v1/notifications/:id', { path: { id } }, given),
    notificationCounts: (query, given) =>
      call('GET /gatehouse/v1/notification-counts', { query }, given),
    testReceiver: async (body, given) =>
      (await call('POST /gatehouse/v1/receiver-tests', { body }, given)).items,
    async *changes(query, given = {}) {
      const { path } = splitPlace<keyof AlertsCalls>('GET /gatehouse/v1/changes')
      const stream = { path, ...(query && { query }) }
      for await (const { event, data } of followChanges(requester, stream, given)) {
        yield { type: event, data: JSON.parse(data) } as AlertsChange
      }
    },
    status: (given) => call('GET /api/v2/status', {}, given),
    serverStatus: (given) => call('GET /gatehouse/v1/server-status', {}, given),
    metrics: (given) => call('GET /metrics', {}, given),
    me: (query, given) => call('GET /gatehouse/v1/me', { query }, given),
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
