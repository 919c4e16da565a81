export {
  type AlertsChange,
  type AlertsChangeData,
  type AlertsClient,
  type ChangesQuery,
  createAlertsClient,
  everyItem,
} from './alerts/alerts-client.ts'
export {
  formatMatcher,
  type MatchersProblem,
  type ReadMatchers,
  readMatchers,
} from './alerts/matchers.ts'
export { type AnswerMemory, createAnswerMemory } from './answer-memory.ts'
export type { ApprovalOptions } from './auth/approval.ts'
export {
  type AccountClient,
  type AuthClient,
  type AuthClientOptions,
  type CurrentSession,
  createAuthClient,
  type FlowOptions,
  type RecoverOptions,
} from './auth/auth-client.ts'
export type { Flow, FlowAt, FlowInputs, PromptName } from './auth/flow.ts'
export { type KnownBrowser, knownBrowser } from './auth/known-browser.ts'
export { createPasskey, type PasskeyOptions, usePasskey } from './auth/passkeys.ts'
export { leaveForProvider, returnFromProvider } from './auth/provider.ts'
export type { UsersClient } from './auth/users-client.ts'
export type { ChangesOptions } from './changes.ts'
export {
  type ErrorReason,
  type Failure,
  GatehouseClientError,
  type HttpReason,
  isClientError,
} from './client-error.ts'
export { type AllClientsOptions, type Client, createClient } from './create-client.ts'
export type { CallOptions, ClientOptions, Fetch, HeaderSource } from './request.ts'
export type * from './types.ts'
export {
  createWebhooksClient,
  type RunChange,
  type RunEvent,
  type RunOptions,
  type RunResult,
  type RunState,
  type RunsQuery,
  type TextRun,
  type TokenOptions,
  type WebhooksClient,
  type WebhooksClientOptions,
} from './webhooks/webhooks-client.ts'
