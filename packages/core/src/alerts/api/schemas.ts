import * as z from 'zod/mini'
import { actions } from '../../authorization/action.ts'
import {
  type ApiSchema,
  described,
  instant,
  named,
  namedObject,
  text,
  withOneOf,
} from '../../http/api/schema.ts'
import { changeTopics } from '../changes/topic.ts'
import { expectedStates } from '../expect/expected-state.ts'
import { alertEventKinds } from '../history/alert-event.ts'
import { notificationOutcomes } from '../history/notification-record.ts'
import { silenceEventKinds } from '../history/silence-event.ts'

export const labelSet: ApiSchema = named(
  'LabelSet',
  'Labels or annotations, by name.',
  z.record(text, text),
)

export const receiver: ApiSchema = namedObject('Receiver', 'A receiver of the configuration.', {
  name: text,
  labels: z.optional(labelSet),
})

const comparison = { name: text, value: text, isRegex: z.boolean() }

const matcher = namedObject('Matcher', 'A matcher. `isEqual: false` negates it.', {
  ...comparison,
  isEqual: z.boolean(),
})

const postableMatcher = namedObject('PostableMatcher', 'A matcher. `isEqual: false` negates it.', {
  ...comparison,
  isEqual: z._default(z.boolean(), true),
})

const alertStatus = namedObject('AlertStatus', 'Whether an alert is suppressed, and by what.', {
  state: z.enum(['unprocessed', 'active', 'suppressed']),
  silencedBy: described(z.array(text), 'Ids of the active silences that match, sorted.'),
  inhibitedBy: described(
    z.array(text),
    'The fingerprint of an alert that inhibits this one, if any.',
  ),
  mutedBy: described(
    z.array(text),
    'Names of the time intervals that mute the group of the alert. Empty outside of the list of groups.',
  ),
})

const acknowledgement = {
  by: text,
  comment: text,
  since: instant,
  until: described(z.optional(instant), 'When it ends. Absent: when the alert resolves.'),
}

const acknowledgementOf = namedObject(
  'Acknowledgement',
  'Who takes care of an alert.',
  acknowledgement,
)

export const alert: ApiSchema = namedObject('Alert', 'A firing alert.', {
  labels: labelSet,
  annotations: labelSet,
  generatorURL: z.optional(text),
  receivers: z.array(receiver),
  fingerprint: text,
  startsAt: instant,
  updatedAt: instant,
  endsAt: instant,
  status: alertStatus,
  acknowledgement: described(
    z.optional(acknowledgementOf),
    'Only of an acknowledged alert. An addition to the API.',
  ),
})

export const acknowledgements: ApiSchema = namedObject(
  'Acknowledgements',
  'A page of alerts, the last acknowledged first.',
  {
    items: z.array(
      namedObject('AcknowledgedAlert', 'A firing alert that is acknowledged.', {
        fingerprint: text,
        labels: labelSet,
        ...acknowledgement,
      }),
    ),
    next: described(z.optional(text), 'The `after` of the next page. Absent at the end.'),
  },
)

export const postableAcknowledgement: ApiSchema = named(
  'PostableAcknowledgement',
  'An alert or a group to acknowledge.',
  withOneOf(
    z.object({
      fingerprint: described(z.optional(text), 'The alert.'),
      labels: described(z.optional(labelSet), 'All labels of the alert, instead.'),
      groupKey: described(z.optional(text), 'All firing alerts of a group, instead.'),
      receiver: described(z.optional(text), 'Only the group of this receiver.'),
      by: described(
        z.optional(text),
        'The person. The server replaces it if it knows who sends the request, and needs it otherwise.',
      ),
      comment: z.optional(text),
      until: described(z.optional(instant), 'Default: when the alert resolves.'),
    }),
    'fingerprint',
    'labels',
    'groupKey',
  ),
)

export const fingerprints: ApiSchema = namedObject('Fingerprints', 'Alerts.', {
  items: z.array(z.object({ fingerprint: text })),
})

