import * as z from 'zod/mini'
import type { ApiAnswers, ApiInterface, ApiOperation } from '../../http/api/operation.ts'
import {
  type ApiSchema,
  type ApiShape,
  described,
  namedObject,
  text,
} from '../../http/api/schema.ts'
import { type AlertsOperation, alertsOperations } from '../wire/operations.ts'
import { alertsFailure } from './errors.ts'
import {
  acknowledgements,
  affectedAlerts,
  alert,
  alertEventKind,
  alertGroup,
  alertGroupsPage,
  alertHistory,
  alertSummary,
  alertsPage,
  changeTopic,
  configPreview,
  configPreviewRequest,
  expectedAlerts,
  explanation,
  explanationRequest,
  fingerprints,
  firingHistory,
  gettableSilence,
  listedRoute,
  notificationCounts,
  notificationDetails,
  notificationOutcome,
  notifications,
  postableAcknowledgement,
  postableAlert,
  postableRecurringSilence,
  postableSilence,
  receiver,
  recurrencePreview,
  recurrencePreviewRequest,
  recurringSilence,
  recurringSilences,
  silenceEventKind,
  silenceExtension,
  silenceHistory,
  silencePreview,
  silencePreviewRequest,
  silencesPage,
  status,
  whoAmI,
} from './schemas.ts'
import { receiverTest, receiverTestRequest, serverStatus } from './server-schemas.ts'

const texts = z.array(text)
const flag = (description: string): ApiSchema =>
  described(z._default(z.boolean(), true), description)

const refusal = z.object({ code: z.int(), message: text })
const failure = { description: 'A refusal.', schema: z.union([text, refusal]) }
const failures: ApiAnswers = { default: failure }
const plain: ApiAnswers = {
  200: { description: 'OK.', types: ['text/plain'] },
  default: { description: 'Not OK.', types: ['text/plain'] },
}
const done: ApiAnswers = { 200: { description: 'Done.' }, ...failures }

const filter = {
  filter: described(z.optional(texts), 'Matchers, as `severity="critical"`. All must match.'),
}
const ofReceivers = {
  receiver_matchers: described(z.optional(texts), 'Matchers for labels of receivers.'),
}
const ofAnyAlerts = {
  ...filter,
  receiver: described(z.optional(text), 'A regular expression for the whole name of a receiver.'),
  active: flag('Whether alerts that nothing suppresses are listed.'),
  silenced: flag('Whether silenced alerts are listed.'),
  inhibited: flag('Whether inhibited alerts are listed.'),
}
const ofAlerts = { ...ofAnyAlerts, ...ofReceivers }
const ofAlertsPage = { ...ofAnyAlerts, receiverMatchers: ofReceivers.receiver_matchers }

const ofHistory = {
  from: described(z.optional(text), 'Only events at this instant or later. RFC 3339.'),
  to: described(z.optional(text), 'Only events before this instant. RFC 3339.'),
  limit: described(z.optional(z.int()), 'From 1 to 1,000 (default 100).'),
  after: described(z.optional(text), 'The `next` of the page before.'),
}

const ofPage = (sorts: string): ApiShape => ({
  sort: described(z.optional(text), `${sorts} Descending with \`-\` in front.`),
  limit: described(z.optional(z.int()), 'From 1 to 1,000 (default 100).'),
  after: described(z.optional(text), 'The `next` of the page before.'),
  fields: described(z.optional(texts), 'Only these properties of each item.'),
})

const ifNoneMatch = z.object({
  'if-none-match': described(z.optional(text), 'The `ETag` of the page that the client has.'),
})

const refusals: ApiAnswers = { default: { description: 'A refusal.', schema: alertsFailure } }

const unchangedPage: ApiAnswers = {
  304: { description: 'The client has this page.' },
  ...refusals,
}

const query = (id: string, description: string, shape: ApiShape): z.ZodMiniObject =>
  namedObject(id, description, shape)

