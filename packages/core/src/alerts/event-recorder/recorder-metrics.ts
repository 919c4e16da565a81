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
  metrics.gauge({
    name: 'alertmanager_event_recorder_queue_length',
    help: 'Events that wait for an output of the event recorder.',
    collect: (gauge) => gauge.set(waiting()),
  })
  metrics.counter({
    name: 'alertmanager_event_serialize_errors_total',
    help: 'Always 0: every event can be written as JSON.',
  })
  return {
    recorded: metrics.counter({
      name: 'alertmanager_events_recorded_total',
      help: 'Events that the event recorder passed to its outputs, by kind.',
      labels: ['event_type'],
    }),
    dropped: metrics.counter({
      name: 'alertmanager_events_dropped_total',
      help: 'Events that an output of the event recorder lost; for each output that lost it.',
    }),
    outputDrops: metrics.counter({
      name: 'alertmanager_event_output_drops_total',
      help: 'Events that were lost, by output.',
      labels: ['output'],
    }),
    bytes: metrics.counter({
      name: 'alertmanager_event_recorder_bytes_written_total',
      help: 'Bytes of events that were written, by output.',
      labels: ['output'],
    }),
  }
}