export const postableAlert: ApiSchema = namedObject('PostableAlert', 'An alert to post.', {
  labels: labelSet,
  annotations: z.optional(labelSet),
  generatorURL: z.optional(text),
  startsAt: described(z.optional(instant), 'Default: now.'),
  endsAt: described(z.optional(instant), 'Default: after the resolve timeout.'),
})

export const alertGroup: ApiSchema = namedObject(
  'AlertGroup',
  'Alerts that are notified together.',
  {
    labels: labelSet,
    receiver,
    routeLabels: z.optional(labelSet),
    alerts: z.array(alert),
  },
)

export const otherServers: ApiSchema = namedObject(
  'OtherServers',
  'Other servers whose alerts can be read here.',
  {
    items: z.array(
      z.object({ name: text, url: described(z.optional(text), 'The address of its page.') }),
    ),
  },
)

export const otherAlertGroups: ApiSchema = namedObject(
  'OtherAlertGroups',
  'Alerts of another server, in its groups.',
  { items: z.array(alertGroup) },
)

export const changeTopic: ApiSchema = named(
  'ChangeTopic',
  'A list that a stream of changes follows.',
  z.enum(changeTopics),
)

const pageOf = (id: string, description: string, item: ApiSchema): ApiSchema =>
  namedObject(id, description, {
    items: described(z.array(item), 'With `fields`, only with these properties.'),
    total: described(z.int(), 'The number of items on all pages.'),
    next: described(z.optional(text), 'The `after` of the next page. Absent at the end.'),
  })

export const alertsPage: ApiSchema = pageOf('AlertsPage', 'A page of the firing alerts.', alert)

const valueCounts = z.array(z.object({ value: text, alerts: z.int() }))

export const alertSummary: ApiSchema = namedObject(
  'AlertSummary',
  'Numbers of alerts. One may be silenced and inhibited.',
  {
    total: described(z.int(), '`active` and `suppressed` together.'),
    active: z.int(),
    suppressed: z.int(),
    silenced: z.int(),
    inhibited: z.int(),
    acknowledged: z.int(),
    recent: described(z.int(), 'Those that started in the last 15 minutes.'),
    severities: described(
      valueCounts,
      'The most severe first, at most twenty; `""` for alerts without a severity.',
    ),
    receivers: described(
      valueCounts,
      'The most frequent first, at most twenty. An alert may have several.',
    ),
    labels: described(
      z.array(
        z.object({
          name: text,
          alerts: described(z.int(), 'The alerts that have the label.'),
          distinct: described(z.int(), 'How many different values it has.'),
          values: described(valueCounts, 'The most frequent first, at most ten.'),
        }),
      ),
      'The labels that most alerts have first, at most twenty.',
    ),
  },
)

export const alertGroupsPage: ApiSchema = pageOf(
  'AlertGroupsPage',
  'A page of the alert groups.',
  namedObject('AlertGroupSummary', 'An alert group without its alerts.', {
    id: described(text, 'Identifies the group among all groups.'),
    groupKey: described(text, 'As in notifications. Groups of several routes may share it.'),
    labels: labelSet,
    receiver,
    mutedBy: described(z.array(text), 'Names of time intervals.'),
    counts: described(
      z.object({ all: z.int(), active: z.int(), suppressed: z.int() }),
      'The number of its alerts: of all, of those that nothing suppresses, and of the others.',
    ),
    startsAt: described(instant, 'The earliest start of its alerts.'),
  }),
)

const silence = {
  startsAt: instant,
  endsAt: instant,
  createdBy: text,
  comment: text,
  annotations: z.optional(labelSet),
  untilResolved: described(
    z.optional(z.boolean()),
    'Whether it ends once the alerts that it covers have resolved.',
  ),
  remindBeforeMs: described(
    z.optional(z.int()),
    'How long before its end the alert `SilenceEnding` fires, in ms.',
  ),
}

const silenceState: ApiSchema = named(
  'SilenceState',
  'The state of a silence.',
  z.enum(['expired', 'active', 'pending']),
)

const listedSilence = {
  id: text,
  status: z.object({ state: silenceState }),
  updatedAt: instant,
  matchers: z.array(matcher),
  ...silence,
}

export const gettableSilence: ApiSchema = namedObject('Silence', 'A silence.', listedSilence)

