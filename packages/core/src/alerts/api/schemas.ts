import * as z from 'zod'
import { actions } from '../../authorization/action.ts'
import { changeTopics } from '../changes/topic.ts'
import { expectedStates } from '../expect/expected-state.ts'
import { alertEventKinds } from '../history/alert-event.ts'
import { notificationOutcomes } from '../history/notification-record.ts'
import { silenceEventKinds } from '../history/silence-event.ts'

export const text: z.ZodString = z.string()
export const instant: z.ZodString = z.string().meta({ format: 'date-time' })

export const labelSet: z.ZodType = z
  .record(text, text)
  .meta({ id: 'LabelSet', description: 'Labels or annotations, by name.' })

export const receiver: z.ZodType = z
  .object({ name: text, labels: labelSet.optional() })
  .meta({ id: 'Receiver', description: 'A receiver of the configuration.' })

const comparison = { name: text, value: text, isRegex: z.boolean() }

const matcher = z
  .object({ ...comparison, isEqual: z.boolean() })
  .meta({ id: 'Matcher', description: 'A matcher. `isEqual: false` negates it.' })

const postableMatcher = z
  .object({ ...comparison, isEqual: z.boolean().default(true) })
  .meta({ id: 'PostableMatcher', description: 'A matcher. `isEqual: false` negates it.' })

const alertStatus = z
  .object({
    state: z.enum(['unprocessed', 'active', 'suppressed']),
    silencedBy: z.array(text).describe('Ids of silences.'),
    inhibitedBy: z.array(text).describe('Fingerprints of alerts.'),
    mutedBy: z.array(text).describe('Names of time intervals.'),
  })
  .meta({ id: 'AlertStatus', description: 'Whether an alert is suppressed, and by what.' })

const acknowledgement = {
  by: text,
  comment: text,
  since: instant,
  until: instant.optional().describe('When it ends. Absent: when the alert resolves.'),
}

const acknowledgementOf = z
  .object(acknowledgement)
  .meta({ id: 'Acknowledgement', description: 'Who takes care of an alert.' })

export const alert: z.ZodType = z
  .object({
    labels: labelSet,
    annotations: labelSet,
    generatorURL: text.optional(),
    receivers: z.array(receiver),
    fingerprint: text,
    startsAt: instant,
    updatedAt: instant,
    endsAt: instant,
    status: alertStatus,
    acknowledgement: acknowledgementOf.optional(),
  })
  .meta({ id: 'Alert', description: 'A firing alert.' })

export const acknowledgements: z.ZodType = z
  .object({
    items: z.array(
      z
        .object({ fingerprint: text, labels: labelSet, ...acknowledgement })
        .meta({ id: 'AcknowledgedAlert', description: 'A firing alert that is acknowledged.' }),
    ),
    next: text.optional().describe('The `after` of the next page. Absent at the end.'),
  })
  .meta({ id: 'Acknowledgements', description: 'A page of alerts, the last acknowledged first.' })

export const postableAcknowledgement: z.ZodType = z
  .object({
    fingerprint: text.optional().describe('The alert.'),
    labels: labelSet.optional().describe('All labels of the alert, instead.'),
    groupKey: text.optional().describe('All firing alerts of a group, instead.'),
    receiver: text.optional().describe('Only the group of this receiver.'),
    by: text.describe('The person.'),
    comment: text.optional(),
    until: instant.optional().describe('Default: when the alert resolves.'),
  })
  .meta({ id: 'PostableAcknowledgement', description: 'An alert or a group to acknowledge.' })

export const fingerprints: z.ZodType = z
  .object({ items: z.array(z.object({ fingerprint: text })) })
  .meta({ id: 'Fingerprints', description: 'Alerts.' })

export const postableAlert: z.ZodType = z
  .object({
    labels: labelSet,
    annotations: labelSet.optional(),
    generatorURL: text.optional(),
    startsAt: instant.optional().describe('Default: now.'),
    endsAt: instant.optional().describe('Default: after the resolve timeout.'),
  })
  .meta({ id: 'PostableAlert', description: 'An alert to post.' })

