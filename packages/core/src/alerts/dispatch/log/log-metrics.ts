import { declareMetrics, type MetricRows } from '../../../metrics/declare-metrics.ts'
import type { MetricsRegistry } from '../../../metrics/metrics.ts'
import { registerSnapshotMetrics } from '../../../metrics/snapshot-metrics.ts'

/** Metrics of the notification log. */
export interface LogMetrics {
  /** The log of notifications was read, or could not be. */
  logRead(tookMs: number, isGood: boolean): void
}

const rows = {
  queries: {
    type: 'counter',
    name: 'alertmanager_nflog_queries_total',
    help: 'Readings of the notification log.',
  },
  queryErrors: {
    type: 'counter',
    name: 'alertmanager_nflog_query_errors_total',
    help: 'Readings of the notification log that failed.',
  },
  queryTimes: {
    type: 'histogram',
    name: 'alertmanager_nflog_query_duration_seconds',
    help: 'How long it took to read the notification log.',
    buckets: [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1],
  },
  gcTimes: {
    type: 'summary',
    name: 'alertmanager_nflog_gc_duration_seconds',
    help: 'No observations: the storage removes expired entries of the log itself.',
  },
  maintenance: {
    type: 'counter',
    name: 'alertmanager_nflog_maintenance_total',
    help: 'Always 0: the storage removes expired entries of the log itself.',
  },
  maintenanceErrors: {
    type: 'counter',
    name: 'alertmanager_nflog_maintenance_errors_total',
    help: 'Always 0: the storage removes expired entries of the log itself.',
  },
} satisfies MetricRows

/**
 * Registers the metrics of the notification log. The metrics of Alertmanager's maintenance stay 0, because the storage
 * removes expired entries itself.
 *
 * @see Alertmanager's metric names, `alertmanager_nflog_*`
 */
export function registerLogMetrics(metrics: MetricsRegistry): LogMetrics {
  const { queries, queryErrors, queryTimes } = declareMetrics(metrics, rows)
  registerSnapshotMetrics(metrics, 'nflog')
  return {
    logRead(tookMs, isGood) {
      queries.add(1)
      if (!isGood) queryErrors.add(1)
      queryTimes.observe(tookMs / 1_000)
    },
  }
}
