// Written by `npm run generate`; the schemas in `api/` are where to change it.

/** What a request can do. */
export type AccessAction =
  | 'alerts:read'
  | 'alerts:post'
  | 'alerts:acknowledge'
  | 'silences:write'
  | 'silences:write-others'
  | 'receivers:test'
  | 'config:read'
  | 'config:reload'
  | 'metrics:read'
  | 'webhooks:read'
  | 'webhooks:run'
  | 'webhooks:cancel'
  | 'users:manage'
  | 'api-keys:manage'
  | 'users:impersonate'

/** A firing alert that is acknowledged. */
export interface AcknowledgedAlert {
  readonly fingerprint: string
  readonly labels: LabelSet
  readonly by: string
  readonly comment: string
  readonly since: string
  /** When it ends. Absent: when the alert resolves. */
  readonly until?: string
}

/** Who takes care of an alert. */
export interface Acknowledgement {
  readonly by: string
  readonly comment: string
  readonly since: string
  /** When it ends. Absent: when the alert resolves. */
  readonly until?: string
}

/** A page of alerts, the last acknowledged first. */
export interface Acknowledgements {
  readonly items: readonly AcknowledgedAlert[]
  /** The `after` of the next page. Absent at the end. */
  readonly next?: string
}

/** An alert that a silence has covered. */
export interface AffectedAlert {
  readonly fingerprint: string
  readonly labels: LabelSet
}

/** The alerts that a silence has covered. */
export interface AffectedAlerts {
  /** By fingerprint, at most 1,000. */
  readonly items: readonly AffectedAlert[]
  /** How many there are. */
  readonly total: number
  /** Whether the history was kept and searched as far back as is needed: at most 200,000 records are searched. */
  readonly isWhole: boolean
}

/** A firing alert. */
export interface Alert {
  readonly labels: LabelSet
  readonly annotations: LabelSet
  readonly generatorURL?: string
  readonly receivers: readonly Receiver[]
  readonly fingerprint: string
  readonly startsAt: string
  readonly updatedAt: string
  readonly endsAt: string
  readonly status: AlertStatus
  /** Only of an acknowledged alert. An addition to the API. */
  readonly acknowledgement?: Acknowledgement
}

/** Something that happened to an alert. */
export interface AlertEvent {
  readonly id: string
  readonly at: string
  readonly event: AlertEventKind
  readonly fingerprint: string
  readonly labels: LabelSet
  readonly annotations: LabelSet
  readonly generatorURL?: string
  readonly startsAt: string
  /** Of an alert that has ended. */
  readonly endsAt?: string
  /** Who acknowledged the alert, or took that back. */
  readonly by?: string
  /** Of an acknowledgement. */
  readonly comment?: string
  /** Of an acknowledgement. */
  readonly until?: string
}

/** What happened to an alert. */
export type AlertEventKind =
  | 'firing'
  | 'changed'
  | 'resolved'
  | 'expired'
  | 'acknowledged'
  | 'unacknowledged'

/** Alerts that are notified together. */
export interface AlertGroup {
  readonly labels: LabelSet
  readonly receiver: Receiver
  readonly routeLabels?: LabelSet
  readonly alerts: readonly Alert[]
}

/** An alert group without its alerts. */
export interface AlertGroupSummary {
  /** Identifies the group among all groups. */
  readonly id: string
  /** As in notifications. Groups of several routes may share it. */
  readonly groupKey: string
  readonly labels: LabelSet
  readonly receiver: Receiver
  /** Names of time intervals. */
  readonly mutedBy: readonly string[]
  /** The number of its alerts: of all, of those that nothing suppresses, and of the others. */
  readonly counts: { readonly all: number; readonly active: number; readonly suppressed: number }
  /** The earliest start of its alerts. */
  readonly startsAt: string
}

/** A page of the alert groups. */
export interface AlertGroupsPage {
  /** With `fields`, only with these properties. */
  readonly items: readonly AlertGroupSummary[]
  /** The number of items on all pages. */
  readonly total: number
  /** The `after` of the next page. Absent at the end. */
  readonly next?: string
}

/** A page of events of alerts, newest first. */
export interface AlertHistory {
  /** May be fewer than the limit, or none, although there are more. */
  readonly items: readonly AlertEvent[]
  /** The `after` of the next page. Absent at the end. */
  readonly next?: string
}

/** Whether an alert is suppressed, and by what. */
export interface AlertStatus {
  readonly state: 'unprocessed' | 'active' | 'suppressed'
  /** Ids of the active silences that match, sorted. */
  readonly silencedBy: readonly string[]
  /** The fingerprint of an alert that inhibits this one, if any. */
  readonly inhibitedBy: readonly string[]
  /** Names of the time intervals that mute the group of the alert. Empty outside of the list of groups. */
  readonly mutedBy: readonly string[]
}

/** Numbers of alerts. One may be silenced and inhibited. */
export interface AlertSummary {
  /** `active` and `suppressed` together. */
  readonly total: number
  readonly active: number
  readonly suppressed: number
  readonly silenced: number
  readonly inhibited: number
  readonly acknowledged: number
  /** Those that started in the last 15 minutes. */
  readonly recent: number
  /** The most severe first, at most twenty; `""` for alerts without a severity. */
  readonly severities: readonly { readonly value: string; readonly alerts: number }[]
  /** The most frequent first, at most twenty. An alert may have several. */
  readonly receivers: readonly { readonly value: string; readonly alerts: number }[]
  /** The labels that most alerts have first, at most twenty. */
  readonly labels: readonly {
    readonly name: string
    /** The alerts that have the label. */
    readonly alerts: number
    /** How many different values it has. */
    readonly distinct: number
    /** The most frequent first, at most ten. */
    readonly values: readonly { readonly value: string; readonly alerts: number }[]
  }[]
}

/** Why a request was refused. */
export interface AlertsFailure {
  readonly reason: AlertsReason
  /** For people: may change. */
  readonly message: string
  /** Details for programs. */
  readonly info?: Readonly<Record<string, unknown>>
}

