import { declareMetrics, type MetricRows } from '../metrics/declare-metrics.ts'
import type { Counter, MetricsRegistry } from '../metrics/metrics.ts'

/** The metrics of the history. */
export interface HistoryMetrics {
  /** By `collection`. */
  readonly written: Counter
  readonly dropped: Counter
  /** Records that were packed, by `collection`. */
  readonly packed: Counter
  /** The number of records that are not written yet. */
  readonly waiting: { count: number }
  /** The bytes of packed records. */
  readonly bytes: { count: number }
}

const rowsOf = (prefix: string) =>
  ({
    packedBytes: {
      type: 'gauge',
      name: `gatehouse_${prefix}_packed_bytes`,
      help: 'Bytes that packed records of the history take.',
    },
    waiting: {
      type: 'gauge',
      name: `gatehouse_${prefix}_waiting`,
      help: 'Records of the history that are not written yet.',
    },
    packed: {
      type: 'counter',
      name: `gatehouse_${prefix}_packed_total`,
      help: 'Records of the history that were packed.',
      labels: ['collection'],
    },
    written: {
      type: 'counter',
      name: `gatehouse_${prefix}_written_total`,
      help: 'Records of the history that were written.',
      labels: ['collection'],
    },
    dropped: {
      type: 'counter',
      name: `gatehouse_${prefix}_dropped_total`,
      help: 'Records of the history that were lost: too many waited, or the storage refused them.',
    },
  }) satisfies MetricRows

/** Registers the metrics of a history. Their names start with `gatehouse_`, the prefix and `_`. */
export function registerHistoryMetrics(metrics: MetricsRegistry, prefix: string): HistoryMetrics {
  const waiting = { count: 0 }
  const bytes = { count: 0 }
  const { packed, written, dropped } = declareMetrics(metrics, rowsOf(prefix), {
    packedBytes: (gauge) => gauge.set(bytes.count),
    waiting: (gauge) => gauge.set(waiting.count),
  })
  return { waiting, bytes, packed, written, dropped }
}
