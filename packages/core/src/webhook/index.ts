// The whole webhook service.

export { type Running, stopAll } from '../async/running.ts'
export type { SenderRecipe } from './access/sender-recipe.ts'
export type { Refusal } from './board/refusals.ts'
export { cancelRun } from './cancel-run.ts'
export { type CheckCommandsOptions, checkCommands } from './check-commands.ts'
export { type CloseOptions, closeWebhooks } from './close-webhooks.ts'
export { webhooksCollections } from './collections.ts'
export type { WebhookInput } from './command/webhook-inputs.ts'
export {
  type DecodeWebhooksConfigOptions,
  decodeWebhooksConfig,
  formatWebhooksConfigProblem,
  parseWebhooksDocument,
  readWebhooksConfig,
  type WebhooksConfigCode,
  type WebhooksConfigInput,
  type WebhooksConfigPart,
  type WebhooksConfigPorts,
  type WebhooksConfigProblem,
  type WebhooksConfigSource,
  type WebhooksDocument,
} from './config/config.ts'
export type { OwnSettings } from './config/service-settings.ts'
export type {
  WebhookDefaults,
  WebhookDefinition,
  WebhooksConfig,
} from './config/written/webhooks-config.generated.ts'
export type { WebhooksContext } from './context.ts'
export { createWebhooks, type WebhooksOptions } from './create-webhooks.ts'
export { listRefusals } from './delivery/list-refusals.ts'
export {
  type AlertRun,
  alertRunProblem,
  createWebhookRuns,
  runForAlert,
} from './due/run-for-alert.ts'
export type { WebhookErrorCode } from './errors.ts'
export type {
  RejectedRequest,
  RunOutput,
  WebhookEventMap,
  WebhookEventName,
  WebhookEvents,
  WebhookListener,
} from './events.ts'
export {
  type DeliveryCheck,
  type DeliveryCheckName,
  type DeliverySample,
  type ExplainedCommand,
  type ExplainedDelivery,
  explainDelivery,
} from './explain-delivery.ts'
export { type GetRunOptions, getRun } from './get-run.ts'
export { type HashedMessage, hashMessage } from './hash-message.ts'
export type { GettableRunState } from './http/run-change-source.ts'
export { listRuns, type RunFilter, type RunPage } from './list-runs.ts'
export { listWebhooks, type WebhookDescription } from './list-webhooks.ts'
export { processWarnings, type WarnedProcess } from './process-warnings.ts'
export type { Run, RunCause, RunReason, RunStatus } from './run.ts'
export {
  type RunOptions,
  runWebhook,
  type SkippedDelivery,
  type WebhookCall,
} from './run-webhook.ts'
export type {
  CapturedOutput,
  Command,
  CommandListener,
  CommandNotStarted,
  CommandResult,
  CommandRunner,
  OutputStream,
  RunningCommand,
} from './runner/command.ts'
export { createLaunchRunner, type LaunchRunnerOptions } from './runner/launcher/launch-command.ts'
export type { Machine, ServerProcess } from './runner/process/machine.ts'
export type { FoundProgram } from './runner/program/program.ts'
export { createSpawnRunner } from './runner/spawn/spawn-command.ts'
export { startRecords } from './runs/start-records.ts'
export { defineSender, type SenderDefinition } from './senders/define-sender.ts'
export { senders } from './senders/senders.ts'
export { type DeliveryToSign, type SignedDelivery, signDelivery } from './senders/sign-delivery.ts'
export { type StartWebhooksOptions, startWebhooks } from './start-webhooks.ts'
export { type TriggerOptions, triggerWebhook } from './trigger-webhook.ts'
export { reloadWebhooksConfig, updateWebhooksConfig } from './update-webhooks-config.ts'
export {
  type RunChange,
  type RunChangeData,
  type RunChangesQuery,
  watchRuns,
} from './watch-runs.ts'
export type {
  Handshake,
  HandshakeAnswer,
  HandshakeRequest,
  LoadedWebhooksConfig,
  LoadedWebhooksPart,
  Sender,
  SignatureAlgorithm,
  SignatureFormat,
  SignaturePlace,
  Webhook,
  WebhookHistory,
  WebhookLimits,
} from './webhook.ts'