/** A page of the firing alerts. */
export interface AlertsPage {
  /** With `fields`, only with these properties. */
  readonly items: readonly Alert[]
  /** The number of items on all pages. */
  readonly total: number
  /** The `after` of the next page. Absent at the end. */
  readonly next?: string
}

/** Why a request below `/gatehouse/v1` was refused. */
export type AlertsReason =
  | 'InvalidInput'
  | 'InvalidQuery'
  | 'InvalidPageQuery'
  | 'InvalidHistoryQuery'
  | 'InvalidChangesQuery'
  | 'InvalidMatcher'
  | 'InvalidReceiver'
  | 'InvalidReceiverMatchers'
  | 'TooManyFilters'
  | 'UnparsableBody'
  | 'UnsupportedMediaType'
  | 'BodyTooLarge'
  | 'BodyUnreadable'
  | 'MethodNotAllowed'
  | 'NotFound'
  | 'Forbidden'
  | 'NotAuthenticated'
  | 'NotAllowed'
  | 'AlertNotFound'
  | 'AlertGroupNotFound'
  | 'NotificationNotFound'
  | 'ReceiverNotFound'
  | 'SilenceNotFound'
  | 'RecurringSilenceNotFound'
  | 'OtherServerNotFound'
  | 'OtherServerFailed'
  | 'InvalidAcknowledgement'
  | 'InvalidSilence'
  | 'SilenceLimitExceeded'
  | 'ServerBusy'
  | 'TooManyRequests'
  | 'HostNotAllowed'
  | 'TooManyListeners'
  | 'TimedOut'
  | 'DecisionQueueFull'
  | 'ServiceClosing'
  | 'StorageClosed'
  | 'StorageConflict'
  | 'StorageUnavailable'
  | 'UnexpectedError'

/** The state of the service. */
export interface AlertsStatus {
  readonly cluster: {
    readonly name?: string
    readonly status: 'ready' | 'settling' | 'disabled'
    readonly peers?: readonly { readonly name: string; readonly address: string }[]
  }
  readonly versionInfo: {
    readonly version: string
    readonly revision: string
    readonly branch: string
    readonly buildUser: string
    readonly buildDate: string
    readonly goVersion: string
  }
  readonly config: {
    /** YAML, with secrets masked. */ readonly original: string
  }
  /** When the service started. */
  readonly uptime: string
}

/** A list that a stream of changes follows. */
export type ChangeTopic =
  | 'alerts'
  | 'alert-groups'
  | 'silences'
  | 'alert-history'
  | 'silence-history'
  | 'notifications'

/** What is wrong with a draft, or what would change. */
export interface ConfigPreview {
  /** By line. Empty if the draft is valid. */
  readonly problems: readonly {
    readonly line: number
    readonly column: number
    readonly message: string
    /** Where the route begins that has the problem; absent if none has it. */
    readonly routeLine?: number
  }[]
  /** Probable mistakes: `<secret>`, which stands in place of a secret. */
  readonly warnings: readonly {
    readonly line: number
    readonly column: number
    readonly message: string
    /** Where the route begins that has the problem; absent if none has it. */
    readonly routeLine?: number
  }[]
  /** Which alerts would be routed differently. Absent if there are problems. */
  readonly difference?: RouteDifference
  /** Whether the whole history of that time was searched: at most 200,000 records and 20,000 alerts. */
  readonly isWhole: boolean
}

/** A draft of the configuration. */
export interface ConfigPreviewRequest {
  /** The text of `alertmanager.yml`. References to the environment are not resolved, and no file is read. */
  readonly config: string
  /** Compares the alerts that fired since so many ms, too. Default: only those of now. */
  readonly historyMs?: number
}

/** An alert that must keep coming. */
export interface ExpectedAlert {
  readonly name: string
  readonly matchers: readonly string[]
  readonly everyMs: number
  readonly state: ExpectedState
  /** When the last one came. Absent if none is known. May be a minute old. */
  readonly seenAt?: string
  /** When the alert fires unless one comes. Absent while it fires, and while no process watches. */
  readonly dueAt?: string
  /** Of the alert that fires while they are missing. */
  readonly fingerprint: string
}

/** All expected alerts. */
export interface ExpectedAlerts {
  readonly items: readonly ExpectedAlert[]
}

/** Whether expected alerts come: `waiting` before the first one, `missing` while their alert fires, `unwatched` if no process watches. */
export type ExpectedState = 'present' | 'waiting' | 'missing' | 'unwatched'

/** The group of an alert at a route. */
export interface ExplainedGroup {
  /** As in lists of groups. */
  readonly id: string
  /** When it is flushed next. Absent while it has no alert, or if nothing dispatches. */
  readonly nextFlushAt?: string
  readonly integrations: readonly ExplainedIntegration[]
}

/** An alert that inhibits another. */
export interface ExplainedInhibition {
  /** The index of the rule among the inhibit rules, from 0. */
  readonly rule: number
  /** The name of the rule, if it has one. */
  readonly name?: string
  readonly sourceMatchers: readonly string[]
  readonly targetMatchers: readonly string[]
  /** The labels that both alerts share. */
  readonly equal: LabelSet
  readonly sourceFingerprint: string
  readonly sourceLabels: LabelSet
}

/** What an integration of a receiver knows about an alert. */
export interface ExplainedIntegration {
  /** As `webhook/0`. */
  readonly integration: string
  /** The last notification about the group. Absent if there was none, or it is too long ago. */
  readonly lastNotifiedAt?: string
  /** Whether it was notified that the alert fires. */
  readonly knows: boolean
  /** Whether it is notified of the end of alerts. */
  readonly sendResolved: boolean
  /** The next flush after this instant notifies of the group again, although nothing changes. */
  readonly repeatsAt?: string
  /** The rate limit that keeps notifications about the group back, such as `receiver "team"`. */
  readonly limitedBy?: string
  /** When that limit allows one more, or has allowed one. */
  readonly limitedUntil?: string
  /** Whether summaries are sent about the group, until its alerts are resolved. */
  readonly summarized?: boolean
}

