import { declareMetrics, type MetricRows } from '../../metrics/declare-metrics.ts'
import type { MetricLabels, MetricsRegistry } from '../../metrics/metrics.ts'
import { integrationTypes } from '../receivers/integrations.ts'
import type { NotifyResult } from '../receivers/notifier.ts'
import type { SuppressionReason } from './deliver/suppression.ts'
import { type LogMetrics, registerLogMetrics } from './log/log-metrics.ts'

/** A label that metrics have only on request, because it may have many values. */
export type MetricLabel = 'receiver_name' | 'alertname' | 'group_key'

/** What a notification is about, for the labels of its metrics. */
export interface NotificationTarget {
  readonly integration: string
  readonly receiver: string
  readonly groupKey: string
}

/** Metrics that the dispatcher updates. */
export interface DispatchMetrics extends LogMetrics {
  /** An attempt of an integration has ended. */
  attempted(target: NotificationTarget, result: NotifyResult, tookMs: number): void
  /** An integration was notified, or could not be. */
  notified(target: NotificationTarget, result: NotifyResult): void
  /** This many alerts were suppressed. */
  suppressed(reason: SuppressionReason, alerts: number): void
  /** An integration was not notified again, because all alerts are acknowledged. */
  acknowledged(integration: string): void
  /** A notification was kept back by a rate limit. */
  limited(integration: string): void
  /** This many records of groups and notifications are only in memory, because the storage refuses writes. */
  keptInMemory(count: number): void
  /** Changed alerts were sorted into their groups. */
  processed(tookMs: number): void
}

const reasons = [
  'clientError',
  'authError',
  'rateLimited',
  'serverError',
  'contextCanceled',
  'contextDeadlineExceeded',
  'other',
] as const

/** @param extra labels that the metrics of notifications have in addition. */
const rowsOf = (extra: readonly string[]) =>
  ({
    processing: {
      type: 'summary',
      name: 'alertmanager_dispatcher_alert_processing_duration_seconds',
      help: 'How long it took to sort alerts into their groups.',
    },
    total: {
      type: 'counter',
      name: 'alertmanager_notifications_total',
      help: 'Notifications that were to be sent.',
      labels: ['integration', ...extra],
    },
    failed: {
      type: 'counter',
      name: 'alertmanager_notifications_failed_total',
      help: 'Notifications that could not be sent, by reason.',
      labels: ['integration', ...extra, 'reason'],
    },
    requests: {
      type: 'counter',
      name: 'alertmanager_notification_requests_total',
      help: 'Attempts to send a notification.',
      labels: ['integration', ...extra],
    },
    requestsFailed: {
      type: 'counter',
      name: 'alertmanager_notification_requests_failed_total',
      help: 'Attempts to send a notification that failed.',
      labels: ['integration', ...extra],
    },
    suppressed: {
      type: 'counter',
      name: 'alertmanager_notifications_suppressed_total',
      help: 'Alerts that were suppressed, by reason.',
      labels: ['reason'],
    },
    acknowledged: {
      type: 'counter',
      name: 'gatehouse_alerts_repeats_acknowledged_total',
      help: 'Notifications that were not repeated because all alerts are acknowledged.',
      labels: ['integration'],
    },
    limited: {
      type: 'counter',
      name: 'gatehouse_alerts_notifications_limited_total',
      help: 'Notifications that a rate limit kept back.',
      labels: ['integration'],
    },
    latency: {
      type: 'histogram',
      name: 'alertmanager_notification_latency_seconds',
      help: 'How long it took to send a notification.',
      labels: ['integration', ...extra],
      buckets: [1, 5, 10, 15, 20],
    },
    inMemory: {
      type: 'gauge',
      name: 'gatehouse_alerts_dispatch_in_memory',
      help: 'Records of groups and notifications that the storage has not accepted yet.',
    },
  }) satisfies MetricRows

/**
 * Registers Alertmanager's notification metrics.
 *
 * @param more labels that the metrics of notifications have in addition.
 * @see Alertmanager's metric names
 */
export function registerDispatchMetrics(
  metrics: MetricsRegistry,
  more: readonly MetricLabel[],
): DispatchMetrics {
  const extra = more.filter((label) => label !== 'alertname')
  const labelsOf = ({ integration, receiver, groupKey }: NotificationTarget): MetricLabels => {
    const values = { receiver_name: receiver, group_key: groupKey }
    const added = extra.map((label) => [label, values[label]])
    return extra.length === 0 ? { integration } : { integration, ...Object.fromEntries(added) }
  }
  const counted = declareMetrics(metrics, rowsOf(extra))
  // Series with more labels appear with their first notification.
  for (const integration of extra.length === 0 ? integrationTypes : []) {
    for (const counter of [counted.total, counted.requests, counted.requestsFailed])
      counter.add(0, { integration })
    for (const reason of reasons) counted.failed.add(0, { integration, reason })
  }
  return {
    ...registerLogMetrics(metrics),
    keptInMemory: counted.inMemory.set,
    attempted(target, result, tookMs) {
      const labels = labelsOf(target)
      counted.requests.add(1, labels)
      if (result.outcome !== 'sent') counted.requestsFailed.add(1, labels)
      counted.latency.observe(tookMs / 1_000, labels)
    },
    notified(target, result) {
      const labels = labelsOf(target)
      counted.total.add(1, labels)
      if (result.outcome !== 'sent') counted.failed.add(1, { ...labels, reason: result.reason })
    },
    acknowledged: (integration) => counted.acknowledged.add(1, { integration }),
    limited: (integration) => counted.limited.add(1, { integration }),
    suppressed: (reason, alerts) => counted.suppressed.add(alerts, { reason }),
    processed: (tookMs) => counted.processing.observe(tookMs / 1_000),
  }
}
