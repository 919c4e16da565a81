// A manual clock, and outboxes for notifications and messages.
export { createManualClock, type ManualClock } from './manual-clock.ts'
export { createMessageOutbox, type MessageOutbox } from './message-outbox.ts'
export { createOutbox, type Outbox, type OutboxOptions } from './outbox.ts'
export { runStorageScenario } from './run-storage-scenario.ts'