export const alertGroup: z.ZodType = z
  .object({
    labels: labelSet,
    receiver,
    routeLabels: labelSet.optional(),
    alerts: z.array(alert),
  })
  .meta({ id: 'AlertGroup', description: 'Alerts that are notified together.' })

export const changeTopic: z.ZodType = z
  .enum(changeTopics)
  .meta({ id: 'ChangeTopic', description: 'A list that a stream of changes follows.' })

const pageOf = (id: string, description: string, item: z.ZodType): z.ZodType =>
  z
    .object({
      items: z.array(item).describe('With `fields`, only with these properties.'),
      total: z.int().describe('The number of items on all pages.'),
      next: text.optional().describe('The `after` of the next page. Absent at the end.'),
    })
    .meta({ id, description })

export const alertsPage: z.ZodType = pageOf('AlertsPage', 'A page of the firing alerts.', alert)

export const alertGroupsPage: z.ZodType = pageOf(
  'AlertGroupsPage',
  'A page of the alert groups.',
  z
    .object({
      id: text,
      groupKey: text.describe('As in notifications. Groups of several routes may share it.'),
      labels: labelSet,
      receiver,
      mutedBy: z.array(text).describe('Names of time intervals.'),
      counts: z.object({ all: z.int(), active: z.int(), suppressed: z.int() }),
      startsAt: instant.describe('The earliest start of its alerts.'),
    })
    .meta({ id: 'AlertGroupSummary', description: 'An alert group without its alerts.' }),
)

const silence = {
  startsAt: instant,
  endsAt: instant,
  createdBy: text,
  comment: text,
  annotations: labelSet.optional(),
  untilResolved: z
    .boolean()
    .optional()
    .describe('Whether it ends once the alerts that it covers have resolved.'),
  remindBeforeMs: z
    .int()
    .optional()
    .describe('How long before its end the alert `SilenceEnding` fires, in ms.'),
}

const silenceState: z.ZodType = z
  .enum(['expired', 'active', 'pending'])
  .meta({ id: 'SilenceState', description: 'The state of a silence.' })

export const gettableSilence: z.ZodType = z
  .object({
    id: text,
    status: z.object({ state: silenceState }),
    updatedAt: instant,
    matchers: z.array(matcher),
    ...silence,
  })
  .meta({ id: 'Silence', description: 'A silence.' })

export const silencesPage: z.ZodType = pageOf(
  'SilencesPage',
  'A page of the silences.',
  gettableSilence,
)

export const postableSilence: z.ZodType = z
  .object({
    id: text.optional().describe('The silence to change (default: a new one).'),
    matchers: z.array(postableMatcher).min(1),
    ...silence,
  })
  .meta({ id: 'PostableSilence', description: 'A silence to create or change.' })

export const silencePreviewRequest: z.ZodType = z
  .object({
    matchers: z.array(postableMatcher).min(1),
    historyMs: z.int().optional().describe('How far to look back, in ms. Default: 7 days.'),
  })
  .meta({ id: 'SilencePreviewRequest', description: 'A silence to preview.' })

export const silencePreview: z.ZodType = z
  .object({
    count: z.int().describe('How many alerts that fire now it would cover.'),
    total: z.int().describe('How many alerts fire now.'),
    alerts: z.array(alert).describe('The first 100 of those that it would cover.'),
    history: z
      .object({
        count: z.int().describe('How many different alerts fired since `from`.'),
        from: instant.describe('Later than requested if there is more than can be searched.'),
      })
      .optional()
      .describe('Absent if no history is kept.'),
  })
  .meta({ id: 'SilencePreview', description: 'What a silence would cover.' })

export const affectedAlerts: z.ZodType = z
  .object({
    items: z
      .array(
        z
          .object({ fingerprint: text, labels: labelSet })
          .meta({ id: 'AffectedAlert', description: 'An alert that a silence has covered.' }),
      )
      .describe('At most 1,000.'),
    total: z.int(),
    isWhole: z.boolean().describe('Whether the history goes back to the start of the silence.'),
  })
  .meta({ id: 'AffectedAlerts', description: 'The alerts that a silence has covered.' })

