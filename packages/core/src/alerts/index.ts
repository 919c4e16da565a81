// The whole alert service.

export { type Running, stopAll } from '../async/running.ts'
export type { HistoryPage, HistoryQuery } from '../history/history-query.ts'
export type { OutgoingAnswer, OutgoingRequest, SendRequest } from '../http-client/send-request.ts'
export type { InstantInput } from '../input/instant.ts'
export { acknowledge, unacknowledge } from './acknowledge.ts'
export type { Acknowledgement, GettableAcknowledgement } from './alert/acknowledgement.ts'
export type {
  AcknowledgementTarget,
  AcknowledgeRequest,
  UnacknowledgeRequest,
} from './alert/acknowledgement-input.ts'
export type {
  GettableAlert,
  GettableAlertStatus,
  Labels,
  StoredAlert,
} from './alert/alert.ts'
export { alertCollection } from './alert/alert.ts'
export type { PostableAlert } from './alert/alert-input.ts'
export {
  fingerprint,
  type LabelSet,
  labelSet,
  labelSetFromObject,
  labelSetToObject,
} from './alert/label-set.ts'
export type { AlertGroupSummary } from './board/alert-group-json.ts'
export type { AlertsQuery } from './board/alert-query.ts'
export type { ChangeTopic } from './changes/topic.ts'
export { closeAlerts } from './close-alerts.ts'
export type { ClusterStatus, Peer } from './cluster/peer.ts'
export { peerCollection } from './cluster/peer.ts'
export { alertsCollections } from './collections.ts'
export {
  compareRoutes,
  type RouteDifference,
  type RouteMove,
  type RoutePlace,
} from './compare-routes.ts'
export { checkTemplateFiles } from './config/check-template-files.ts'
export {
  type AlertsConfig,
  type AlertsConfigOptions,
  loadAlertsConfig,
} from './config/config.ts'
export type {
  AlertsConfigInput,
  AlertsConfigObject,
  AlertsConfigSource,
} from './config/config-input.ts'
export { alertsConfigWarnings } from './config/config-warnings.ts'
export { maskedSecrets } from './config/masked-secrets.ts'
export type { AlertsConfigPart } from './config/parts.ts'
export type { ConfigReferenceSources, ConfigReferences } from './config/references.ts'
export type { AlertmanagerConfig } from './config/written/alertmanager-config.ts'
export type { AlertmanagerInhibitRule, AlertmanagerRoute } from './config/written/route.ts'
export type { AlertmanagerTimeInterval } from './config/written/time-interval.ts'
export type {
  AlertsContext,
  AlertsSettings,
  VersionInfo,
} from './context.ts'
export {
  countNotifications,
  type NotificationCounts,
  type NotificationCountsQuery,
  type ReceiverCounts,
} from './count-notifications.ts'
export { type AlertsOptions, createAlerts } from './create-alerts.ts'
export { createRecurringSilence, type RecurringSilenceInput } from './create-recurring-silence.ts'
export { createSilence } from './create-silence.ts'
export { deleteRecurringSilence } from './delete-recurring-silence.ts'
export type { MetricLabel } from './dispatch/dispatch-metrics.ts'
export type { NotificationDecision, NotificationOutcome } from './dispatch/log/decision.ts'
export type { ExpectedAlerts } from './expect/expectation.ts'
export type { ExpectedState } from './expect/expected-state.ts'
export { expireSilence } from './expire-silence.ts'
export {
  type ExplainedInhibition,
  type ExplainedRoute,
  type Explanation,
  explain,
} from './explain.ts'
export type {
  ExplainedGroup,
  ExplainedIntegration,
  ExplainedNext,
} from './explain-delivery.ts'
export { extendSilence, type SilenceExtension } from './extend-silence.ts'
export type { AlertmanagerGlobal } from './fields/written/global.ts'
export { followSilences } from './follow-silences.ts'
export {
  type GetNotificationOptions,
  getNotification,
  type NotificationAlert,
  type NotificationDetails,
} from './get-notification.ts'
export {
  getServerStatus,
  type ServerProblem,
  type ServerProcess,
  type ServerStatus,
  type StorageStatus,
} from './get-server-status.ts'
export { getSilence } from './get-silence.ts'
export { type AlertsStatus, getStatus } from './get-status.ts'
export type { AlertEventKind, GettableAlertEvent } from './history/alert-event.ts'
export type { GettableNotification } from './history/notification-record.ts'
export type { GettableSilenceEvent, SilenceEventKind } from './history/silence-event.ts'
export {
  type AlertmanagerState,
  type ImportedState,
  importAlertmanagerState,
} from './import-alertmanager-state.ts'
export {
  type AcknowledgedAlert,
  type AcknowledgementsPage,
  type AcknowledgementsQuery,
  listAcknowledgements,
} from './list-acknowledgements.ts'
export {
  type AffectedAlert,
  type AffectedAlerts,
  listAffectedAlerts,
} from './list-affected-alerts.ts'
export {
  type AlertGroupsQuery,
  type GettableAlertGroup,
  listAlertGroups,
  listAlertGroupsJson,
} from './list-alert-groups.ts'
export { type AlertGroupsPageQuery, listAlertGroupsPage } from './list-alert-groups-page.ts'
export { type AlertHistoryQuery, listAlertHistory } from './list-alert-history.ts'
export { listAlerts, listAlertsJson } from './list-alerts.ts'
export { type AlertsPageQuery, listAlertsPage } from './list-alerts-page.ts'
export { type GettableExpectedAlerts, listExpectedAlerts } from './list-expected-alerts.ts'
export { listNotifications, type NotificationsQuery } from './list-notifications.ts'
export { type GettableReceiver, listReceivers, type ReceiversQuery } from './list-receivers.ts'
export {
  type ListedOccurrence,
  type ListedRecurringSilence,
  listOccurrences,
  listRecurringSilences,
} from './list-recurring-silences.ts'
export { type ListedRoute, listRoutes } from './list-routes.ts'
export { listSilenceHistory, type SilenceHistoryQuery } from './list-silence-history.ts'
export { listSilences, listSilencesJson, type SilencesQuery } from './list-silences.ts'
export { listSilencesPage, type SilencesPageQuery } from './list-silences-page.ts'
export { makeSilences } from './make-silences.ts'
export { isCoveredBy } from './matcher/covered-by.ts'
export {
  createMatcher,
  formatMatcher,
  formatMatchers,
  type Matcher,
  type MatchOperator,
  matches,
  matchesAll,
} from './matcher/matcher.ts'
export { type MatcherMode, parseMatcher, parseMatchers } from './matcher/matcher-syntax.ts'
export { decodeTemplateData } from './notification/decode-template-data.ts'
export type {
  Notification,
  NotificationReason,
  NotificationRenderer,
  NotifiedAlert,
} from './notification/notification.ts'
export type { TemplateFile } from './notification/notification-templates.ts'
export type { TemplateAlert, TemplateFacts } from './notification/template-data.ts'
export type { Page, PageQuery } from './page/page.ts'
export { postAlerts } from './post-alerts.ts'
export { prepareNotifications } from './prepare-notifications.ts'
export type { NotificationSample, SampleAlert } from './preview/notification-sample.ts'
export type { RenderedMail } from './preview/preview-integration.ts'
export type { RenderedRequest } from './preview/shown-request.ts'
export {
  type ConfigPreview,
  type ConfigPreviewProblem,
  type ConfigPreviewRequest,
  previewConfig,
} from './preview-config.ts'
export {
  previewSilence,
  type SilencePreview,
  type SilencePreviewRequest,
} from './preview-silence.ts'
export type { NotifiersInCode } from './receivers/create-receivers.ts'
export {
  createFunctionNotifier,
  type FunctionNotifierOptions,
  type NotifyFunction,
} from './receivers/function-notifier.ts'
export type {
  AwsCredentials,
  FailureReason,
  Notifier,
  NotifierPorts,
  NotifyResult,
} from './receivers/notifier.ts'
export type { AlertmanagerReceiver } from './receivers/written-receiver.ts'
export type { TimeIntervalInput } from './recurrence/time-interval-input.ts'
export { type RenderedIntegration, renderNotification } from './render-notification.ts'
export { type RenderTemplateOptions, renderTemplate } from './render-template.ts'
export type {
  GettableSilence,
  SilenceState,
  StoredSilence,
  WireMatcher,
} from './silence/silence.ts'
export { silenceCollection } from './silence/silence.ts'
export type { PostableSilence } from './silence/silence-input.ts'
export { type StartAlertsOptions, startAlerts } from './start-alerts.ts'
export { type Dispatcher, type DispatcherOptions, startDispatcher } from './start-dispatcher.ts'
export { type EventRecorderOptions, startEventRecorder } from './start-event-recorder.ts'
export { startHeartbeat } from './start-heartbeat.ts'
export { type HistoryKeeper, startHistory } from './start-history.ts'
export {
  type CollectedGarbage,
  collectGarbage,
  startMaintenance,
} from './start-maintenance.ts'
export { type TestedIntegration, type TestReceiverOptions, testReceiver } from './test-receiver.ts'
export { reloadAlertsConfig, updateAlertsConfig } from './update-alerts-config.ts'
export {
  type AlertsChange,
  type AlertsChangeData,
  type ChangesQuery,
  watchChanges,
} from './watch-changes.ts'
