// The storage contract, building blocks for stores, and what programs that inspect a database need.
export { compareBytes } from '@gatehouse/go-template/text'
export {
  type ErrorInfo,
  type ErrorKind,
  GatehouseError,
  type GatehouseErrorOptions,
  isGatehouseError,
} from '../errors.ts'
export { type Logger, loggerOf, silentLogger } from '../logger.ts'
export { type Clock, type Instant, systemClock } from '../time/clock.ts'
export { type ChangeTail, type ChangeTailOptions, createChangeTail } from './change-tail.ts'
export { type CheckRecordsOptions, checkRecords, type UnreadableRecord } from './check-records.ts'
export {
  type CollectionOptions,
  defineCollection,
  type ReadableCollection,
  type TypedChanges,
  type TypedCollection,
  type TypedRecord,
  type WriteOptions,
} from './collection.ts'
export {
  type Content,
  createDecisionQueue,
  type Decide,
  type DecideTogether,
  type Decision,
  type DecisionQueue,
  type DecisionQueueOptions,
} from './decision-queue.ts'
export { type DescribedStorage, isDescribed, type StorageDescription } from './describe.ts'
export { createExpiryQueue, type ExpiryQueue } from './expiry-queue.ts'
export {
  createStorageHealth,
  healthCollection,
  type StorageHealth,
  type StorageHealthOptions,
  type StorageProblem,
} from './health.ts'
export type { RecordCheck } from './record-check.ts'
export type { RecordView, ViewColumn, ViewColumnType } from './record-view.ts'
export type { SnapshotRecord, StorageSnapshot } from './snapshot.ts'
export * from './storage.ts'
export { checkCollection, checkQuery, checkWrites, fieldKey, withoutFeed } from './storage-input.ts'
export type { TransactionStorage } from './transaction-storage.ts'
export { createView, type Projection, type View, type ViewOptions } from './view.ts'