const timeIntervals = z
  .array(
    z
      .object({
        name: text.optional().describe('One of the configuration, instead of all others.'),
        times: z.array(z.object({ startTime: text, endTime: text })).optional(),
        weekdays: z.array(text).optional().describe('As `monday:friday`.'),
        daysOfMonth: z.array(text).optional().describe('As `1:5` or `-1`.'),
        months: z.array(text).optional().describe('As `january:march`.'),
        years: z.array(text).optional().describe('As `2026`.'),
        location: text.optional().describe('As `Europe/Berlin`. Default: UTC.'),
      })
      .meta({
        id: 'TimeInterval',
        description: 'A time interval, as in the configuration, with keys in camelCase.',
      }),
  )
  .describe('When it holds: in each of these intervals.')

const occurrence = z
  .object({ startsAt: instant, endsAt: instant })
  .meta({ id: 'Occurrence', description: 'A time at which a recurring silence holds.' })

const recurring = {
  timeIntervals,
  createdBy: text,
  comment: text,
  annotations: labelSet.optional(),
}

export const postableRecurringSilence: z.ZodType = z
  .object({ matchers: z.array(postableMatcher).min(1), ...recurring })
  .meta({ id: 'PostableRecurringSilence', description: 'A recurring silence to create.' })

export const recurringSilence: z.ZodType = z
  .object({
    id: text,
    matchers: z.array(matcher),
    ...recurring,
    createdAt: instant,
    silenceIds: z.array(text).describe('The silences of its present and its next occurrence.'),
    next: occurrence
      .optional()
      .describe('When it holds next, or now. Absent if it does not in the next five years.'),
  })
  .meta({ id: 'RecurringSilence', description: 'A silence that is created again and again.' })

export const recurringSilences: z.ZodType = z
  .object({ items: z.array(recurringSilence) })
  .meta({ id: 'RecurringSilences', description: 'All recurring silences, the oldest first.' })

export const recurrencePreviewRequest: z.ZodType = z
  .object({ timeIntervals })
  .meta({ id: 'RecurrencePreviewRequest', description: 'A recurrence to preview.' })

export const recurrencePreview: z.ZodType = z
  .object({ items: z.array(occurrence) })
  .meta({ id: 'RecurrencePreview', description: 'The next ten occurrences.' })

export const silenceExtension: z.ZodType = z
  .object({
    silenceId: text,
    endsAt: instant.optional().describe('Later than the end that the silence has.'),
    byMs: z.int().optional().describe('Added to the end that the silence has, instead, in ms.'),
  })
  .meta({ id: 'SilenceExtension', description: 'A silence that shall end later.' })

export const status: z.ZodType = z
  .object({
    cluster: z.object({
      name: text.optional(),
      status: z.enum(['ready', 'settling', 'disabled']),
      peers: z.array(z.object({ name: text, address: text })).optional(),
    }),
    versionInfo: z.object({
      version: text,
      revision: text,
      branch: text,
      buildUser: text,
      buildDate: text,
      goVersion: text,
    }),
    config: z.object({ original: text.describe('YAML, with secrets masked.') }),
    uptime: instant.describe('When the service started.'),
  })
  .meta({ id: 'AlertsStatus', description: 'The state of the service.' })

const entry = { id: text, at: instant }

function page(id: string, description: string, item: z.ZodType): z.ZodType {
  return z
    .object({
      items: z
        .array(item)
        .describe('May be fewer than the limit, or none, although there are more.'),
      next: text.optional().describe('The `after` of the next page. Absent at the end.'),
    })
    .meta({ id, description })
}

export const alertEventKind: z.ZodType = z
  .enum(alertEventKinds)
  .meta({ id: 'AlertEventKind', description: 'What happened to an alert.' })

