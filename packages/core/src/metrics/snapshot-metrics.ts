import { declareMetrics, type MetricRows } from './declare-metrics.ts'
import type { MetricsRegistry } from './metrics.ts'

const rowsOf = (part: string) =>
  ({
    durations: {
      type: 'summary',
      name: `alertmanager_${part}_snapshot_duration_seconds`,
      help: 'No observations: changes are stored at once, without snapshots.',
    },
    size: {
      type: 'gauge',
      name: `alertmanager_${part}_snapshot_size_bytes`,
      help: 'Always 0: changes are stored at once, without snapshots.',
    },
    gossip: {
      type: 'counter',
      name: `alertmanager_${part}_gossip_messages_propagated_total`,
      help: 'Always 0: processes share changes through the storage, without gossip.',
    },
  }) satisfies MetricRows

/**
 * Registers the metrics of Alertmanager about snapshots and gossip of a part of its state. They stay empty: each change is stored
 * when it happens, and processes share it through the storage.
 *
 * @param part the middle of their names: `alertmanager_<part>_…`.
 */
export function registerSnapshotMetrics(metrics: MetricsRegistry, part: string): void {
  declareMetrics(metrics, rowsOf(part))
}