/** What happens next to an alert at a route. */
export interface ExplainedNext {
  readonly what: 'notification' | 'repetition' | 'nothing'
  /** When, unless something changes. */
  readonly at?: string
  /** In words, for people. */
  readonly because: string
}

/** A route that an alert takes. */
export interface ExplainedRoute {
  /** As in the routing tree. Those of its parents are its beginnings. */
  readonly id: string
  readonly receiver: string
  /** The matchers of each route from the root to this one, in their text form. */
  readonly path: readonly string[]
  /** Whether an earlier route with `continue` took the alert, too. */
  readonly continued: boolean
  readonly groupLabels: LabelSet
  readonly groupKey: string
  /** The labels of the route, rendered as for a group of this alert alone. */
  readonly routeLabels: LabelSet
  readonly groupWaitMs: number
  readonly groupIntervalMs: number
  readonly repeatIntervalMs: number
  /** Time intervals that mute the group now. */
  readonly mutedBy: readonly string[]
  /** The group as the dispatcher keeps it. Absent at routes after the hundredth. */
  readonly group?: ExplainedGroup
  readonly next: ExplainedNext
}

/** What happens to an alert, and why. */
export interface Explanation {
  readonly labels: LabelSet
  readonly fingerprint: string
  readonly firing: boolean
  readonly state: 'active' | 'suppressed'
  readonly routes: readonly ExplainedRoute[]
  readonly silencedBy: readonly Silence[]
  readonly inhibitedBy?: ExplainedInhibition
  readonly acknowledgement?: Acknowledgement
  /** The newest first, at most 20. Absent if no history is kept. */
  readonly notifications?: readonly Notification[]
  /** The same in sentences. */
  readonly reasons: readonly string[]
}

/** The labels of an alert, stored or not. */
export interface ExplanationRequest {
  readonly labels: LabelSet
}

/** Alerts. */
export interface Fingerprints {
  readonly items: readonly { readonly fingerprint: string }[]
}

/** How many alerts fired in the last day. */
export interface FiringHistory {
  /** The start of the first part. */
  readonly from: string
  /** The length of a part: a quarter of an hour. */
  readonly partMs: number
  /** The most alerts that fired at once, for each part, the last of which is not over; `null` if no process noted it. */
  readonly peaks: readonly (number | null)[]
}

/** Labels or annotations, by name. */
export type LabelSet = Readonly<Record<string, string>>

/** A route of the configuration, with its firing alerts. */
export interface ListedRoute {
  /** Such as `{}/{team="a"}/0`: unique in the tree. */
  readonly id: string
  /** Where it begins in the configuration that the status shows; absent if that does not show it. */
  readonly line?: number
  readonly receiver: string
  /** Of this route alone. */
  readonly matchers: readonly string[]
  /** Whether the routes after it are tried as well. */
  readonly continue: boolean
  /** Names of labels. `...` alone: all. */
  readonly groupBy: readonly string[]
  readonly groupWaitMs: number
  readonly groupIntervalMs: number
  readonly repeatIntervalMs: number
  readonly muteTimeIntervals: readonly string[]
  readonly activeTimeIntervals: readonly string[]
  /** Time intervals that mute it now. */
  readonly mutedBy: readonly string[]
  /** Firing alerts and groups here, without those of the routes below. An alert may be at several routes. */
  readonly counts: { readonly alerts: number; readonly groups: number }
  readonly routes: readonly ListedRoute[]
}

/** A silence with the number of its alerts. */
export interface ListedSilence {
  readonly id: string
  readonly status: { readonly state: SilenceState }
  readonly updatedAt: string
  readonly matchers: readonly Matcher[]
  readonly startsAt: string
  readonly endsAt: string
  readonly createdBy: string
  readonly comment: string
  readonly annotations?: LabelSet
  /** Whether it ends once the alerts that it covers have resolved. */
  readonly untilResolved?: boolean
  /** How long before its end the alert `SilenceEnding` fires, in ms. */
  readonly remindBeforeMs?: number
  /** How many firing alerts it matches, also before it starts. 0 once it has expired. */
  readonly alertCount: number
}

/** A matcher. `isEqual: false` negates it. */
export interface Matcher {
  readonly name: string
  readonly value: string
  readonly isRegex: boolean
  readonly isEqual: boolean
}

/** A decision of the notification pipeline. */
export interface Notification {
  readonly id: string
  readonly at: string
  readonly groupKey: string
  readonly groupHash: string
  /** Absent if the group key is cut off. */
  readonly groupLabels?: LabelSet
  readonly receiver: string
  /** As `webhook/0`. */
  readonly integration?: string
  readonly outcome: NotificationOutcome
  readonly reason?: string
  /** The error, or names of time intervals or people. */
  readonly detail?: string
  /** At most five silences or inhibiting alerts: the id or fingerprint, and the beginning of the comment or the name. */
  readonly causes?: readonly { readonly id: string; readonly name: string }[]
  /** Fingerprints, at most the first 200. */
  readonly firing: readonly string[]
  readonly resolved: readonly string[]
  readonly firingCount: number
  readonly resolvedCount: number
  readonly attempts?: number
  readonly tookMs?: number
}

/** An alert as it was then. */
export interface NotificationAlert {
  readonly fingerprint: string
  readonly status: 'firing' | 'resolved'
  readonly labels: LabelSet
  readonly annotations: LabelSet
  readonly generatorURL?: string
  readonly startsAt: string
}

/** Notifications by receiver and time. */
export interface NotificationCounts {
  readonly from: string
  readonly to: string
  /** The length of a part. The last one may be shorter. */
  readonly partMs: number
  /** Those with the most failures first, then those with the most notifications; at most 100. */
  readonly receivers: readonly ReceiverCounts[]
  /** The start of the time that was searched: later than `from` if there are more than 100,000 records, or if older ones expired. */
  readonly countedFrom: string
}