export const alertHistory: z.ZodType = page(
  'AlertHistory',
  'A page of events of alerts, newest first.',
  z
    .object({
      ...entry,
      event: alertEventKind,
      fingerprint: text,
      labels: labelSet,
      annotations: labelSet,
      generatorURL: text.optional(),
      startsAt: instant,
      endsAt: instant.optional().describe('Of an alert that has ended.'),
      by: text.optional().describe('Who acknowledged the alert, or took that back.'),
      comment: text.optional().describe('Of an acknowledgement.'),
      until: instant.optional().describe('Of an acknowledgement.'),
    })
    .meta({ id: 'AlertEvent', description: 'Something that happened to an alert.' }),
)

export const silenceEventKind: z.ZodType = z
  .enum(silenceEventKinds)
  .meta({ id: 'SilenceEventKind', description: 'What a user did to a silence.' })

export const silenceHistory: z.ZodType = page(
  'SilenceHistory',
  'A page of actions on silences, newest first.',
  z
    .object({
      ...entry,
      event: silenceEventKind,
      silenceId: text,
      by: text.optional().describe('The user, if the request named one.'),
      matchers: z.array(matcher),
      startsAt: instant,
      endsAt: instant,
      createdBy: text,
      comment: text,
    })
    .meta({ id: 'SilenceEvent', description: 'An action of a user on a silence.' }),
)

export const notificationOutcome: z.ZodType = z
  .enum(notificationOutcomes)
  .meta({ id: 'NotificationOutcome', description: 'The outcome of a notification.' })

const notification: z.ZodType = z
  .object({
    ...entry,
    groupKey: text,
    groupHash: text,
    groupLabels: labelSet.optional().describe('Absent if the group key is cut off.'),
    receiver: text,
    integration: text.optional().describe('As `webhook/0`.'),
    outcome: notificationOutcome,
    reason: text.optional(),
    detail: text.optional().describe('The error, or names of time intervals or people.'),
    firing: z.array(text).describe('Fingerprints, at most the first 200.'),
    resolved: z.array(text),
    firingCount: z.int(),
    resolvedCount: z.int(),
    attempts: z.int().optional(),
    tookMs: z.number().optional(),
  })
  .meta({ id: 'Notification', description: 'A decision of the notification pipeline.' })

export const notifications: z.ZodType = page(
  'NotificationHistory',
  'A page of decisions to notify or not, newest first.',
  notification,
)

const header = z.array(text).describe('Name and value.')

const renderedIntegration = z
  .object({
    integration: text.describe('As `webhook/0`.'),
    outcome: z.enum(['rendered', 'failed', 'skipped']),
    detail: text.optional().describe('Why it failed, or why there is nothing to show.'),
    requests: z.array(
      z
        .object({ method: text, url: text, headers: z.array(header), body: text })
        .meta({ id: 'RenderedRequest', description: 'A request. Secrets are masked.' }),
    ),
    mail: z
      .object({
        from: text,
        to: z.array(text),
        subject: text,
        headers: z.array(header),
        parts: z.array(z.object({ type: text, text })),
      })
      .meta({ id: 'RenderedMail', description: 'An email. Secrets are masked.' })
      .optional(),
  })
  .meta({ id: 'RenderedIntegration', description: 'The requests or the mail of an integration.' })

export const notificationDetails: z.ZodType = z
  .object({
    notification,
    alerts: z.array(
      z
        .object({
          fingerprint: text,
          status: z.enum(['firing', 'resolved']),
          labels: labelSet,
          annotations: labelSet,
          generatorURL: text.optional(),
          startsAt: instant,
        })
        .meta({ id: 'NotificationAlert', description: 'An alert as it was then.' }),
    ),
    unknownCount: z.int().describe('How many recorded alerts are no longer in the history.'),
    message: renderedIntegration
      .optional()
      .describe(
        'Rendered again with the running configuration. Absent without an integration, and without the right `config:read`.',
      ),
  })
  .meta({ id: 'NotificationDetails', description: 'A decision with its alerts and its message.' })

const numbers = z.array(z.int())

