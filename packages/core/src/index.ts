// The functions of all three services that most programs need. The rest of a service is in the entry of its name.
export {
  type AlertmanagerConfig,
  type AlertsContext,
  type AlertsOptions,
  createAlerts,
  createFunctionNotifier,
  createRecurringSilence,
  createSilence,
  deleteRecurringSilence,
  expireSilence,
  explain,
  extendSilence,
  formatMatcher,
  type GettableAlert,
  type GettableAlertGroup,
  type GettableSilence,
  getSilence,
  listAlertGroups,
  listAlerts,
  listSilences,
  type Notification,
  type Notifier,
  type NotifyResult,
  type PostableAlert,
  type PostableSilence,
  parseMatcher,
  parseMatchers,
  postAlerts,
  previewSilence,
  startAlerts,
  startDispatcher,
  startHeartbeat,
  startHistory,
  startMaintenance,
  updateAlertsConfig,
  watchChanges,
} from './alerts/index.ts'
export { type Running, stopAll } from './async/running.ts'
export {
  type AuthConfig,
  type AuthContext,
  type AuthEvent,
  type AuthOptions,
  accountRoutes,
  advanceFlow,
  createAuth,
  createFlow,
  createSession,
  createUser,
  deleteUser,
  disableUser,
  type FlowAction,
  type FlowInput,
  type FlowResult,
  type FlowState,
  type FlowType,
  findUsers,
  formatSetCookie,
  getFlowState,
  getUser,
  importUsers,
  listSessions,
  listUsers,
  logout,
  type OutgoingMessage,
  requireFresh,
  resolveSession,
  resolveSessionToken,
  revokeSession,
  type Senders,
  type Session,
  setPassword,
  startAuth,
  type UserDetails,
  updateAuthConfig,
  updateUser,
  userRoutes,
  withStorage,
} from './auth/index.ts'
export { type Action, actions, type RouteAction } from './authorization/action.ts'
export type {
  Authorize,
  Caller,
  Resource,
  ResourceMatcher,
  Subject,
} from './authorization/authorize.ts'
export { checkAccess, type GuardedService } from './authorization/check-access.ts'
export { type WhoAmI, whoAmI } from './authorization/who-am-i.ts'
export { type Ids, systemIds } from './crypto/ids.ts'
export { Secret } from './crypto/secret.ts'
export { type ConfigProblem, formatConfigProblems } from './document/config-problem.ts'
export {
  type ErrorInfo,
  type ErrorKind,
  errorText,
  GatehouseError,
  type GatehouseErrorOptions,
  isGatehouseError,
} from './errors.ts'
export { type FetchHandlerOptions, fetchHandler } from './http/fetch-handler.ts'
export { guardHosts } from './http/guard-hosts.ts'
export { type IdentifyRequestsOptions, identifyRequests } from './http/identify-requests.ts'
export { type DescribedService, type OpenApiOptions, openApiRoutes } from './http/openapi.ts'
export type { Route } from './http/route.ts'
export {
  type ConsoleLoggerOptions,
  createConsoleLogger,
  type Logger,
  silentLogger,
} from './logger.ts'
export * from './metrics/metrics.ts'
export type { Json, Storage } from './storage/storage.ts'
export type { TransactionStorage } from './storage/transaction-storage.ts'
export { type Clock, type Instant, systemClock } from './time/clock.ts'
export type { SpanAttributes, Tracer, TracerSpan, TracerSpanOptions } from './tracing/tracer.ts'
export {
  cancelRun,
  createWebhookRuns,
  createWebhooks,
  getRun,
  hashMessage,
  listRuns,
  listWebhooks,
  type Run,
  runWebhook,
  startWebhooks,
  triggerWebhook,
  updateWebhooksConfig,
  type WebhooksConfig,
  type WebhooksContext,
  type WebhooksOptions,
  watchRuns,
} from './webhook/index.ts'
