import type { MetricsRegistry } from '../../metrics/metrics.ts'
import { integrationTypes } from '../receivers/integrations.ts'
import type { NotifyResult } from '../receivers/notifier.ts'
import type { SuppressionReason } from './deliver/suppression.ts'

/** Metrics that the dispatcher updates. */
export interface DispatchMetrics {
  /** An attempt of an integration has ended. */
  attempted(integration: string, result: NotifyResult, tookMs: number): void
  /** An integration was notified, or could not be. */
  notified(integration: string, result: NotifyResult): void
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

/** Registers Alertmanager's notification metrics. @see Alertmanager's metric names */
export function registerDispatchMetrics(metrics: MetricsRegistry): DispatchMetrics {
  const processing = metrics.summary({
    name: 'alertmanager_dispatcher_alert_processing_duration_seconds',
    help: 'How long it took to sort alerts into their groups.',
  })
  const byIntegration = (name: string, help: string, labels: readonly string[] = []) =>
    metrics.counter({
      name: `alertmanager_${name}_total`,
      help,
      labels: ['integration', ...labels],
    })
  const total = byIntegration('notifications', 'Notifications that were to be sent.')
  const failed = byIntegration(
    'notifications_failed',
    'Notifications that could not be sent, by reason.',
    ['reason'],
  )
  const requests = byIntegration('notification_requests', 'Attempts to send a notification.')
  const requestsFailed = byIntegration(
    'notification_requests_failed',
    'Attempts to send a notification that failed.',
  )
  const suppressed = metrics.counter({
    name: 'alertmanager_notifications_suppressed_total',
    help: 'Alerts that were suppressed, by reason.',
    labels: ['reason'],
  })
  const acknowledged = metrics.counter({
    name: 'gatehouse_alerts_repeats_acknowledged_total',
    help: 'Notifications that were not repeated because all alerts are acknowledged.',
    labels: ['integration'],
  })
  const limited = metrics.counter({
    name: 'gatehouse_alerts_notifications_limited_total',
    help: 'Notifications that a rate limit kept back.',
    labels: ['integration'],
  })
  const latency = metrics.histogram({
    name: 'alertmanager_notification_latency_seconds',
    help: 'How long it took to send a notification.',
    labels: ['integration'],
    buckets: [1, 5, 10, 15, 20],
  })
  const inMemory = metrics.gauge({
    name: 'gatehouse_alerts_dispatch_in_memory',
    help: 'Records of groups and notifications that the storage has not accepted yet.',
  })
  for (const integration of integrationTypes) {
    for (const counter of [total, requests, requestsFailed]) counter.add(0, { integration })
    for (const reason of reasons) failed.add(0, { integration, reason })
  }
  return {
    keptInMemory: inMemory.set,
    attempted(integration, result, tookMs) {
      requests.add(1, { integration })
      if (result.outcome !== 'sent') requestsFailed.add(1, { integration })
      latency.observe(tookMs / 1_000, { integration })
    },
    notified(integration, result) {
      total.add(1, { integration })
      if (result.outcome !== 'sent') failed.add(1, { integration, reason: result.reason })
    },
    acknowledged: (integration) => acknowledged.add(1, { integration }),
    limited: (integration) => limited.add(1, { integration }),
    suppressed: (reason, alerts) => suppressed.add(alerts, { reason }),
    processed: (tookMs) => processing.observe(tookMs / 1_000),
  }
}