export const notificationCounts: z.ZodType = z
  .object({
    from: instant,
    to: instant,
    partMs: z.number().describe('The length of a part.'),
    receivers: z
      .array(
        z
          .object({ receiver: text, sent: numbers, failed: numbers, notSent: numbers })
          .meta({ id: 'ReceiverCounts', description: 'Numbers of notifications, one a part.' }),
      )
      .describe('At most 100, those with the most failures first.'),
    countedFrom: instant.describe('Later than `from` if there is more than can be counted.'),
  })
  .meta({ id: 'NotificationCounts', description: 'Notifications by receiver and time.' })

const expectedAlert = z
  .object({
    name: text,
    matchers: z.array(text),
    everyMs: z.number(),
    state: z.enum(expectedStates).meta({
      id: 'ExpectedState',
      description:
        'Whether expected alerts come: `waiting` before the first one, `missing` while their alert fires, `unwatched` if no process watches.',
    }),
    seenAt: instant.optional().describe('When the last one came. May be a minute old.'),
    dueAt: instant.optional().describe('When their alert fires unless one comes.'),
    fingerprint: text.describe('Of the alert that fires while they are missing.'),
  })
  .meta({ id: 'ExpectedAlert', description: 'An alert that must keep coming.' })

export const expectedAlerts: z.ZodType = z
  .object({ items: z.array(expectedAlert) })
  .meta({ id: 'ExpectedAlerts', description: 'All expected alerts.' })

export const whoAmI: z.ZodType = z
  .object({
    subject: z
      .object({
        id: text.describe('The name that is recorded.'),
        kind: text.optional().describe('As `user`, `token`, `certificate` or `session`.'),
      })
      .nullable()
      .describe('`null` if the sender is unknown.'),
    actions: z
      .array(
        z
          .enum(Object.keys(actions))
          .meta({ id: 'AccessAction', description: 'What a request can do.' }),
      )
      .describe('What it may do; rights to some silences or webhooks count.'),
  })
  .meta({ id: 'WhoAmI', description: 'The sender of a request, and what it may do.' })
const listedTimes = {
  groupWaitMs: z.number(),
  groupIntervalMs: z.number(),
  repeatIntervalMs: z.number(),
}

const explainedGroup = z
  .object({
    id: text.describe('As in lists of groups.'),
    nextFlushAt: instant
      .optional()
      .describe('When it is flushed next. Absent while it has no alert, or if nothing dispatches.'),
    integrations: z.array(
      z
        .object({
          integration: text.describe('As `webhook/0`.'),
          lastNotifiedAt: instant.optional(),
          knows: z.boolean().describe('Whether it was notified that the alert fires.'),
          sendResolved: z.boolean().describe('Whether it is notified of the end of alerts.'),
          repeatsAt: instant
            .optional()
            .describe(
              'The next flush after this instant notifies of the group again, although nothing changes.',
            ),
          limitedBy: text
            .optional()
            .describe('The rate limit that keeps notifications about the group back.'),
          limitedUntil: instant
            .optional()
            .describe('When that limit allows one more, or has allowed one.'),
          summarized: z
            .boolean()
            .optional()
            .describe('Whether summaries are sent about the group, until its alerts are resolved.'),
        })
        .meta({
          id: 'ExplainedIntegration',
          description: 'What an integration of a receiver knows about an alert.',
        }),
    ),
  })
  .meta({ id: 'ExplainedGroup', description: 'The group of an alert at a route.' })

const explainedRoute = z
  .object({
    id: text.describe('As in the routing tree. Those of its parents are its beginnings.'),
    receiver: text,
    path: z.array(text).describe('The matchers of each route from the root to this one.'),
    continued: z
      .boolean()
      .describe('Whether an earlier route with `continue` took the alert, too.'),
    groupLabels: labelSet,
    groupKey: text,
    routeLabels: labelSet,
    ...listedTimes,
    mutedBy: z.array(text).describe('Time intervals that mute the group now.'),
    group: explainedGroup.optional(),
    next: z
      .object({
        what: z.enum(['notification', 'repetition', 'nothing']),
        at: instant.optional().describe('When, unless something changes.'),
        because: text,
      })
      .meta({ id: 'ExplainedNext', description: 'What happens next to an alert at a route.' }),
  })
  .meta({ id: 'ExplainedRoute', description: 'A route that an alert takes.' })

