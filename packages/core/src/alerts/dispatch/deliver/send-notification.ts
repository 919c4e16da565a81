import type { Instant } from '../../../time/clock.ts'
import { failSpan, inSpan } from '../../../tracing/in-span.ts'
import type { SpanAttributes, TracerSpan } from '../../../tracing/tracer.ts'
import { createRouteNotification } from '../../notification/create-route-notification.ts'
import { type FlushAlert, toNotifiedAlert } from '../../notification/flush-alert.ts'
import type { Notification } from '../../notification/notification.ts'
import type { Notifier, NotifyResult } from '../../receivers/notifier.ts'
import type { ReceiverSet } from '../../receivers/receiver-set.ts'
import type { RouteNode } from '../../routing/routing-tree.ts'
import type { ClaimedFlush } from '../claim/claimed-flush.ts'
import type { DispatchMetrics } from '../dispatch-metrics.ts'
import type { FlushContext } from '../flush-context.ts'
import type { NotificationLimits } from '../limit/notification-limits.ts'
import type { NotificationDecision } from '../log/decision.ts'
import type { Activity } from '../pace/activity.ts'
import { type Delivery, deliver } from './deliver.ts'

/** Options of notifying a group besides the group. */
export interface NotifyOptions {
  receivers: ReceiverSet
  /** Ends the backoff between attempts: the dispatcher stops, or runs another configuration. */
  patience: AbortSignal
  random: () => number
  activity: Activity
  metrics: DispatchMetrics
  limits: NotificationLimits
  /** Brings everything up to date that notifications depend on. */
  refreshAll: () => Promise<unknown>
  /** The alerts of another group, and its route; `undefined` if it has none. */
  groupAt: (id: string, tick: Instant) => GroupAlerts | undefined
  /** Called for every decision. */
  decided: (decision: NotificationDecision) => void
}

/** The alerts of a group at a tick. */
export interface GroupAlerts {
  readonly route: RouteNode
  readonly alerts: readonly FlushAlert[]
}

/** Input of {@link send}. */
export interface SendOptions {
  notification: Notification
  notifier: Notifier
  /** Ends all attempts and all waiting: the flush has reached its deadline. */
  end: AbortSignal
  options: NotifyOptions
}

/** Delivers a notification under the claim, and counts it. */
export async function send(
  { clock, tracer, logger }: FlushContext,
  claim: ClaimedFlush,
  { notification, notifier, end, options: { patience, random, activity, metrics } }: SendOptions,
): Promise<Delivery> {
  const { receiver, groupKey } = notification
  const target = { integration: notifier.name, receiver, groupKey }
  let hasFailed = false
  const onAttempt = (result: NotifyResult, tookMs: number): void => {
    metrics.attempted(target, result, tookMs)
    if (result.outcome !== 'retry' || hasFailed) return
    // Giving up may be minutes away.
    hasFailed = true
    const about = { receiver, integration: notifier.name, error: result.detail }
    logger.warn(about, 'an attempt to notify failed, and will be repeated')
  }
  const limits = { claim, end, patience, activity }
  const traced = {
    name: 'alerts.notify',
    options: () => ({ attributes: spanAttributes(notifier, notification) }),
    onResult(span: TracerSpan, { result, attempts }: Delivery) {
      span.setAttributes({ 'gatehouse.attempts': attempts })
      if (result.outcome !== 'sent') failSpan(span, result.reason, result.detail)
    },
  }
  const delivery = await inSpan(tracer, traced, () =>
    deliver(notifier, notification, { clock, random, onAttempt, ...limits }),
  )
  metrics.notified(target, delivery.result)
  return delivery
}

function spanAttributes(notifier: Notifier, notification: Notification): SpanAttributes {
  return {
    'gatehouse.integration': notifier.name,
    'gatehouse.receiver': notification.receiver,
    'gatehouse.group_key': notification.groupKey,
    'gatehouse.alerts': notification.alerts.length,
  }
}

/** @see Alertmanager, messages of its retry stage */
export function logFailure(
  { logger }: FlushContext,
  failure: { receiver: string; key: string; delivery: Delivery; detail: string },
): void {
  const { receiver, key, delivery, detail } = failure
  const { attempts, wasCut } = delivery
  const why = wasCut ? '' : ' due to unrecoverable error'
  const error = `${receiver} (${key}): notify retry canceled${why} after ${attempts} attempts: ${detail}`
  logger.error({ receiver, integration: key, attempts, error }, 'could not notify')
}

/** Input of {@link notificationOf}. */
export interface NotificationOf extends Pick<Notification, 'groupKey' | 'groupLabels' | 'reason'> {
  readonly sent: readonly FlushAlert[]
  readonly kept: Readonly<Record<string, string>> | undefined
  readonly limitedGroups?: readonly string[]
  readonly receivers: ReceiverSet
}

/** The notification of a flush. */
export function notificationOf(
  { options, logger }: FlushContext,
  { group, route, tick }: ClaimedFlush,
  { sent, kept, receivers, ...content }: NotificationOf,
): Notification {
  const about = {
    ...content,
    receiver: group.receiver,
    alerts: sent.map((alert) => toNotifiedAlert(alert, tick)),
    externalURL: options.externalUrl,
    now: tick,
    kept: kept ?? {},
  }
  return createRouteNotification(about, {
    route,
    templates: receivers.templates,
    failed(label, error) {
      logger.warn({ route: route.id, label, error: String(error) }, 'a route label is left out')
    },
  })
}