export const silencesPage: ApiSchema = pageOf(
  'SilencesPage',
  'A page of the silences.',
  namedObject('ListedSilence', 'A silence with the number of its alerts.', {
    ...listedSilence,
    alertCount: described(
      z.int(),
      'How many firing alerts it matches, also before it starts. 0 once it has expired.',
    ),
  }),
)

export const postableSilence: ApiSchema = namedObject(
  'PostableSilence',
  'A silence to create or change.',
  {
    id: described(z.optional(text), 'The silence to change (default: a new one).'),
    matchers: z.array(postableMatcher).check(z.minLength(1)),
    ...silence,
  },
)

export const silencePreviewRequest: ApiSchema = namedObject(
  'SilencePreviewRequest',
  'A silence to preview.',
  {
    matchers: described(
      z.array(postableMatcher).check(z.minLength(1)),
      'As of a silence: at least one must not match the empty text.',
    ),
    historyMs: described(z.optional(z.int()), 'How far to look back, in ms. Default: 7 days.'),
    chosen: described(
      z.optional(z.array(text)),
      'Fingerprints of the alerts that the silence is made for.',
    ),
    id: described(
      z.optional(text),
      'The silence, or the recurring silence, that will be changed: what it silences itself does not count as `silenced`.',
    ),
  },
)

export const silencePreview: ApiSchema = namedObject(
  'SilencePreview',
  'What a silence would cover.',
  {
    count: described(z.int(), 'How many alerts that fire now it would cover.'),
    total: described(
      z.int(),
      'How many alerts fire now: a silence with the same `count` covers all of them.',
    ),
    silenced: described(z.int(), 'How many of `count` are silenced already.'),
    unchosen: described(
      z.optional(z.int()),
      'How many of `count` are not `chosen`. Absent without `chosen`.',
    ),
    alerts: described(
      z.array(alert),
      'The first 100 of those that it would cover: first the others than `chosen`, and of each those that are not silenced.',
    ),
    history: described(
      z.optional(
        z.object({
          count: described(z.int(), 'How many different alerts fired since `from`.'),
          from: described(instant, 'Later than requested if there is more than can be searched.'),
        }),
      ),
      'Absent if no history is kept.',
    ),
  },
)

export const affectedAlerts: ApiSchema = namedObject(
  'AffectedAlerts',
  'The alerts that a silence has covered.',
  {
    items: described(
      z.array(
        namedObject('AffectedAlert', 'An alert that a silence has covered.', {
          fingerprint: text,
          labels: labelSet,
        }),
      ),
      'By fingerprint, at most 1,000.',
    ),
    total: described(z.int(), 'How many there are.'),
    isWhole: described(
      z.boolean(),
      'Whether the history was kept and searched as far back as is needed: at most 200,000 records are searched.',
    ),
  },
)

const timeIntervals = described(
  z.array(
    namedObject(
      'TimeInterval',
      'A time interval, as in the configuration, with keys in camelCase.',
      {
        name: described(z.optional(text), 'One of the configuration, instead of all others.'),
        times: z.optional(z.array(z.object({ startTime: text, endTime: text }))),
        weekdays: described(z.optional(z.array(text)), 'As `monday:friday`.'),
        daysOfMonth: described(z.optional(z.array(text)), 'As `1:5` or `-1`.'),
        months: described(z.optional(z.array(text)), 'As `january:march`.'),
        years: described(z.optional(z.array(text)), 'As `2026`.'),
        location: described(z.optional(text), 'As `Europe/Berlin`. Default: UTC.'),
      },
    ),
  ),
  'When it holds: in each of these intervals.',
)

const occurrence = namedObject('Occurrence', 'A time at which a recurring silence holds.', {
  startsAt: instant,
  endsAt: instant,
})

const recurring = {
  timeIntervals,
  createdBy: text,
  comment: text,
  annotations: z.optional(labelSet),
}

export const postableRecurringSilence: ApiSchema = namedObject(
  'PostableRecurringSilence',
  'A recurring silence to create or change.',
  {
    id: described(z.optional(text), 'The recurring silence to change (default: a new one).'),
    matchers: z.array(postableMatcher).check(z.minLength(1)),
    ...recurring,
  },
)