/** A decision with its alerts and its message. */
export interface NotificationDetails {
  readonly notification: Notification
  readonly alerts: readonly NotificationAlert[]
  /** How many recorded alerts are no longer in the history. */
  readonly unknownCount: number
  /** Rendered again with the running configuration. Absent without an integration, and without the right `config:read`. */
  readonly message?: RenderedIntegration
}

/** A page of decisions to notify or not, newest first. */
export interface NotificationHistory {
  /** May be fewer than the limit, or none, although there are more. */
  readonly items: readonly Notification[]
  /** The `after` of the next page. Absent at the end. */
  readonly next?: string
}

/** The outcome of a notification. */
export type NotificationOutcome =
  | 'sent'
  | 'failed'
  | 'canceled'
  | 'deduplicated'
  | 'acknowledged'
  | 'limited'
  | 'inhibited'
  | 'muted'
  | 'silenced'

/** A time at which a recurring silence holds. */
export interface Occurrence {
  readonly startsAt: string
  readonly endsAt: string
}

/** Alerts of another server, in its groups. */
export interface OtherAlertGroups {
  readonly items: readonly AlertGroup[]
}

/** Other servers whose alerts can be read here. */
export interface OtherServers {
  readonly items: readonly {
    readonly name: string
    /** The address of its page. */
    readonly url?: string
  }[]
}

/** An alert or a group to acknowledge. */
export interface PostableAcknowledgement {
  /** The alert. */
  readonly fingerprint?: string
  /** All labels of the alert, instead. */
  readonly labels?: LabelSet
  /** All firing alerts of a group, instead. */
  readonly groupKey?: string
  /** Only the group of this receiver. */
  readonly receiver?: string
  /** The person. The server replaces it if it knows who sends the request, and needs it otherwise. */
  readonly by?: string
  readonly comment?: string
  /** Default: when the alert resolves. */
  readonly until?: string
}

/** An alert to post. */
export interface PostableAlert {
  readonly labels: LabelSet
  readonly annotations?: LabelSet
  readonly generatorURL?: string
  /** Default: now. */
  readonly startsAt?: string
  /** Default: after the resolve timeout. */
  readonly endsAt?: string
}

/** A matcher. `isEqual: false` negates it. */
export interface PostableMatcher {
  readonly name: string
  readonly value: string
  readonly isRegex: boolean
  /** Default: `true`. */
  readonly isEqual?: boolean
}

/** A recurring silence to create or change. */
export interface PostableRecurringSilence {
  /** The recurring silence to change (default: a new one). */
  readonly id?: string
  readonly matchers: readonly PostableMatcher[]
  /** When it holds: in each of these intervals. */
  readonly timeIntervals: readonly TimeInterval[]
  readonly createdBy: string
  readonly comment: string
  readonly annotations?: LabelSet
}

/** A silence to create or change. */
export interface PostableSilence {
  /** The silence to change (default: a new one). */
  readonly id?: string
  readonly matchers: readonly PostableMatcher[]
  readonly startsAt: string
  readonly endsAt: string
  readonly createdBy: string
  readonly comment: string
  readonly annotations?: LabelSet
  /** Whether it ends once the alerts that it covers have resolved. */
  readonly untilResolved?: boolean
  /** How long before its end the alert `SilenceEnding` fires, in ms. */
  readonly remindBeforeMs?: number
}

/** A receiver of the configuration. */
export interface Receiver {
  readonly name: string
  readonly labels?: LabelSet
}

/** Numbers of notifications, one a part. */
export interface ReceiverCounts {
  readonly receiver: string
  readonly sent: readonly number[]
  readonly failed: readonly number[]
  /** Silenced, inhibited, muted, acknowledged, over a limit, or canceled. Repetitions that were not due do not count. */
  readonly notSent: readonly number[]
}

/** How a test notification ended. */
export interface ReceiverTest {
  readonly items: readonly TestedIntegration[]
}

/** A test notification to send. */
export interface ReceiverTestRequest {
  readonly receiver: string
  /** Default: one firing alert. */
  readonly alerts?: readonly SampleAlert[]
  /** Default: from the first alert. */
  readonly groupLabels?: LabelSet
  /** How long an attempt may take, in ms (default 10,000). */
  readonly timeoutMs?: number
}

/** The next ten occurrences. */
export interface RecurrencePreview {
  readonly items: readonly Occurrence[]
}

/** A recurrence to preview. */
export interface RecurrencePreviewRequest {
  /** When it holds: in each of these intervals. */
  readonly timeIntervals: readonly TimeInterval[]
}

/** A silence that is created again and again. */
export interface RecurringSilence {
  readonly id: string
  readonly matchers: readonly Matcher[]
  /** When it holds: in each of these intervals. */
  readonly timeIntervals: readonly TimeInterval[]
  readonly createdBy: string
  readonly comment: string
  readonly annotations?: LabelSet
  readonly createdAt: string
  /** The silences of its present and its next occurrence. */
  readonly silenceIds: readonly string[]
  /** When it holds next, or now. Absent if it does not in the next five years. */
  readonly next?: Occurrence
}

/** All recurring silences, the oldest first. */
export interface RecurringSilences {
  readonly items: readonly RecurringSilence[]
}

/** The requests or the mail of an integration. */
export interface RenderedIntegration {
  /** As `webhook/0`. */
  readonly integration: string
  readonly outcome: 'rendered' | 'failed' | 'skipped'
  /** Why it failed, or why there is nothing to show. */
  readonly detail?: string
  readonly requests: readonly RenderedRequest[]
  readonly mail?: RenderedMail
}

/** An email. Secrets are masked. */
export interface RenderedMail {
  readonly from: string
  readonly to: readonly string[]
  readonly subject: string
  readonly headers: readonly (readonly string[])[]
  readonly parts: readonly { readonly type: string; readonly text: string }[]
}

/** A request. Secrets are masked. */
export interface RenderedRequest {
  readonly method: string
  readonly url: string
  readonly headers: readonly (readonly string[])[]
  readonly body: string
}

