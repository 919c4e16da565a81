export { type AbortSignalLike, toAbortSignal } from './abort-signal.ts'
export * from './alerts/index.ts'
export * from './auth/index.ts'
export { compareBytes } from './byte-order.ts'
export { type ChangeTail, type ChangeTailOptions, createChangeTail } from './change-tail.ts'
export { type Clock, type Instant, systemClock } from './clock.ts'
export {
  type CollectionOptions,
  defineCollection,
  type ReadableCollection,
  type TypedChanges,
  type TypedCollection,
  type TypedRecord,
  type WriteOptions,
} from './collection.ts'
export { type ConfigProblem, formatConfigProblems } from './config-problem.ts'
export {
  createDecisionQueue,
  type Decide,
  type Decision,
  type DecisionQueue,
  type DecisionQueueOptions,
} from './decision-queue.ts'
export {
  type ErrorInfo,
  type ErrorKind,
  GatehouseError,
  type GatehouseErrorOptions,
  isGatehouseError,
} from './errors.ts'
export { createExpiryQueue, type ExpiryQueue } from './expiry-queue.ts'
export { type Answer, textAnswer, toResponse } from './http/answer.ts'
export { closeGently, type NodeConnection, type NodeRequest } from './http/close-gently.ts'
export { createRoute } from './http/create-route.ts'
export { guardHosts } from './http/guard-hosts.ts'
export type {
  AnsweringRoute,
  RequestInfo,
  Route,
  RouteRequest,
  Socket,
  SocketHandler,
} from './http/route.ts'
export { createRouteTable, type RouteMatch, type RouteTable } from './http/route-table.ts'
export { type Ids, systemIds } from './ids.ts'
export { type Logger, silentLogger } from './logger.ts'
export * from './metrics.ts'
export { parseUrl } from './parse-url.ts'
export { Secret } from './secret.ts'
export {
  type CheckRecordsOptions,
  checkRecords,
  type UnreadableRecord,
} from './storage/check-records.ts'
export {
  createStorageHealth,
  healthCollection,
  type StorageHealth,
  type StorageHealthOptions,
  type StorageProblem,
} from './storage/health.ts'
export type { RecordCheck } from './storage/record-check.ts'
export type { SnapshotRecord, StorageSnapshot } from './storage/snapshot.ts'
export * from './storage.ts'
export {
  checkCollection,
  checkQuery,
  checkWrites,
  fieldKey,
  withoutFeed,
} from './storage-input.ts'
export { createView, type Projection, type View, type ViewOptions } from './view.ts'
export * from './webhook/index.ts'