export const recurringSilence: ApiSchema = namedObject(
  'RecurringSilence',
  'A silence that is created again and again.',
  {
    id: text,
    matchers: z.array(matcher),
    ...recurring,
    createdAt: instant,
    silenceIds: described(z.array(text), 'The silences of its present and its next occurrence.'),
    next: described(
      z.optional(occurrence),
      'When it holds next, or now. Absent if it does not in the next five years.',
    ),
  },
)

export const recurringSilences: ApiSchema = namedObject(
  'RecurringSilences',
  'All recurring silences, the oldest first.',
  { items: z.array(recurringSilence) },
)

export const recurrencePreviewRequest: ApiSchema = namedObject(
  'RecurrencePreviewRequest',
  'A recurrence to preview.',
  { timeIntervals },
)

export const recurrencePreview: ApiSchema = namedObject(
  'RecurrencePreview',
  'The next ten occurrences.',
  { items: z.array(occurrence) },
)

export const silenceExtension: ApiSchema = namedObject(
  'SilenceExtension',
  'A silence that shall end later.',
  {
    silenceId: text,
    endsAt: described(z.optional(instant), 'Later than the end that the silence has.'),
    byMs: described(z.optional(z.int()), 'Added to the end that the silence has, instead, in ms.'),
  },
)

export const status: ApiSchema = namedObject('AlertsStatus', 'The state of the service.', {
  cluster: z.object({
    name: z.optional(text),
    status: z.enum(['ready', 'settling', 'disabled']),
    peers: z.optional(z.array(z.object({ name: text, address: text }))),
  }),
  versionInfo: z.object({
    version: text,
    revision: text,
    branch: text,
    buildUser: text,
    buildDate: text,
    goVersion: text,
  }),
  config: z.object({ original: described(text, 'YAML, with secrets masked.') }),
  uptime: described(instant, 'When the service started.'),
})

const entry = { id: text, at: instant }

function page(id: string, description: string, item: ApiSchema): ApiSchema {
  return namedObject(id, description, {
    items: described(
      z.array(item),
      'May be fewer than the limit, or none, although there are more.',
    ),
    next: described(z.optional(text), 'The `after` of the next page. Absent at the end.'),
  })
}

export const alertEventKind: ApiSchema = named(
  'AlertEventKind',
  'What happened to an alert.',
  z.enum(alertEventKinds),
)

export const alertHistory: ApiSchema = page(
  'AlertHistory',
  'A page of events of alerts, newest first.',
  namedObject('AlertEvent', 'Something that happened to an alert.', {
    ...entry,
    event: alertEventKind,
    fingerprint: text,
    labels: labelSet,
    annotations: labelSet,
    generatorURL: z.optional(text),
    startsAt: instant,
    endsAt: described(z.optional(instant), 'Of an alert that has ended.'),
    by: described(z.optional(text), 'Who acknowledged the alert, or took that back.'),
    comment: described(z.optional(text), 'Of an acknowledgement.'),
    until: described(z.optional(instant), 'Of an acknowledgement.'),
  }),
)

export const silenceEventKind: ApiSchema = named(
  'SilenceEventKind',
  'What a user did to a silence.',
  z.enum(silenceEventKinds),
)

export const silenceHistory: ApiSchema = page(
  'SilenceHistory',
  'A page of actions on silences, newest first.',
  namedObject('SilenceEvent', 'An action of a user on a silence.', {
    ...entry,
    event: silenceEventKind,
    silenceId: text,
    by: described(
      z.optional(text),
      'The user. Absent if the request does not name a user: one that only expires a silence does not.',
    ),
    matchers: described(z.array(matcher), 'At most the first 100.'),
    startsAt: instant,
    endsAt: instant,
    createdBy: text,
    comment: text,
  }),
)

export const notificationOutcome: ApiSchema = named(
  'NotificationOutcome',
  'The outcome of a notification.',
  z.enum(notificationOutcomes),
)

