export * from './alerts/index.ts'
export * from './auth/index.ts'
export { compareBytes } from './crypto/byte-order.ts'
export { type Ids, systemIds } from './crypto/ids.ts'
export { Secret } from './crypto/secret.ts'
export { type ConfigProblem, formatConfigProblems } from './document/config-problem.ts'
export {
  type ErrorInfo,
  type ErrorKind,
  GatehouseError,
  type GatehouseErrorOptions,
  isGatehouseError,
} from './errors.ts'
export { type Answer, textAnswer, toResponse } from './http/answer.ts'
export {
  type ClientInfo,
  type ConnectedClient,
  createClientReader,
  type ReceivedRequest,
} from './http/client-reader.ts'
export { type FetchHandlerOptions, fetchHandler } from './http/fetch-handler.ts'
export { fetchRoute } from './http/fetch-route.ts'
export { guardHosts } from './http/guard-hosts.ts'
export { bodyEnd, isStillSending, lingering, type UnreadRequest } from './http/lingering.ts'
export { parseUrl } from './http/parse-url.ts'
export type {
  RequestInfo,
  Route,
  RouteHeaders,
  RouteRequest,
  Socket,
  SocketHandler,
} from './http/route.ts'
export { createRouteTable, type RouteMatch, type RouteTable } from './http/route-table.ts'
export { splitUrl } from './http/split-url.ts'
export { type Logger, silentLogger } from './logger.ts'
export * from './metrics/metrics.ts'
export { type ChangeTail, type ChangeTailOptions, createChangeTail } from './storage/change-tail.ts'
export {
  type CheckRecordsOptions,
  checkRecords,
  type UnreadableRecord,
} from './storage/check-records.ts'
export {
  type CollectionOptions,
  defineCollection,
  type ReadableCollection,
  type TypedChanges,
  type TypedCollection,
  type TypedRecord,
  type WriteOptions,
} from './storage/collection.ts'
export {
  createDecisionQueue,
  type Decide,
  type Decision,
  type DecisionQueue,
  type DecisionQueueOptions,
} from './storage/decision-queue.ts'
export { createExpiryQueue, type ExpiryQueue } from './storage/expiry-queue.ts'
export {
  createStorageHealth,
  healthCollection,
  type StorageHealth,
  type StorageHealthOptions,
  type StorageProblem,
} from './storage/health.ts'
export type { RecordCheck } from './storage/record-check.ts'
export type { SnapshotRecord, StorageSnapshot } from './storage/snapshot.ts'
export * from './storage/storage.ts'
export {
  checkCollection,
  checkQuery,
  checkWrites,
  fieldKey,
  withoutFeed,
} from './storage/storage-input.ts'
export { createView, type Projection, type View, type ViewOptions } from './storage/view.ts'
export { type Clock, type Instant, systemClock } from './time/clock.ts'
export * from './webhook/index.ts'