/** Which alerts go elsewhere. */
export interface RouteDifference {
  /** How many alerts were compared. */
  readonly alerts: number
  /** How many of them go elsewhere. */
  readonly moved: number
  /** The most alerts first, at most 100. */
  readonly moves: readonly RouteMove[]
}

/** Alerts that go elsewhere. */
export interface RouteMove {
  readonly from: readonly RoutePlace[]
  readonly to: readonly RoutePlace[]
  /** How many alerts. */
  readonly count: number
  /** The labels of the first ten. */
  readonly examples: readonly LabelSet[]
}

/** Where a configuration sends an alert. */
export interface RoutePlace {
  readonly receiver: string
  /** The names of the labels of its group. */
  readonly groupBy: readonly string[]
  readonly groupWaitMs: number
  readonly groupIntervalMs: number
  readonly repeatIntervalMs: number
  readonly muteTimeIntervals: readonly string[]
  readonly activeTimeIntervals: readonly string[]
}

/** A made-up alert. */
export interface SampleAlert {
  /** Added to `alertname="TestAlert"`. */
  readonly labels?: LabelSet
  readonly annotations?: LabelSet
  /** Default: firing. */
  readonly status?: 'firing' | 'resolved'
  readonly startsAt?: string
  readonly endsAt?: string
  readonly generatorURL?: string
}

/** A problem of the server. */
export interface ServerProblem {
  /** Whether something does not work. Other problems are probable mistakes. */
  readonly isFailure: boolean
  /** One sentence. */
  readonly message: string
}

/** A process that shares the storage. */
export interface ServerProcess {
  readonly name: string
  /** The address that it reports, as `host:port`. */
  readonly address: string
  /** Whether it is the one that answers. */
  readonly isThis: boolean
  /** When it last renewed its heartbeat, by its own clock. */
  readonly heartbeatAt: string
}

/** The state of a server, for its operators. */
export interface ServerStatus {
  readonly at: string
  readonly startedAt: string
  readonly storage: {
    /** Such as `memory`, `sqlite` or `postgres`. */ readonly kind?: string
    /** On the disk, free room included. */
    readonly bytes?: number
    readonly freeBytes?: number
    readonly records?: number
    /** How long it took just now to bring the alerts in memory up to date. */
    readonly refreshMs?: number
  }
  readonly history: {
    /** 0: no history is kept. */ readonly retentionMs: number
    readonly packedBytes: number
    /** 0: no limit. */
    readonly maxBytes: number
    /** Records that are not written yet. */
    readonly waiting: number
  }
  /** The processes with a heartbeat in the storage, this one first. Empty without a cluster. None of them leads. */
  readonly processes: readonly ServerProcess[]
  /** Failures first, at most 100. */
  readonly problems: readonly ServerProblem[]
}

/** A silence. */
export interface Silence {
  readonly id: string
  readonly status: { readonly state: SilenceState }
  readonly updatedAt: string
  readonly matchers: readonly Matcher[]
  readonly startsAt: string
  readonly endsAt: string
  readonly createdBy: string
  readonly comment: string
  readonly annotations?: LabelSet
  /** Whether it ends once the alerts that it covers have resolved. */
  readonly untilResolved?: boolean
  /** How long before its end the alert `SilenceEnding` fires, in ms. */
  readonly remindBeforeMs?: number
}

/** An action of a user on a silence. */
export interface SilenceEvent {
  readonly id: string
  readonly at: string
  readonly event: SilenceEventKind
  readonly silenceId: string
  /** The user. Absent if the request does not name a user: one that only expires a silence does not. */
  readonly by?: string
  /** At most the first 100. */
  readonly matchers: readonly Matcher[]
  readonly startsAt: string
  readonly endsAt: string
  readonly createdBy: string
  readonly comment: string
}

/** What a user did to a silence. */
export type SilenceEventKind = 'created' | 'changed' | 'expired'

/** A silence that shall end later. */
export interface SilenceExtension {
  readonly silenceId: string
  /** Later than the end that the silence has. */
  readonly endsAt?: string
  /** Added to the end that the silence has, instead, in ms. */
  readonly byMs?: number
}

/** A page of actions on silences, newest first. */
export interface SilenceHistory {
  /** May be fewer than the limit, or none, although there are more. */
  readonly items: readonly SilenceEvent[]
  /** The `after` of the next page. Absent at the end. */
  readonly next?: string
}

/** What a silence would cover. */
export interface SilencePreview {
  /** How many alerts that fire now it would cover. */
  readonly count: number
  /** How many alerts fire now: a silence with the same `count` covers all of them. */
  readonly total: number
  /** How many of `count` are silenced already. */
  readonly silenced: number
  /** How many of `count` are not `chosen`. Absent without `chosen`. */
  readonly unchosen?: number
  /** The first 100 of those that it would cover: first the others than `chosen`, and of each those that are not silenced. */
  readonly alerts: readonly Alert[]
  /** Absent if no history is kept. */
  readonly history?: {
    /** How many different alerts fired since `from`. */ readonly count: number
    /** Later than requested if there is more than can be searched. */
    readonly from: string
  }
}

/** A silence to preview. */
export interface SilencePreviewRequest {
  /** As of a silence: at least one must not match the empty text. */
  readonly matchers: readonly PostableMatcher[]
  /** How far to look back, in ms. Default: 7 days. */
  readonly historyMs?: number
  /** Fingerprints of the alerts that the silence is made for. */
  readonly chosen?: readonly string[]
  /** The silence, or the recurring silence, that will be changed: what it silences itself does not count as `silenced`. */
  readonly id?: string
}

/** The state of a silence. */
export type SilenceState = 'expired' | 'active' | 'pending'

/** A page of the silences. */
export interface SilencesPage {
  /** With `fields`, only with these properties. */
  readonly items: readonly ListedSilence[]
  /** The number of items on all pages. */
  readonly total: number
  /** The `after` of the next page. Absent at the end. */
  readonly next?: string
}