const notification: ApiSchema = namedObject(
  'Notification',
  'A decision of the notification pipeline.',
  {
    ...entry,
    groupKey: text,
    groupHash: text,
    groupLabels: described(z.optional(labelSet), 'Absent if the group key is cut off.'),
    receiver: text,
    integration: described(z.optional(text), 'As `webhook/0`.'),
    outcome: notificationOutcome,
    reason: z.optional(text),
    detail: described(z.optional(text), 'The error, or names of time intervals or people.'),
    causes: described(
      z.optional(z.array(z.object({ id: text, name: text }))),
      'At most five silences or inhibiting alerts: the id or fingerprint, and the beginning of the comment or the name.',
    ),
    firing: described(z.array(text), 'Fingerprints, at most the first 200.'),
    resolved: z.array(text),
    firingCount: z.int(),
    resolvedCount: z.int(),
    attempts: z.optional(z.int()),
    tookMs: z.optional(z.number()),
  },
)

export const notifications: ApiSchema = page(
  'NotificationHistory',
  'A page of decisions to notify or not, newest first.',
  notification,
)

const header = described(z.array(text), 'Name and value.')

export const renderedIntegration: ApiSchema = namedObject(
  'RenderedIntegration',
  'The requests or the mail of an integration.',
  {
    integration: described(text, 'As `webhook/0`.'),
    outcome: z.enum(['rendered', 'failed', 'skipped']),
    detail: described(z.optional(text), 'Why it failed, or why there is nothing to show.'),
    requests: z.array(
      namedObject('RenderedRequest', 'A request. Secrets are masked.', {
        method: text,
        url: text,
        headers: z.array(header),
        body: text,
      }),
    ),
    mail: z.optional(
      namedObject('RenderedMail', 'An email. Secrets are masked.', {
        from: text,
        to: z.array(text),
        subject: text,
        headers: z.array(header),
        parts: z.array(z.object({ type: text, text })),
      }),
    ),
  },
)

export const notificationDetails: ApiSchema = namedObject(
  'NotificationDetails',
  'A decision with its alerts and its message.',
  {
    notification,
    alerts: z.array(
      namedObject('NotificationAlert', 'An alert as it was then.', {
        fingerprint: text,
        status: z.enum(['firing', 'resolved']),
        labels: labelSet,
        annotations: labelSet,
        generatorURL: z.optional(text),
        startsAt: instant,
      }),
    ),
    unknownCount: described(z.int(), 'How many recorded alerts are no longer in the history.'),
    message: described(
      z.optional(renderedIntegration),
      'Rendered again with the running configuration. Absent without an integration, and without the right `config:read`.',
    ),
  },
)

const numbers = z.array(z.int())

export const notificationCounts: ApiSchema = namedObject(
  'NotificationCounts',
  'Notifications by receiver and time.',
  {
    from: instant,
    to: instant,
    partMs: described(z.number(), 'The length of a part. The last one may be shorter.'),
    receivers: described(
      z.array(
        namedObject('ReceiverCounts', 'Numbers of notifications, one a part.', {
          receiver: text,
          sent: numbers,
          failed: numbers,
          notSent: described(
            numbers,
            'Silenced, inhibited, muted, acknowledged, over a limit, or canceled. Repetitions that were not due do not count.',
          ),
        }),
      ),
      'Those with the most failures first, then those with the most notifications; at most 100.',
    ),
    countedFrom: described(
      instant,
      'The start of the time that was searched: later than `from` if there are more than 100,000 records, or if older ones expired.',
    ),
  },
)

export const firingHistory: ApiSchema = namedObject(
  'FiringHistory',
  'How many alerts fired in the last day.',
  {
    from: described(instant, 'The start of the first part.'),
    partMs: described(z.int(), 'The length of a part: a quarter of an hour.'),
    peaks: described(
      z.array(z.nullable(z.int())),
      'The most alerts that fired at once, for each part, the last of which is not over; `null` if no process noted it.',
    ),
  },
)

