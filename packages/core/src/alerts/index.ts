export type {
  GettableAlert,
  GettableAlertStatus,
  Labels,
  PostableAlert,
  StoredAlert,
} from './alert.ts'
export { alertCollection } from './alert.ts'
export type { AlertsQuery } from './alert-query.ts'
export { alertsCollections } from './collections.ts'
export { type AlertsConfig, type AlertsConfigOptions, loadAlertsConfig } from './config.ts'
export type { AlertsConfigSource, AlertsContext, AlertsSettings, VersionInfo } from './context.ts'
export { type AlertsOptions, createAlerts } from './create-alerts.ts'
export { createSilence } from './create-silence.ts'
export { expireSilence } from './expire-silence.ts'
export {
  type ExplainedInhibition,
  type ExplainedRoute,
  type Explanation,
  explain,
} from './explain.ts'
export { getSilence } from './get-silence.ts'
export { type AlertsStatus, getStatus } from './get-status.ts'
export {
  fingerprint,
  type LabelSet,
  labelSet,
  labelSetFromObject,
  labelSetToObject,
} from './label-set.ts'
export {
  type AlertGroupsQuery,
  type GettableAlertGroup,
  listAlertGroups,
  listAlertGroupsJson,
} from './list-alert-groups.ts'
export { listAlerts, listAlertsJson } from './list-alerts.ts'
export { type GettableReceiver, listReceivers, type ReceiversQuery } from './list-receivers.ts'
export { listSilences, listSilencesJson, type SilencesQuery } from './list-silences.ts'
export {
  type CollectedGarbage,
  collectGarbage,
  type Running,
  startMaintenance,
} from './maintenance.ts'
export {
  createMatcher,
  formatMatcher,
  formatMatchers,
  type Matcher,
  type MatchOperator,
  matches,
  matchesAll,
} from './matcher.ts'
export { type MatcherMode, parseMatcher, parseMatchers } from './matcher-syntax.ts'
export type { ClusterStatus, Peer } from './peer.ts'
export { peerCollection } from './peer.ts'
export { postAlerts } from './post-alerts.ts'
export type {
  GettableSilence,
  PostableSilence,
  SilenceState,
  StoredSilence,
  WireMatcher,
} from './silence.ts'
export { silenceCollection } from './silence.ts'
export { startHeartbeat } from './start-heartbeat.ts'
export { reloadAlertsConfig, updateAlertsConfig } from './update-alerts-config.ts'
