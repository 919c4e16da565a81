import type { Ids } from '../crypto/ids.ts'
import type { Logger } from '../logger.ts'
import type { MetricsRegistry } from '../metrics/metrics.ts'
import type { StorageHealth } from '../storage/health.ts'
import type { Storage } from '../storage/storage.ts'
import type { TransactionStorage } from '../storage/transaction-storage.ts'
import type { Clock } from '../time/clock.ts'
import type { Tracer } from '../tracing/tracer.ts'
import { type Decode, having } from './decode.ts'
import { refuse } from './refusal.ts'

/** Checks that an option is a storage. */
export const storagePort: Decode<Storage> = having<Storage>(
  'a Storage, such as createMemoryStorage() returns',
  'get',
  'find',
  'commit',
  'changes',
  'close',
)

/** Checks that a value is a storage within a transaction. */
export const transactionStoragePort: Decode<TransactionStorage> = (value) => {
  const storage = storagePort(value)
  // A storage of its own commits at once, whatever becomes of the transaction.
  return 'isExclusive' in storage
    ? (storage as TransactionStorage)
    : refuse('a storage within a transaction, such as storage.within(client) returns', value)
}

/** Checks that an option is a clock. */
export const clockPort: Decode<Clock> = having<Clock>('a Clock', 'now', 'monotonic', 'setTimer')

/** Checks that an option makes ids. */
export const idsPort: Decode<Ids> = having<Ids>('Ids', 'random', 'ordered')

const logger = having<Logger>(
  'a Logger, such as pino() or createConsoleLogger() returns, or false',
  'debug',
  'info',
  'warn',
  'error',
)

/** Checks that an option is a logger, such as one of pino, or `false` for none. */
export const loggerPort: Decode<Logger | false> = (value) =>
  value === false ? false : logger(value)

/** Checks that an option is a tracer. */
export const tracerPort: Decode<Tracer> = having<Tracer>(
  'a Tracer, such as trace.getTracer() of @opentelemetry/api returns',
  'startSpan',
  'startActiveSpan',
)

/** Checks that an option is a registry of metrics. */
export const metricsPort: Decode<MetricsRegistry> = having<MetricsRegistry>(
  'a MetricsRegistry, such as createMetricsRegistry() returns',
  'counter',
  'gauge',
  'histogram',
  'summary',
)

/** Checks that an option is a storage health check. */
export const healthPort: Decode<StorageHealth> = having<StorageHealth>(
  'a StorageHealth, such as createStorageHealth() returns',
  'check',
  'watch',
)