const expectedAlert = namedObject('ExpectedAlert', 'An alert that must keep coming.', {
  name: text,
  matchers: z.array(text),
  everyMs: z.number(),
  state: named(
    'ExpectedState',
    'Whether expected alerts come: `waiting` before the first one, `missing` while their alert fires, `unwatched` if no process watches.',
    z.enum(expectedStates),
  ),
  seenAt: described(
    z.optional(instant),
    'When the last one came. Absent if none is known. May be a minute old.',
  ),
  dueAt: described(
    z.optional(instant),
    'When the alert fires unless one comes. Absent while it fires, and while no process watches.',
  ),
  fingerprint: described(text, 'Of the alert that fires while they are missing.'),
})

export const expectedAlerts: ApiSchema = namedObject('ExpectedAlerts', 'All expected alerts.', {
  items: z.array(expectedAlert),
})

export const whoAmI: ApiSchema = namedObject(
  'WhoAmI',
  'The sender of a request, and what it may do.',
  {
    subject: described(
      z.nullable(
        z.object({
          id: described(text, 'The name that is recorded.'),
          kind: described(z.optional(text), 'As `user`, `token`, `certificate` or `session`.'),
        }),
      ),
      '`null` if the sender is unknown.',
    ),
    actions: described(
      z.array(named('AccessAction', 'What a request can do.', z.enum(Object.keys(actions)))),
      'What it may do; rights to some silences or webhooks count.',
    ),
  },
)
const listedTimes = {
  groupWaitMs: z.number(),
  groupIntervalMs: z.number(),
  repeatIntervalMs: z.number(),
}

const explainedGroup = namedObject('ExplainedGroup', 'The group of an alert at a route.', {
  id: described(text, 'As in lists of groups.'),
  nextFlushAt: described(
    z.optional(instant),
    'When it is flushed next. Absent while it has no alert, or if nothing dispatches.',
  ),
  integrations: z.array(
    namedObject('ExplainedIntegration', 'What an integration of a receiver knows about an alert.', {
      integration: described(text, 'As `webhook/0`.'),
      lastNotifiedAt: described(
        z.optional(instant),
        'The last notification about the group. Absent if there was none, or it is too long ago.',
      ),
      knows: described(z.boolean(), 'Whether it was notified that the alert fires.'),
      sendResolved: described(z.boolean(), 'Whether it is notified of the end of alerts.'),
      repeatsAt: described(
        z.optional(instant),
        'The next flush after this instant notifies of the group again, although nothing changes.',
      ),
      limitedBy: described(
        z.optional(text),
        'The rate limit that keeps notifications about the group back, such as `receiver "team"`.',
      ),
      limitedUntil: described(
        z.optional(instant),
        'When that limit allows one more, or has allowed one.',
      ),
      summarized: described(
        z.optional(z.boolean()),
        'Whether summaries are sent about the group, until its alerts are resolved.',
      ),
    }),
  ),
})

const explainedRoute = namedObject('ExplainedRoute', 'A route that an alert takes.', {
  id: described(text, 'As in the routing tree. Those of its parents are its beginnings.'),
  receiver: text,
  path: described(
    z.array(text),
    'The matchers of each route from the root to this one, in their text form.',
  ),
  continued: described(
    z.boolean(),
    'Whether an earlier route with `continue` took the alert, too.',
  ),
  groupLabels: labelSet,
  groupKey: text,
  routeLabels: described(
    labelSet,
    'The labels of the route, rendered as for a group of this alert alone.',
  ),
  ...listedTimes,
  mutedBy: described(z.array(text), 'Time intervals that mute the group now.'),
  group: described(
    z.optional(explainedGroup),
    'The group as the dispatcher keeps it. Absent at routes after the hundredth.',
  ),
  next: namedObject('ExplainedNext', 'What happens next to an alert at a route.', {
    what: z.enum(['notification', 'repetition', 'nothing']),
    at: described(z.optional(instant), 'When, unless something changes.'),
    because: described(text, 'In words, for people.'),
  }),
})

