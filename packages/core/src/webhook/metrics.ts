import { declareMetrics, type MetricRows } from '../metrics/declare-metrics.ts'
import type { Gauge, MetricsRegistry } from '../metrics/metrics.ts'
import type { Admission } from './board/admission.ts'
import type { WebhookErrorCode } from './errors.ts'
import type { Run } from './run.ts'
import { type LoadedWebhooksConfig, refusedParts } from './webhook.ts'

/** Counts for the metrics of the webhook service. */
export interface WebhookMetrics {
  /** A request was answered with this status. */
  requestAnswered(status: number): void
  /** A request was refused with this code. */
  requestRejected(code: WebhookErrorCode): void
  /** A delivery did not satisfy the rules of this webhook. */
  deliverySkipped(id: string): void
  runEnded(run: Run): void
  /** Some bytes of a run's output were not logged. */
  outputDropped(id: string, bytes: number): void
  configLoaded(): void
  /** A configuration was refused; the previous one is still in use. */
  configRefused(): void
}

/** The sources of {@link registerWebhookMetrics}. */
export interface WebhookMetricsOptions {
  metrics: MetricsRegistry
  config: { readonly current: LoadedWebhooksConfig }
  admission: Pick<Admission, 'busy' | 'counts'>
}

/** In seconds. Most commands take between some milliseconds and some minutes. */
const runBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3600]

const rows = {
  requests: {
    type: 'counter',
    name: 'gatehouse_webhook_requests_total',
    help: 'Answered requests, by status.',
    labels: ['code'],
  },
  rejected: {
    type: 'counter',
    name: 'gatehouse_webhook_rejected_total',
    help: 'Refused requests, by code.',
    labels: ['code'],
  },
  skipped: {
    type: 'counter',
    name: 'gatehouse_webhook_skipped_total',
    help: 'Deliveries that did not satisfy the rules of their webhook.',
    labels: ['id'],
  },
  runs: {
    type: 'counter',
    name: 'gatehouse_webhook_runs_total',
    help: 'Finished runs.',
    labels: ['id', 'status'],
  },
  seconds: {
    type: 'histogram',
    name: 'gatehouse_webhook_run_seconds',
    help: 'Duration of commands.',
    labels: ['id'],
    buckets: runBuckets,
  },
  dropped: {
    type: 'counter',
    name: 'gatehouse_webhook_log_dropped_bytes_total',
    help: 'Bytes of output that were dropped because the log was too slow.',
    labels: ['id'],
  },
  successful: {
    type: 'gauge',
    name: 'gatehouse_config_last_reload_successful',
    help: 'Whether the last loaded configuration was accepted.',
  },
  refusedFiles: {
    type: 'gauge',
    name: 'gatehouse_webhook_config_files_refused',
    help: 'Files with webhooks whose last reading was refused. Their former webhooks stay, if they had some.',
  },
  running: {
    type: 'gauge',
    name: 'gatehouse_webhook_runs_active',
    help: 'Runs that have a place.',
    labels: ['id'],
  },
  waiting: {
    type: 'gauge',
    name: 'gatehouse_webhook_runs_waiting',
    help: 'Runs that wait for a place.',
    labels: ['id'],
  },
} satisfies MetricRows

/** Registers the metrics of the webhook service. Values from clients never become label values. */
export function registerWebhookMetrics(options: WebhookMetricsOptions): WebhookMetrics {
  const { requests, rejected, skipped, runs, seconds, dropped, successful } = declareMetrics(
    options.metrics,
    rows,
    {
      refusedFiles: (gauge) => gauge.set(refusedParts(options.config.current).length),
      running: (gauge) => showCounts(gauge, 'running', options),
      waiting: (gauge) => showCounts(gauge, 'waiting', options),
    },
  )
  return {
    requestAnswered: (status) => requests.add(1, { code: String(status) }),
    requestRejected: (code) => rejected.add(1, { code }),
    deliverySkipped: (id) => skipped.add(1, { id }),
    runEnded({ webhook_id: id, status, duration_ms }) {
      runs.add(1, { id, status })
      if (duration_ms !== null) seconds.observe(duration_ms / 1_000, { id })
    },
    outputDropped: (id, bytes) => dropped.add(bytes, { id }),
    configLoaded: () => successful.set(1),
    configRefused: () => successful.set(0),
  }
}

/** Gauges are counted on each scrape; a webhook without runs shows 0. */
function showCounts(
  gauge: Gauge,
  count: 'running' | 'waiting',
  { config, admission }: WebhookMetricsOptions,
): void {
  gauge.clear()
  const configured = config.current.webhooks.map(({ id }) => id)
  for (const id of new Set([...configured, ...admission.busy()])) {
    gauge.set(admission.counts(id)[count], { id })
  }
}
