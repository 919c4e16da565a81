import { declareMetrics, type MetricRows } from '../../metrics/declare-metrics.ts'
import type { Counter, MetricsRegistry } from '../../metrics/metrics.ts'

/** The metrics of the event recorder. */
export interface RecorderMetrics {
  /** By `event_type`. */
  readonly recorded: Counter
  /** Lost events, once for each output that lost it. */
  readonly dropped: Counter
  /** By `output`, as are the bytes. */
  readonly outputDrops: Counter
  readonly bytes: Counter
}

const rows = {
  waiting: {
    type: 'gauge',
    name: 'alertmanager_event_recorder_queue_length',
    help: 'Events that wait for an output of the event recorder.',
  },
  unwritable: {
    type: 'counter',
    name: 'alertmanager_event_serialize_errors_total',
    help: 'Always 0: every event can be written as JSON.',
  },
  recorded: {
    type: 'counter',
    name: 'alertmanager_events_recorded_total',
    help: 'Events that the event recorder passed to its outputs, by kind.',
    labels: ['event_type'],
  },
  dropped: {
    type: 'counter',
    name: 'alertmanager_events_dropped_total',
    help: 'Events that an output of the event recorder lost; for each output that lost it.',
  },
  outputDrops: {
    type: 'counter',
    name: 'alertmanager_event_output_drops_total',
    help: 'Events that were lost, by output.',
    labels: ['output'],
  },
  bytes: {
    type: 'counter',
    name: 'alertmanager_event_recorder_bytes_written_total',
    help: 'Bytes of events that were written, by output.',
    labels: ['output'],
  },
} satisfies MetricRows

/**
 * Registers the metrics of the event recorder.
 *
 * Unconfirmed: Alertmanager's names are known, the names of their labels are assumed.
 *
 * @param waiting counts the events that wait for an output.
 */
export function registerRecorderMetrics(
  metrics: MetricsRegistry,
  waiting: () => number,
): RecorderMetrics {
  return declareMetrics(metrics, rows, { waiting: (gauge) => gauge.set(waiting()) })
}