export const explanation: z.ZodType = z
  .object({
    labels: labelSet,
    fingerprint: text,
    firing: z.boolean(),
    state: z.enum(['active', 'suppressed']),
    routes: z.array(explainedRoute),
    silencedBy: z.array(gettableSilence),
    inhibitedBy: z
      .object({
        rule: z.number().describe('The index of the rule among the inhibit rules.'),
        name: text.optional(),
        sourceMatchers: z.array(text),
        targetMatchers: z.array(text),
        equal: labelSet.describe('The labels that both alerts share.'),
        sourceFingerprint: text,
        sourceLabels: labelSet,
      })
      .meta({ id: 'ExplainedInhibition', description: 'An alert that inhibits another.' })
      .optional(),
    acknowledgement: acknowledgementOf.optional(),
    notifications: z
      .array(notification)
      .optional()
      .describe('The newest first, at most 20. Absent if no history is kept.'),
    reasons: z.array(text).describe('The same in sentences.'),
  })
  .meta({ id: 'Explanation', description: 'What happens to an alert, and why.' })

export const explanationRequest: z.ZodType = z
  .object({ labels: labelSet })
  .meta({ id: 'ExplanationRequest', description: 'The labels of an alert, stored or not.' })

export const listedRoute: z.ZodType = z
  .object({
    id: text,
    receiver: text,
    matchers: z.array(text).describe('Of this route alone.'),
    continue: z.boolean(),
    groupBy: z.array(text).describe('Names of labels. `...` alone: all.'),
    ...listedTimes,
    muteTimeIntervals: z.array(text),
    activeTimeIntervals: z.array(text),
    mutedBy: z.array(text).describe('Time intervals that mute it now.'),
    counts: z
      .object({ alerts: z.number(), groups: z.number() })
      .describe('Firing alerts and groups here, without those of the routes below.'),
    get routes() {
      return z.array(listedRoute)
    },
  })
  .meta({ id: 'ListedRoute', description: 'A route of the configuration, with its firing alerts.' })

export const configPreviewRequest: z.ZodType = z
  .object({
    config: text.describe('The text of `alertmanager.yml`. References are not resolved.'),
    historyMs: z
      .int()
      .optional()
      .describe(
        'Compares the alerts that fired since so many ms, too. Default: only those of now.',
      ),
  })
  .meta({ id: 'ConfigPreviewRequest', description: 'A draft of the configuration.' })

const routePlace = z
  .object({
    receiver: text,
    groupBy: z.array(text).describe('The names of the labels of its group.'),
    ...listedTimes,
    muteTimeIntervals: z.array(text),
    activeTimeIntervals: z.array(text),
  })
  .meta({ id: 'RoutePlace', description: 'Where a configuration sends an alert.' })

const draftProblem = z.object({ line: z.number(), column: z.number(), message: text })

export const configPreview: z.ZodType = z
  .object({
    problems: z.array(draftProblem),
    warnings: z
      .array(draftProblem)
      .describe('Probable mistakes: `<secret>`, which stands in place of a secret.'),
    difference: z
      .object({
        alerts: z.number().describe('How many alerts were compared.'),
        moved: z.number().describe('How many of them go elsewhere.'),
        moves: z
          .array(
            z
              .object({
                from: z.array(routePlace),
                to: z.array(routePlace),
                count: z.number(),
                examples: z.array(labelSet).describe('The labels of the first ten.'),
              })
              .meta({ id: 'RouteMove', description: 'Alerts that go elsewhere.' }),
          )
          .describe('The most alerts first, at most 100.'),
      })
      .meta({ id: 'RouteDifference', description: 'Which alerts go elsewhere.' })
      .optional()
      .describe('Absent if there are problems.'),
    isWhole: z.boolean().describe('Whether the whole history of that time was searched.'),
  })
  .meta({ id: 'ConfigPreview', description: 'What is wrong with a draft, or what would change.' })