/** How the test of an integration ended. */
export interface TestedIntegration {
  /** As `webhook/0`. */
  readonly integration: string
  readonly result: {
    /** `retry`: failed, and a real notification would be sent again. */
    readonly outcome: 'sent' | 'retry' | 'failed' | 'skipped'
    readonly reason?: string
    /** The error, with the answer of the receiver. */
    readonly detail?: string
  }
  readonly tookMs: number
  /** The message, rendered without secrets. Absent without the right `config:read`, and for a notifier made in code. */
  readonly message?: RenderedIntegration
  /** Whether it was sent as it is here, apart from addresses and headers. */
  readonly isAsSent?: boolean
}

/** A time interval, as in the configuration, with keys in camelCase. */
export interface TimeInterval {
  /** One of the configuration, instead of all others. */
  readonly name?: string
  readonly times?: readonly { readonly startTime: string; readonly endTime: string }[]
  /** As `monday:friday`. */
  readonly weekdays?: readonly string[]
  /** As `1:5` or `-1`. */
  readonly daysOfMonth?: readonly string[]
  /** As `january:march`. */
  readonly months?: readonly string[]
  /** As `2026`. */
  readonly years?: readonly string[]
  /** As `Europe/Berlin`. Default: UTC. */
  readonly location?: string
}

/** The sender of a request, and what it may do. */
export interface WhoAmI {
  /** `null` if the sender is unknown. */
  readonly subject: {
    /** The name that is recorded. */ readonly id: string
    /** As `user`, `token`, `certificate` or `session`. */
    readonly kind?: string
  } | null
  /** What it may do; rights to some silences or webhooks count. */
  readonly actions: readonly AccessAction[]
}

/** Which receivers to list. */
export interface ReceiversQuery {
  /** Matchers for labels of receivers. */
  readonly receiver_matchers?: readonly string[]
}

/** Which alerts to list. */
export interface AlertsQuery {
  /** Matchers, as `severity="critical"`. All must match. */
  readonly filter?: readonly string[]
  /** A regular expression for the whole name of a receiver. */
  readonly receiver?: string
  /** Whether alerts that nothing suppresses are listed. Default: `true`. */
  readonly active?: boolean
  /** Whether silenced alerts are listed. Default: `true`. */
  readonly silenced?: boolean
  /** Whether inhibited alerts are listed. Default: `true`. */
  readonly inhibited?: boolean
  /** Matchers for labels of receivers. */
  readonly receiver_matchers?: readonly string[]
  /** Has no effect. Default: `true`. */
  readonly unprocessed?: boolean
}

/** Which groups and alerts to list. */
export interface AlertGroupsQuery {
  /** Matchers, as `severity="critical"`. All must match. */
  readonly filter?: readonly string[]
  /** A regular expression for the whole name of a receiver. */
  readonly receiver?: string
  /** Whether alerts that nothing suppresses are listed. Default: `true`. */
  readonly active?: boolean
  /** Whether silenced alerts are listed. Default: `true`. */
  readonly silenced?: boolean
  /** Whether inhibited alerts are listed. Default: `true`. */
  readonly inhibited?: boolean
  /** Matchers for labels of receivers. */
  readonly receiver_matchers?: readonly string[]
  /** Whether groups that a time interval mutes are listed. Default: `true`. */
  readonly muted?: boolean
}

/** Which silences to list. */
export interface SilencesQuery {
  /** Matchers, as `severity="critical"`. All must match. */
  readonly filter?: readonly string[]
  /** Whether active silences are listed. Default: `true`. */
  readonly active?: boolean
  /** Whether pending silences are listed. Default: `true`. */
  readonly pending?: boolean
  /** Whether expired silences are listed. Default: `true`. */
  readonly expired?: boolean
}

/** Which decisions to list. */
export interface NotificationsQuery {
  /** Only events at this instant or later. RFC 3339. */
  readonly from?: string
  /** Only events before this instant. RFC 3339. */
  readonly to?: string
  /** From 1 to 1,000 (default 100). */
  readonly limit?: number
  /** The `next` of the page before. */
  readonly after?: string
  /** The name of the receiver. */
  readonly receiver?: string
  /** Only of groups with this key. */
  readonly groupKey?: string
  /** As `webhook/0`. */
  readonly integration?: string
  /** Only those about this alert, among others. */
  readonly fingerprint?: string
  /** Matchers. The labels of the group must match all. */
  readonly filter?: readonly string[]
  /** Default: all. */
  readonly outcome?: readonly NotificationOutcome[]
}

/** Which notifications to count. */
export interface NotificationCountsQuery {
  /** RFC 3339 (default: 24 hours before `to`). */
  readonly from?: string
  /** RFC 3339 (default now). */
  readonly to?: string
  /** Into how many equal parts the time is divided, 1 to 200 (default 48). */
  readonly parts?: number
  /** The name of the receiver. */
  readonly receiver?: string
  /** Matchers. The labels of the group must match all. */
  readonly filter?: readonly string[]
}

/** Which events to list. */
export interface AlertHistoryQuery {
  /** Only events at this instant or later. RFC 3339. */
  readonly from?: string
  /** Only events before this instant. RFC 3339. */
  readonly to?: string
  /** From 1 to 1,000 (default 100). */
  readonly limit?: number
  /** The `next` of the page before. */
  readonly after?: string
  /** Matchers, as `severity="critical"`. All must match. */
  readonly filter?: readonly string[]
  /** Only events of this alert. */
  readonly fingerprint?: string
  /** Default: all. */
  readonly event?: readonly AlertEventKind[]
}

/** Which actions to list. */
export interface SilenceHistoryQuery {
  /** Only events at this instant or later. RFC 3339. */
  readonly from?: string
  /** Only events before this instant. RFC 3339. */
  readonly to?: string
  /** From 1 to 1,000 (default 100). */
  readonly limit?: number
  /** The `next` of the page before. */
  readonly after?: string
  /** Only events of this silence. */
  readonly silenceId?: string
  /** Matchers. Only events of silences that match a firing alert which matches all of them; of more than 100 such alerts, one of the first 100. */
  readonly filter?: readonly string[]
  /** Default: all. */
  readonly event?: readonly SilenceEventKind[]
}

