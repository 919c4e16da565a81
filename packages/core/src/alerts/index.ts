// The whole alert service.

export { type Running, stopAll } from '../async/running.ts'
export type { HistoryPage, HistoryQuery } from '../history/history-query.ts'
export type { OutgoingAnswer, OutgoingRequest, SendRequest } from '../http-client/send-request.ts'
export type { InstantInput } from '../input/instant.ts'
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
export { acknowledge, unacknowledge } from './alerts/acknowledge.ts'
export { type FiringHistory, getFiringHistory } from './alerts/get-firing-history.ts'
export {
  type AcknowledgedAlert,
  type AcknowledgementsPage,
  type AcknowledgementsQuery,
  listAcknowledgements,
} from './alerts/list-acknowledgements.ts'
export {
  type AlertGroupsQuery,
  type GettableAlertGroup,
  listAlertGroups,
  listAlertGroupsJson,
} from './alerts/list-alert-groups.ts'
export { type AlertGroupsPageQuery, listAlertGroupsPage } from './alerts/list-alert-groups-page.ts'
export { type AlertHistoryQuery, listAlertHistory } from './alerts/list-alert-history.ts'
export { listAlerts, listAlertsJson } from './alerts/list-alerts.ts'
export { type AlertsPageQuery, listAlertsPage } from './alerts/list-alerts-page.ts'
export { type GettableExpectedAlerts, listExpectedAlerts } from './alerts/list-expected-alerts.ts'
export {
  listOtherAlertGroups,
  type OtherAlertGroupsQuery,
} from './alerts/list-other-alert-groups.ts'
export { type ListedServer, listOtherServers } from './alerts/list-other-servers.ts'
export { postAlerts } from './alerts/post-alerts.ts'
export { type AlertSummaryQuery, summarizeAlerts } from './alerts/summarize-alerts.ts'
export type { AlertGroupSummary } from './board/alert-group-json.ts'
export type { AlertsQuery } from './board/alert-query.ts'
export type { AlertSummary, LabelCounts, ValueCount } from './board/alert-summary.ts'
export type { ChangeTopic } from './changes/topic.ts'
export type { ClusterStatus, Peer } from './cluster/peer.ts'
export { peerCollection } from './cluster/peer.ts'
export { alertsCollections } from './collections.ts'
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
export { type AlertsOptions, createAlerts } from './create-alerts.ts'
export type { MetricLabel } from './dispatch/dispatch-metrics.ts'
export type {
  NotificationDecision,
  NotificationOutcome,
  SuppressionCause,
} from './dispatch/log/decision.ts'
export type { ExpectedAlerts } from './expect/expectation.ts'
export type { ExpectedState } from './expect/expected-state.ts'
export type { AlertmanagerGlobal } from './fields/written/global.ts'
export type { AlertEventKind, GettableAlertEvent } from './history/alert-event.ts'
export type { GettableNotification } from './history/notification-record.ts'
export type { GettableSilenceEvent, SilenceEventKind } from './history/silence-event.ts'
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
export {
  countNotifications,
  type NotificationCounts,
  type NotificationCountsQuery,
  type ReceiverCounts,
} from './notifications/count-notifications.ts'
export {
  type GetNotificationOptions,
  getNotification,
  type NotificationAlert,
  type NotificationDetails,
} from './notifications/get-notification.ts'
export { listNotifications, type NotificationsQuery } from './notifications/list-notifications.ts'
export { prepareNotifications } from './notifications/prepare-notifications.ts'
export {
  type RenderedIntegration,
  renderNotification,
} from './notifications/render-notification.ts'
export { type RenderTemplateOptions, renderTemplate } from './notifications/render-template.ts'
export {
  type TestedIntegration,
  type TestReceiverOptions,
  testReceiver,
} from './notifications/test-receiver.ts'
export {
  isOtherServerName,
  isOtherServerUrl,
  maxOtherServers,
  type OtherServer,
} from './other-servers/other-server.ts'
export type { Page, PageQuery } from './page/page.ts'
export type { NotificationSample, SampleAlert } from './preview/notification-sample.ts'
export type { RenderedMail } from './preview/preview-integration.ts'
export type { RenderedRequest } from './preview/shown-request.ts'
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
  WebhookRuns,
} from './receivers/notifier.ts'
export type { AlertmanagerReceiver } from './receivers/written-receiver.ts'
export type { TimeIntervalInput } from './recurrence/time-interval-input.ts'
export {
  compareRoutes,
  type RouteDifference,
  type RouteMove,
  type RoutePlace,
} from './running-config/compare-routes.ts'
export {
  type ExplainedInhibition,
  type ExplainedRoute,
  type Explanation,
  explain,
} from './running-config/explain.ts'
export type {
  ExplainedGroup,
  ExplainedIntegration,
  ExplainedNext,
} from './running-config/explain-delivery.ts'
export {
  getServerStatus,
  type ServerProblem,
  type ServerProcess,
  type ServerStatus,
  type StorageStatus,
} from './running-config/get-server-status.ts'
export { type AlertsStatus, getStatus } from './running-config/get-status.ts'
export {
  type GettableReceiver,
  listReceivers,
  type ReceiversQuery,
} from './running-config/list-receivers.ts'
export { type ListedRoute, listRoutes } from './running-config/list-routes.ts'
export {
  type ConfigPreview,
  type ConfigPreviewProblem,
  type ConfigPreviewRequest,
  previewConfig,
} from './running-config/preview-config.ts'
export { reloadAlertsConfig, updateAlertsConfig } from './running-config/update-alerts-config.ts'
export type {
  GettableSilence,
  SilenceState,
  StoredSilence,
  WireMatcher,
} from './silence/silence.ts'
export { silenceCollection } from './silence/silence.ts'
export type { PostableSilence } from './silence/silence-input.ts'
export {
  createRecurringSilence,
  type RecurringSilenceInput,
} from './silences/create-recurring-silence.ts'
export { createSilence } from './silences/create-silence.ts'
export { deleteRecurringSilence } from './silences/delete-recurring-silence.ts'
export { expireSilence } from './silences/expire-silence.ts'
export { extendSilence, type SilenceExtension } from './silences/extend-silence.ts'
export { followSilences } from './silences/follow-silences.ts'
export { getSilence } from './silences/get-silence.ts'
export {
  type AffectedAlert,
  type AffectedAlerts,
  listAffectedAlerts,
} from './silences/list-affected-alerts.ts'
export {
  type ListedOccurrence,
  type ListedRecurringSilence,
  listOccurrences,
  listRecurringSilences,
} from './silences/list-recurring-silences.ts'
export { listSilenceHistory, type SilenceHistoryQuery } from './silences/list-silence-history.ts'
export { listSilences, listSilencesJson, type SilencesQuery } from './silences/list-silences.ts'
export {
  type ListedSilence,
  listSilencesPage,
  type SilencesPageQuery,
} from './silences/list-silences-page.ts'
export { makeSilences } from './silences/make-silences.ts'
export {
  previewSilence,
  type SilencePreview,
  type SilencePreviewRequest,
} from './silences/preview-silence.ts'
export { closeAlerts } from './start/close-alerts.ts'
export { type StartAlertsOptions, startAlerts } from './start/start-alerts.ts'
export {
  type Dispatcher,
  type DispatcherOptions,
  startDispatcher,
} from './start/start-dispatcher.ts'
export { type EventRecorderOptions, startEventRecorder } from './start/start-event-recorder.ts'
export { startHeartbeat } from './start/start-heartbeat.ts'
export { type HistoryKeeper, startHistory } from './start/start-history.ts'
export {
  type CollectedGarbage,
  collectGarbage,
  startMaintenance,
} from './start/start-maintenance.ts'
export {
  type AlertmanagerState,
  type ImportedState,
  importAlertmanagerState,
} from './takeover/import-alertmanager-state.ts'
export {
  type AlertsChange,
  type AlertsChangeData,
  type ChangesQuery,
  watchChanges,
} from './watch-changes.ts'
