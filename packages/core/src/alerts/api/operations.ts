import * as z from 'zod/mini'
import type { ApiAnswers, ApiInterface, ApiOperation } from '../../http/api/operation.ts'
import { described, text } from '../../http/api/schema.ts'
import { type AlertsOperation, alertsOperations } from '../wire/operations.ts'
import { alertsFailure } from './errors.ts'
import {
  acknowledgementsQuery,
  affectedAlertsQuery,
  alertGroupsPageQuery,
  alertGroupsQuery,
  alertHistoryQuery,
  alertSummaryQuery,
  alertsChangesQuery,
  alertsPageQuery,
  alertsQuery,
  meQuery,
  notificationCountsQuery,
  notificationsQuery,
  otherAlertGroupsQuery,
  receiversQuery,
  silenceHistoryQuery,
  silencesPageQuery,
  silencesQuery,
  unacknowledgeQuery,
} from './queries.ts'
import {
  acknowledgements,
  affectedAlerts,
  alert,
  alertGroup,
  alertGroupsPage,
  alertHistory,
  alertSummary,
  alertsPage,
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
  notifications,
  otherAlertGroups,
  otherServers,
  postableAcknowledgement,
  postableAlert,
  postableRecurringSilence,
  postableSilence,
  receiver,
  recurrencePreview,
  recurrencePreviewRequest,
  recurringSilence,
  recurringSilences,
  silenceExtension,
  silenceHistory,
  silencePreview,
  silencePreviewRequest,
  silencesPage,
  status,
  whoAmI,
} from './schemas.ts'
import { receiverTest, receiverTestRequest, serverStatus } from './server-schemas.ts'

const refusal = z.object({ code: z.int(), message: text })
const failure = { description: 'A refusal.', schema: z.union([text, refusal]) }
const failures: ApiAnswers = { default: failure }
const plain: ApiAnswers = {
  200: { description: 'OK.', types: ['text/plain'] },
  default: { description: 'Not OK.', types: ['text/plain'] },
}
const done: ApiAnswers = { 200: { description: 'Done.' }, ...failures }

const ifNoneMatch = z.object({
  'if-none-match': described(z.optional(text), 'The `ETag` of the answer that the client has.'),
})

const refusals: ApiAnswers = { default: { description: 'A refusal.', schema: alertsFailure } }

const unchanged: ApiAnswers = {
  304: { description: 'The client has this answer.' },
  ...refusals,
}

const operations: Readonly<Record<AlertsOperation, ApiOperation>> = {
  getStatus: {
    summary: 'The state of the service and of its cluster.',
    answers: { 200: { description: 'The state.', schema: status }, ...failures },
  },
  getReceivers: {
    summary: 'The receivers.',
    query: receiversQuery,
    answers: { 200: { description: 'The receivers.', schema: z.array(receiver) }, ...failures },
  },
  getAlerts: {
    summary: 'Firing alerts.',
    query: alertsQuery,
    answers: { 200: { description: 'The alerts.', schema: z.array(alert) }, ...failures },
  },
  postAlerts: {
    summary: 'Posts new alerts, or updates of known ones.',
    body: z.array(postableAlert),
    answers: done,
  },
  getAlertGroups: {
    summary: 'Firing alerts by group.',
    query: alertGroupsQuery,
    answers: { 200: { description: 'The groups.', schema: z.array(alertGroup) }, ...failures },
  },
  getSilences: {
    summary: 'Silences, including expired ones.',
    query: silencesQuery,
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
    query: notificationsQuery,
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
    query: notificationCountsQuery,
    answers: { 200: { description: 'The numbers.', schema: notificationCounts }, ...refusals },
  },
  getAlertHistory: {
    summary: 'What happened to alerts. Only where a history is kept.',
    query: alertHistoryQuery,
    answers: { 200: { description: 'A page.', schema: alertHistory }, ...refusals },
  },
  getFiringHistory: {
    summary: 'How many alerts fired in the last day. Only where a history is kept.',
    answers: { 200: { description: 'The numbers.', schema: firingHistory }, ...refusals },
  },
  getSilenceHistory: {
    summary: 'What users did to silences. Only where a history is kept.',
    query: silenceHistoryQuery,
    answers: { 200: { description: 'A page.', schema: silenceHistory }, ...refusals },
  },
  postSilencePreview: {
    summary: 'What a silence would cover. Stores nothing.',
    body: silencePreviewRequest,
    answers: { 200: { description: 'The alerts.', schema: silencePreview }, ...refusals },
  },
  getAffectedAlerts: {
    summary: 'The alerts that fired while a silence covered them.',
    query: affectedAlertsQuery,
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
    summary: 'Creates or changes a recurring silence.',
    body: postableRecurringSilence,
    answers: {
      200: { description: 'It.', schema: recurringSilence },
      404: { description: 'There is none with this id.', schema: alertsFailure },
      ...refusals,
    },
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
    query: acknowledgementsQuery,
    answers: { 200: { description: 'A page.', schema: acknowledgements }, ...refusals },
  },
  postAcknowledgements: {
    summary: 'Acknowledges an alert, or all firing alerts of a group.',
    body: postableAcknowledgement,
    answers: { 200: { description: 'The alerts.', schema: fingerprints }, ...refusals },
  },
  deleteAcknowledgements: {
    summary: 'Takes the acknowledgement of an alert, or of all firing alerts of a group, back.',
    query: unacknowledgeQuery,
    answers: {
      200: { description: 'The alerts that were acknowledged.', schema: fingerprints },
      ...refusals,
    },
  },
  getAlertsPage: {
    summary: 'A page of the firing alerts, sorted.',
    query: alertsPageQuery,
    headers: ifNoneMatch,
    answers: { 200: { description: 'A page.', schema: alertsPage }, ...unchanged },
  },
  getAlertsSummary: {
    summary: 'The firing alerts in numbers: by state, severity, receiver and label.',
    query: alertSummaryQuery,
    headers: ifNoneMatch,
    answers: { 200: { description: 'The numbers.', schema: alertSummary }, ...unchanged },
  },
  getAlertGroupsPage: {
    summary: 'A page of the alert groups without their alerts, sorted.',
    query: alertGroupsPageQuery,
    headers: ifNoneMatch,
    answers: { 200: { description: 'A page.', schema: alertGroupsPage }, ...unchanged },
  },
  getSilencesPage: {
    summary: 'A page of the silences, sorted.',
    query: silencesPageQuery,
    headers: ifNoneMatch,
    answers: { 200: { description: 'A page.', schema: silencesPage }, ...unchanged },
  },
  getAlertsChanges: {
    summary: 'The changes of alerts, groups, silences and history, as they happen.',
    query: alertsChangesQuery,
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
  getOtherServers: {
    summary: 'Other servers whose alerts can be read here.',
    answers: { 200: { description: 'The servers.', schema: otherServers }, ...refusals },
  },
  getOtherAlertGroups: {
    summary: 'Firing alerts of another server, in its groups, as this server reads them.',
    query: otherAlertGroupsQuery,
    headers: ifNoneMatch,
    answers: { 200: { description: 'The groups.', schema: otherAlertGroups }, ...unchanged },
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
    query: meQuery,
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