/** Of which silence. */
export interface AffectedAlertsQuery {
  readonly silenceId: string
}

/** Which alerts to list. */
export interface AcknowledgementsQuery {
  /** Matchers, as `severity="critical"`. All must match. */
  readonly filter?: readonly string[]
  readonly limit?: number
  /** The `next` of the page before. */
  readonly after?: string
}

/** Which acknowledgements to take back. */
export interface UnacknowledgeQuery {
  /** The alert. */
  readonly fingerprint?: string
  /** All firing alerts of a group, instead. */
  readonly groupKey?: string
  /** Only the group of this receiver. */
  readonly receiver?: string
  /** The person, for the history. */
  readonly by?: string
}

/** Which alerts to list. */
export interface AlertsPageQuery {
  /** Matchers, as `severity="critical"`. All must match. */
  readonly filter?: readonly string[]
  /** A regular expression for the whole name of a receiver. */
  readonly receiver?: string
  /** Whether alerts that nothing suppresses are listed. Default: `true`. */
  readonly active?: boolean
  /** Whether silenced alerts are listed. Default: `true`. */
  readonly silenced?: boolean
  /** Whether inhibited alerts are listed. Default: `true`. */
  readonly inhibited?: boolean
  /** Matchers for labels of receivers. */
  readonly receiverMatchers?: readonly string[]
  /** Only alerts of the group with this id. */
  readonly group?: string
  /** `fingerprint` (default), `startsAt`, `endsAt`, `updatedAt`, `severity` or `labels.NAME`. Descending with `-` in front. */
  readonly sort?: string
  /** From 1 to 1,000 (default 100). */
  readonly limit?: number
  /** The `next` of the page before. */
  readonly after?: string
  /** Only these properties of each item. */
  readonly fields?: readonly string[]
}

/** Which alerts to count. */
export interface AlertSummaryQuery {
  /** Matchers, as `severity="critical"`. All must match. */
  readonly filter?: readonly string[]
  /** A regular expression for the whole name of a receiver. */
  readonly receiver?: string
  /** Whether alerts that nothing suppresses are listed. Default: `true`. */
  readonly active?: boolean
  /** Whether silenced alerts are listed. Default: `true`. */
  readonly silenced?: boolean
  /** Whether inhibited alerts are listed. Default: `true`. */
  readonly inhibited?: boolean
  /** Matchers for labels of receivers. */
  readonly receiverMatchers?: readonly string[]
}

/** Which groups to list: those with a matching alert. */
export interface AlertGroupsPageQuery {
  /** Matchers, as `severity="critical"`. All must match. */
  readonly filter?: readonly string[]
  /** A regular expression for the whole name of a receiver. */
  readonly receiver?: string
  /** Whether alerts that nothing suppresses are listed. Default: `true`. */
  readonly active?: boolean
  /** Whether silenced alerts are listed. Default: `true`. */
  readonly silenced?: boolean
  /** Whether inhibited alerts are listed. Default: `true`. */
  readonly inhibited?: boolean
  /** Matchers for labels of receivers. */
  readonly receiverMatchers?: readonly string[]
  /** Whether groups that a time interval mutes are listed. Default: `true`. */
  readonly muted?: boolean
  /** `groupKey` (default), `receiver`, `startsAt`, `alerts` or `labels.NAME`. Descending with `-` in front. */
  readonly sort?: string
  /** From 1 to 1,000 (default 100). */
  readonly limit?: number
  /** The `next` of the page before. */
  readonly after?: string
  /** Only these properties of each item. */
  readonly fields?: readonly string[]
}

/** Which silences to list. */
export interface SilencesPageQuery {
  /** Matchers, as `severity="critical"`. All must match. */
  readonly filter?: readonly string[]
  /** Whether active silences are listed. Default: `true`. */
  readonly active?: boolean
  /** Whether pending silences are listed. Default: `true`. */
  readonly pending?: boolean
  /** Whether expired silences are listed. Default: `true`. */
  readonly expired?: boolean
  /** `state` (default), `startsAt`, `endsAt`, `updatedAt` or `createdBy`. Descending with `-` in front. */
  readonly sort?: string
  /** From 1 to 1,000 (default 100). */
  readonly limit?: number
  /** The `next` of the page before. */
  readonly after?: string
  /** Only these properties of each item. */
  readonly fields?: readonly string[]
}

/** Which changes to send. */
export interface AlertsChangesQuery {
  /** Default: alerts, alert-groups, silences. */
  readonly types?: readonly ChangeTopic[]
  /** Matchers, as `severity="critical"`. All must match. */
  readonly filter?: readonly string[]
  /** The `id` of the last known event, without the header. */
  readonly since?: string
}

/** Which alerts of another server to list. */
export interface OtherAlertGroupsQuery {
  /** Matchers, as `severity="critical"`. All must match. */
  readonly filter?: readonly string[]
  /** Whether alerts that nothing suppresses are listed. Default: `true`. */
  readonly active?: boolean
  /** Whether silenced alerts are listed. Default: `true`. */
  readonly silenced?: boolean
  /** Whether inhibited alerts are listed. Default: `true`. */
  readonly inhibited?: boolean
}

/** How to answer unknown senders. */
export interface MeQuery {
  /** Whether an unknown sender gets 401, so that a browser asks for a password. */
  readonly signIn?: boolean
}