const operations: Readonly<Record<AlertsOperation, ApiOperation>> = {
  getStatus: {
    summary: 'The state of the service and of its cluster.',
    answers: { 200: { description: 'The state.', schema: status }, ...failures },
  },
  getReceivers: {
    summary: 'The receivers.',
    query: query('ReceiversQuery', 'Which receivers to list.', ofReceivers),
    answers: { 200: { description: 'The receivers.', schema: z.array(receiver) }, ...failures },
  },
  getAlerts: {
    summary: 'Firing alerts.',
    query: query('AlertsQuery', 'Which alerts to list.', {
      ...ofAlerts,
      unprocessed: flag('Has no effect.'),
    }),
    answers: { 200: { description: 'The alerts.', schema: z.array(alert) }, ...failures },
  },
  postAlerts: {
    summary: 'Posts new alerts, or updates of known ones.',
    body: z.array(postableAlert),
    answers: done,
  },
  getAlertGroups: {
    summary: 'Firing alerts by group.',
    query: query('AlertGroupsQuery', 'Which groups and alerts to list.', {
      ...ofAlerts,
      muted: flag('Whether groups that a time interval mutes are listed.'),
    }),
    answers: { 200: { description: 'The groups.', schema: z.array(alertGroup) }, ...failures },
  },
  getSilences: {
    summary: 'Silences, including expired ones.',
    query: query('SilencesQuery', 'Which silences to list.', {
      ...filter,
      active: flag('Whether active silences are listed.'),
      pending: flag('Whether pending silences are listed.'),
      expired: flag('Whether expired silences are listed.'),
    }),
    answers: {
      200: { description: 'The silences.', schema: z.array(gettableSilence) },
      ...failures,
    },
  },
  postSilences: {
    summary: 'Creates or changes a silence.',
    body: postableSilence,
    answers: {
      200: { description: 'Its id.', schema: z.object({ silenceID: text }) },
      ...failures,
    },
  },
  getSilence: {
    summary: 'One silence.',
    answers: {
      200: { description: 'The silence.', schema: gettableSilence },
      404: { description: 'There is none with this id.' },
      ...failures,
    },
  },
  deleteSilence: {
    summary: 'Expires a silence now.',
    answers: {
      200: { description: 'Done.' },
      404: { description: 'There is none with this id.' },
      ...failures,
    },
  },
  getSwagger: {
    summary: 'The description of this API as Alertmanager has it, Swagger 2.0.',
    answers: { 200: { description: 'The description.', schema: z.looseObject({}) }, ...failures },
  },
  getNotifications: {
    summary: 'Decisions to notify or not. Only where a history is kept.',
    query: query('NotificationsQuery', 'Which decisions to list.', {
      ...ofHistory,
      receiver: described(z.optional(text), 'The name of the receiver.'),
      groupKey: described(z.optional(text), 'Only of groups with this key.'),
      integration: described(z.optional(text), 'As `webhook/0`.'),
      fingerprint: described(z.optional(text), 'Only those about this alert, among others.'),
      filter: described(z.optional(texts), 'Matchers. The labels of the group must match all.'),
      outcome: described(z.optional(z.array(notificationOutcome)), 'Default: all.'),
    }),
    answers: { 200: { description: 'A page.', schema: notifications }, ...refusals },
  },
  getNotification: {
    summary: 'A decision with its alerts, and its message rendered again.',
    answers: {
      200: { description: 'The decision.', schema: notificationDetails },
      404: { description: 'The history has none with this id.', schema: alertsFailure },
      ...refusals,
    },
  },
  getNotificationCounts: {
    summary: 'Numbers of notifications by receiver and time. Only where a history is kept.',
    query: query('NotificationCountsQuery', 'Which notifications to count.', {
      from: described(z.optional(text), 'RFC 3339 (default: 24 hours before `to`).'),
      to: described(z.optional(text), 'RFC 3339 (default now).'),
      parts: described(
        z.optional(z.int()),
        'Into how many equal parts the time is divided, 1 to 200 (default 48).',
      ),
      receiver: described(z.optional(text), 'The name of the receiver.'),
      filter: described(z.optional(texts), 'Matchers. The labels of the group must match all.'),
    }),
    answers: { 200: { description: 'The numbers.', schema: notificationCounts }, ...refusals },
  },
  getAlertHistory: {
    summary: 'What happened to alerts. Only where a history is kept.',
    query: query('AlertHistoryQuery', 'Which events to list.', {
      ...ofHistory,
      ...filter,
      fingerprint: described(z.optional(text), 'Only events of this alert.'),
      event: described(z.optional(z.array(alertEventKind)), 'Default: all.'),
    }),
    answers: { 200: { description: 'A page.', schema: alertHistory }, ...refusals },
  },
  getFiringHistory: {
    summary: 'How many alerts fired in the last day. Only where a history is kept.',
    answers: { 200: { description: 'The numbers.', schema: firingHistory }, ...refusals },
  },
  getSilenceHistory: {
    summary: 'What users did to silences. Only where a history is kept.',
    query: query('SilenceHistoryQuery', 'Which actions to list.', {
      ...ofHistory,
      silenceId: described(z.optional(text), 'Only events of this silence.'),
      event: described(z.optional(z.array(silenceEventKind)), 'Default: all.'),
    }),
    answers: { 200: { description: 'A page.', schema: silenceHistory }, ...refusals },
  },
  postSilencePreview: {
    summary: 'What a silence would cover. Stores nothing.',
    body: silencePreviewRequest,
    answers: { 200: { description: 'The alerts.', schema: silencePreview }, ...refusals },
  },
  getAffectedAlerts: {
    summary: 'The alerts that fired while a silence covered them.',
    query: query('AffectedAlertsQuery', 'Of which silence.', { silenceId: text }),
    answers: {
      200: { description: 'The alerts.', schema: affectedAlerts },
      404: { description: 'There is no silence with this id.', schema: alertsFailure },
      ...refusals,
    },
  },
  getRecurringSilences: {
    summary: 'Recurring silences.',
    answers: {
      200: { description: 'The recurring silences.', schema: recurringSilences },
      ...refusals,
    },
  },
  postRecurringSilences: {
    summary: 'Creates a recurring silence.',
    body: postableRecurringSilence,
    answers: { 200: { description: 'It.', schema: recurringSilence }, ...refusals },
  },
  deleteRecurringSilence: {
    summary: 'Deletes a recurring silence, and ends its present silence.',
    answers: {
      200: { description: 'Done.' },
      404: { description: 'There is none with this id.', schema: alertsFailure },
      ...refusals,
    },
  },
  postRecurrencePreview: {
    summary: 'The next ten occurrences of time intervals.',
    body: recurrencePreviewRequest,
    answers: { 200: { description: 'The occurrences.', schema: recurrencePreview }, ...refusals },
  },
  postSilenceExtensions: {
    summary: 'Lets a silence end later.',
    body: silenceExtension,
    answers: {
      200: { description: 'The silence.', schema: gettableSilence },
      404: { description: 'There is none with this id.', schema: alertsFailure },
      ...refusals,
    },
  },
  getAcknowledgements: {
    summary: 'Acknowledged alerts.',
    query: query('AcknowledgementsQuery', 'Which alerts to list.', {
      ...filter,
      limit: z.optional(z.int()),
      after: described(z.optional(text), 'The `next` of the page before.'),
    }),
    answers: { 200: { description: 'A page.', schema: acknowledgements }, ...refusals },
  },
  postAcknowledgements: {
    summary: 'Acknowledges an alert, or all firing alerts of a group.',
    body: postableAcknowledgement,
    answers: { 200: { description: 'The alerts.', schema: fingerprints }, ...refusals },
  },
  deleteAcknowledgements: {
    summary: 'Takes the acknowledgement of an alert, or of all firing alerts of a group, back.',
    query: query('UnacknowledgeQuery', 'Which acknowledgements to take back.', {
      fingerprint: described(z.optional(text), 'The alert.'),
      groupKey: described(z.optional(text), 'All firing alerts of a group, instead.'),
      receiver: described(z.optional(text), 'Only the group of this receiver.'),
      by: described(z.optional(text), 'The person, for the history.'),
    }),
    answers: {
      200: { description: 'The alerts that were acknowledged.', schema: fingerprints },
      ...refusals,
    },
  },
  getAlertsPage: {
    summary: 'A page of the firing alerts, sorted.',
    query: query('AlertsPageQuery', 'Which alerts to list.', {
      ...ofAlertsPage,
      group: described(z.optional(text), 'Only alerts of the group with this id.'),
      ...ofPage(
        '`fingerprint` (default), `startsAt`, `endsAt`, `updatedAt`, `severity` or `labels.NAME`.',
      ),
    }),
    headers: ifNoneMatch,
    answers: { 200: { description: 'A page.', schema: alertsPage }, ...unchangedPage },
  },
  getAlertsSummary: {
    summary: 'The firing alerts in numbers: by state, severity, receiver and label.',
    query: query('AlertSummaryQuery', 'Which alerts to count.', ofAlertsPage),
    headers: ifNoneMatch,
    answers: { 200: { description: 'The numbers.', schema: alertSummary }, ...unchangedPage },
  },
  getAlertGroupsPage: {
    summary: 'A page of the alert groups without their alerts, sorted.',
    query: query('AlertGroupsPageQuery', 'Which groups to list: those with a matching alert.', {
      ...ofAlertsPage,
      muted: flag('Whether groups that a time interval mutes are listed.'),
      ...ofPage('`groupKey` (default), `receiver`, `startsAt`, `alerts` or `labels.NAME`.'),
    }),
    headers: ifNoneMatch,
    answers: { 200: { description: 'A page.', schema: alertGroupsPage }, ...unchangedPage },
  },
  getSilencesPage: {
    summary: 'A page of the silences, sorted.',
    query: query('SilencesPageQuery', 'Which silences to list.', {
      ...filter,
      active: flag('Whether active silences are listed.'),
      pending: flag('Whether pending silences are listed.'),
      expired: flag('Whether expired silences are listed.'),
      ...ofPage('`state` (default), `startsAt`, `endsAt`, `updatedAt` or `createdBy`.'),
    }),
    headers: ifNoneMatch,
    answers: { 200: { description: 'A page.', schema: silencesPage }, ...unchangedPage },
  },
  getAlertsChanges: {
    summary: 'The changes of alerts, groups, silences and history, as they happen.',
    query: query('AlertsChangesQuery', 'Which changes to send.', {
      types: described(
        z.optional(z.array(changeTopic)),
        'Default: alerts, alert-groups, silences.',
      ),
      ...filter,
      since: described(z.optional(text), 'The `id` of the last known event, without the header.'),
    }),
    headers: z.object({
      'last-event-id': described(z.optional(text), 'The `id` of the last known event.'),
    }),
    answers: {
      200: { description: 'A stream of events.', types: ['text/event-stream'] },
      503: { description: 'Too many streams are open.', schema: alertsFailure },
      ...refusals,
    },
  },
  postExplain: {
    summary: 'What happens to an alert, and why. Stores nothing.',
    body: explanationRequest,
    answers: { 200: { description: 'The explanation.', schema: explanation }, ...refusals },
  },
  postConfigPreview: {
    summary:
      'What is wrong with a draft of the configuration, and which alerts would be routed differently.',
    body: configPreviewRequest,
    answers: { 200: { description: 'The result.', schema: configPreview }, ...refusals },
  },
  getRoutes: {
    summary: 'The routing tree, with the numbers of firing alerts.',
    answers: { 200: { description: 'The root.', schema: listedRoute }, ...refusals },
  },
  getExpectedAlerts: {
    summary: 'Alerts that must keep coming, and whether they do.',
    answers: {
      200: { description: 'The expected alerts.', schema: expectedAlerts },
      ...refusals,
    },
  },
  getServerStatus: {
    summary: 'The storage, the history, the processes and the problems of the server.',
    answers: { 200: { description: 'The state.', schema: serverStatus }, ...refusals },
  },
  postReceiverTests: {
    summary: 'Really sends a test notification through each integration of a receiver, once.',
    body: receiverTestRequest,
    answers: {
      200: { description: 'How it ended.', schema: receiverTest },
      404: { description: 'There is no receiver with this name.', schema: alertsFailure },
      ...refusals,
    },
  },
  getMe: {
    summary: 'Who sends the request, and what it may do.',
    query: query('MeQuery', 'How to answer unknown senders.', {
      signIn: described(
        z.optional(z.boolean()),
        'Whether an unknown sender gets 401, so that a browser asks for a password.',
      ),
    }),
    answers: { 200: { description: 'The sender.', schema: whoAmI }, ...refusals },
  },
  getAlertsHealth: {
    summary: 'Whether the process lives.',
    answers: plain,
  },
  getAlertsReadiness: {
    summary: 'Whether the service can work.',
    answers: plain,
  },
  reloadAlerts: {
    summary: 'Reads the configuration again.',
    answers: plain,
  },
  getAlertsMetrics: {
    summary: 'Metrics in the text format of Prometheus.',
    answers: plain,
  },
}

/** The HTTP interface of the alert service. */
export const alertsApi: ApiInterface<AlertsOperation> = {
  tag: 'alerts',
  places: alertsOperations,
  operations,
}