export const explanation: ApiSchema = namedObject(
  'Explanation',
  'What happens to an alert, and why.',
  {
    labels: labelSet,
    fingerprint: text,
    firing: z.boolean(),
    state: z.enum(['active', 'suppressed']),
    routes: z.array(explainedRoute),
    silencedBy: z.array(gettableSilence),
    inhibitedBy: z.optional(
      namedObject('ExplainedInhibition', 'An alert that inhibits another.', {
        rule: described(z.number(), 'The index of the rule among the inhibit rules, from 0.'),
        name: described(z.optional(text), 'The name of the rule, if it has one.'),
        sourceMatchers: z.array(text),
        targetMatchers: z.array(text),
        equal: described(labelSet, 'The labels that both alerts share.'),
        sourceFingerprint: text,
        sourceLabels: labelSet,
      }),
    ),
    acknowledgement: z.optional(acknowledgementOf),
    notifications: described(
      z.optional(z.array(notification)),
      'The newest first, at most 20. Absent if no history is kept.',
    ),
    reasons: described(z.array(text), 'The same in sentences.'),
  },
)

export const explanationRequest: ApiSchema = namedObject(
  'ExplanationRequest',
  'The labels of an alert, stored or not.',
  { labels: labelSet },
)

export const listedRoute: ApiSchema = namedObject(
  'ListedRoute',
  'A route of the configuration, with its firing alerts.',
  {
    id: described(text, 'Such as `{}/{team="a"}/0`: unique in the tree.'),
    line: described(
      z.optional(z.number()),
      'Where it begins in the configuration that the status shows; absent if that does not show it.',
    ),
    receiver: text,
    matchers: described(z.array(text), 'Of this route alone.'),
    continue: described(z.boolean(), 'Whether the routes after it are tried as well.'),
    groupBy: described(z.array(text), 'Names of labels. `...` alone: all.'),
    ...listedTimes,
    muteTimeIntervals: z.array(text),
    activeTimeIntervals: z.array(text),
    mutedBy: described(z.array(text), 'Time intervals that mute it now.'),
    counts: described(
      z.object({ alerts: z.number(), groups: z.number() }),
      'Firing alerts and groups here, without those of the routes below. An alert may be at several routes.',
    ),
    get routes() {
      return z.array(listedRoute)
    },
  },
)

export const configPreviewRequest: ApiSchema = namedObject(
  'ConfigPreviewRequest',
  'A draft of the configuration.',
  {
    config: described(
      text,
      'The text of `alertmanager.yml`. References to the environment are not resolved, and no file is read.',
    ),
    historyMs: described(
      z.optional(z.int()),
      'Compares the alerts that fired since so many ms, too. Default: only those of now.',
    ),
  },
)

const routePlace = namedObject('RoutePlace', 'Where a configuration sends an alert.', {
  receiver: text,
  groupBy: described(z.array(text), 'The names of the labels of its group.'),
  ...listedTimes,
  muteTimeIntervals: z.array(text),
  activeTimeIntervals: z.array(text),
})

const draftProblem = z.object({
  line: z.number(),
  column: z.number(),
  message: text,
  routeLine: described(
    z.optional(z.int()),
    'Where the route begins that has the problem; absent if none has it.',
  ),
})

export const configPreview: ApiSchema = namedObject(
  'ConfigPreview',
  'What is wrong with a draft, or what would change.',
  {
    problems: described(z.array(draftProblem), 'By line. Empty if the draft is valid.'),
    warnings: described(
      z.array(draftProblem),
      'Probable mistakes: `<secret>`, which stands in place of a secret.',
    ),
    difference: described(
      z.optional(
        namedObject('RouteDifference', 'Which alerts go elsewhere.', {
          alerts: described(z.number(), 'How many alerts were compared.'),
          moved: described(z.number(), 'How many of them go elsewhere.'),
          moves: described(
            z.array(
              namedObject('RouteMove', 'Alerts that go elsewhere.', {
                from: z.array(routePlace),
                to: z.array(routePlace),
                count: described(z.number(), 'How many alerts.'),
                examples: described(z.array(labelSet), 'The labels of the first ten.'),
              }),
            ),
            'The most alerts first, at most 100.',
          ),
        }),
      ),
      'Which alerts would be routed differently. Absent if there are problems.',
    ),
    isWhole: described(
      z.boolean(),
      'Whether the whole history of that time was searched: at most 200,000 records and 20,000 alerts.',
    ),
  },
)