/** What each operation takes and answers, by its method and path. */
export interface AlertsCalls {
  readonly 'GET /api/v2/status': { readonly answer: AlertsStatus }
  readonly 'GET /api/v2/receivers': {
    readonly request: { readonly query?: undefined | ReceiversQuery }
    readonly answer: readonly Receiver[]
  }
  readonly 'POST /api/v2/alerts': {
    readonly request: { readonly body: readonly PostableAlert[] }
    readonly answer: undefined
  }
  readonly 'GET /api/v2/alerts': {
    readonly request: { readonly query?: undefined | AlertsQuery }
    readonly answer: readonly Alert[]
  }
  readonly 'GET /api/v2/alerts/groups': {
    readonly request: { readonly query?: undefined | AlertGroupsQuery }
    readonly answer: readonly AlertGroup[]
  }
  readonly 'POST /api/v2/silences': {
    readonly request: { readonly body: PostableSilence }
    readonly answer: { readonly silenceID: string }
  }
  readonly 'GET /api/v2/silences': {
    readonly request: { readonly query?: undefined | SilencesQuery }
    readonly answer: readonly Silence[]
  }
  readonly 'DELETE /api/v2/silence/:silenceID': {
    readonly request: { readonly path: { readonly silenceID: string } }
    readonly answer: undefined
  }
  readonly 'GET /api/v2/silence/:silenceID': {
    readonly request: { readonly path: { readonly silenceID: string } }
    readonly answer: Silence
  }
  readonly 'GET /api/v2/swagger.json': { readonly answer: Readonly<Record<string, unknown>> }
  readonly 'GET /gatehouse/v1/notifications': {
    readonly request: { readonly query?: undefined | NotificationsQuery }
    readonly answer: NotificationHistory
  }
  readonly 'GET /gatehouse/v1/notifications/:id': {
    readonly request: { readonly path: { readonly id: string } }
    readonly answer: NotificationDetails
  }
  readonly 'GET /gatehouse/v1/notification-counts': {
    readonly request: { readonly query?: undefined | NotificationCountsQuery }
    readonly answer: NotificationCounts
  }
  readonly 'GET /gatehouse/v1/alert-history': {
    readonly request: { readonly query?: undefined | AlertHistoryQuery }
    readonly answer: AlertHistory
  }
  readonly 'GET /gatehouse/v1/firing-history': { readonly answer: FiringHistory }
  readonly 'GET /gatehouse/v1/silence-history': {
    readonly request: { readonly query?: undefined | SilenceHistoryQuery }
    readonly answer: SilenceHistory
  }
  readonly 'POST /gatehouse/v1/silence-preview': {
    readonly request: { readonly body: SilencePreviewRequest }
    readonly answer: SilencePreview
  }
  readonly 'GET /gatehouse/v1/affected-alerts': {
    readonly request: { readonly query: AffectedAlertsQuery }
    readonly answer: AffectedAlerts
  }
  readonly 'GET /gatehouse/v1/recurring-silences': { readonly answer: RecurringSilences }
  readonly 'POST /gatehouse/v1/recurring-silences': {
    readonly request: { readonly body: PostableRecurringSilence }
    readonly answer: RecurringSilence
  }
  readonly 'DELETE /gatehouse/v1/recurring-silences/:id': {
    readonly request: { readonly path: { readonly id: string } }
    readonly answer: undefined
  }
  readonly 'POST /gatehouse/v1/recurrence-preview': {
    readonly request: { readonly body: RecurrencePreviewRequest }
    readonly answer: RecurrencePreview
  }
  readonly 'POST /gatehouse/v1/silence-extensions': {
    readonly request: { readonly body: SilenceExtension }
    readonly answer: Silence
  }
  readonly 'GET /gatehouse/v1/acknowledgements': {
    readonly request: { readonly query?: undefined | AcknowledgementsQuery }
    readonly answer: Acknowledgements
  }
  readonly 'POST /gatehouse/v1/acknowledgements': {
    readonly request: { readonly body: PostableAcknowledgement }
    readonly answer: Fingerprints
  }
  readonly 'DELETE /gatehouse/v1/acknowledgements': {
    readonly request: { readonly query?: undefined | UnacknowledgeQuery }
    readonly answer: Fingerprints
  }
  readonly 'GET /gatehouse/v1/alerts': {
    readonly request: { readonly query?: undefined | AlertsPageQuery }
    readonly answer: AlertsPage
  }
  readonly 'GET /gatehouse/v1/alerts/summary': {
    readonly request: { readonly query?: undefined | AlertSummaryQuery }
    readonly answer: AlertSummary
  }
  readonly 'GET /gatehouse/v1/alert-groups': {
    readonly request: { readonly query?: undefined | AlertGroupsPageQuery }
    readonly answer: AlertGroupsPage
  }
  readonly 'GET /gatehouse/v1/silences': {
    readonly request: { readonly query?: undefined | SilencesPageQuery }
    readonly answer: SilencesPage
  }
  readonly 'GET /gatehouse/v1/changes': {
    readonly request: { readonly query?: undefined | AlertsChangesQuery }
    readonly answer: undefined
  }
  readonly 'POST /gatehouse/v1/explain': {
    readonly request: { readonly body: ExplanationRequest }
    readonly answer: Explanation
  }
  readonly 'POST /gatehouse/v1/config-preview': {
    readonly request: { readonly body: ConfigPreviewRequest }
    readonly answer: ConfigPreview
  }
  readonly 'GET /gatehouse/v1/routes': { readonly answer: ListedRoute }
  readonly 'GET /gatehouse/v1/other-servers': { readonly answer: OtherServers }
  readonly 'GET /gatehouse/v1/other-servers/:name/alert-groups': {
    readonly request: {
      readonly path: { readonly name: string }
      readonly query?: undefined | OtherAlertGroupsQuery
    }
    readonly answer: OtherAlertGroups
  }
  readonly 'GET /gatehouse/v1/expected-alerts': { readonly answer: ExpectedAlerts }
  readonly 'GET /gatehouse/v1/server-status': { readonly answer: ServerStatus }
  readonly 'POST /gatehouse/v1/receiver-tests': {
    readonly request: { readonly body: ReceiverTestRequest }
    readonly answer: ReceiverTest
  }
  readonly 'GET /gatehouse/v1/me': {
    readonly request: { readonly query?: undefined | MeQuery }
    readonly answer: WhoAmI
  }
  readonly 'GET /-/healthy': { readonly answer: string }
  readonly 'GET /-/ready': { readonly answer: string }
  readonly 'POST /-/reload': { readonly answer: string }
  readonly 'GET /metrics': { readonly answer: string }
}
