// A manual clock, outboxes for notifications and messages, a scripted runner of commands, and help to sign in.
export {
  type DriveFlowOptions,
  type DrivenFlow,
  type DrivenInput,
  driveFlow,
} from './drive-flow.ts'
export { createManualClock, type ManualClock } from './manual-clock.ts'
export { createMessageOutbox, type MessageOutbox } from './message-outbox.ts'
export { createOutbox, type Outbox, type OutboxOptions } from './outbox.ts'
export { runStorageScenario } from './run-storage-scenario.ts'
export {
  type CommandScript,
  createScriptedRunner,
  type ScriptedResult,
  type ScriptedRunner,
} from './scripted-runner.ts'
export { type SignedIn, signIn } from './sign-in.ts'
export { totpCode } from './totp-code.ts'
