import type { AlertsContext } from '../context.ts'
import { createRouteNotification } from '../create-route-notification.ts'
import type { Notification, NotificationReason } from '../notification.ts'
import type { Activity } from './activity.ts'
import type { ClaimedFlush, FlushEnd } from './claimed-flush.ts'
import type { Cutoff } from './cutoff.ts'
import type { NotificationDecision } from './decision.ts'
import { type Delivery, deliver } from './deliver.ts'
import type { DispatchMetrics } from './dispatch-metrics.ts'
import { byState, type FlushAlert, toNotifiedAlert } from './flush-alert.ts'
import { type LoggedNotification, reasonToTell } from './log.ts'
import type { ReadyIntegration, ReceiverSet } from './receiver-set.ts'
import { type SuppressionReason, suppress } from './suppression.ts'

/** What {@link tellGroup} needs beside the group. */
export interface TellOptions {
  receivers: ReceiverSet
  /** Ends the waiting between attempts: the dispatcher stops, or runs another configuration. */
  patience: Cutoff
  random: () => number
  activity: Activity
  metrics: DispatchMetrics
  /** Told of every decision. */
  decided: (decision: NotificationDecision) => void
}

/** What {@link tellGroup} tells of. */
export interface TellGroup {
  /** The alerts of the group. */
  readonly all: readonly FlushAlert[]
  /** Ends all attempts and all waiting: the flush took as long as it may. */
  readonly end: Cutoff
  readonly options: TellOptions
}

/** What came of telling a group. */
export interface Told {
  /** What integrations were told; not logged yet. */
  readonly logged: FlushEnd['logged']
  /** Every integration that had to be told was: resolved alerts may leave the group. */
  readonly isComplete: boolean
  /** Some integration might have been told, had there been more time. */
  readonly wasCut: boolean
}

/**
 * Runs the notification pipeline for the alerts of a claimed flush: suppression, then each integration by itself.
 *
 * @see Alertmanager, notification pipeline
 */
export async function tellGroup(
  alerts: AlertsContext,
  flush: ClaimedFlush,
  { all, end, options }: TellGroup,
): Promise<Told> {
  const { board, config } = alerts
  const { route, tick, group } = flush
  const { metrics, decided } = options
  const suppressed = suppress(all, {
    board,
    route,
    timeIntervals: config.current.time_intervals,
    now: tick,
  })
  const about = { groupKey: group.groupKey, receiver: group.receiver }
  const { inhibited, muted, silenced, mutedBy, isInactive } = suppressed
  const kept = (
    of: readonly FlushAlert[],
    reason: SuppressionReason,
    decision: Pick<NotificationDecision, 'outcome' | 'detail'>,
  ): void => {
    if (of.length === 0) return
    metrics.suppressed(reason, of.length)
    decided({ at: tick, ...decision, ...about, ...byState(of) })
  }
  const intervals = isInactive ? 'active_time_interval' : 'mute_time_interval'
  kept(inhibited, 'inhibition', { outcome: 'inhibited' })
  kept(muted, intervals, { outcome: 'muted', detail: mutedBy.join(', ') })
  kept(silenced, 'silence', { outcome: 'silenced' })
  if (suppressed.told.length === 0) return { logged: {}, isComplete: true, wasCut: false }

  const integrations = options.receivers.integrations(group.receiver)
  let left = integrations.length
  const logged: Record<string, LoggedNotification> = {}
  const tell = async (integration: ReadyIntegration): Promise<IntegrationResult> => {
    const { told } = suppressed
    const result = await tellIntegration(alerts, flush, { options, end, integration, told })
    left--
    if (result.logged === undefined) return result
    // The last one is logged with the end of the claim; those before it must not wait for it.
    if (left === 0) logged[integration.key] = result.logged
    else await flush.logged(integration.key, result.logged)
    return result
  }
  const [only] = integrations
  const results =
    only !== undefined && integrations.length === 1
      ? [await tell(only)]
      : await Promise.all(integrations.map(tell))
  return {
    logged,
    isComplete: results.every(({ isDone }) => isDone),
    wasCut: results.some(({ wasCut }) => wasCut),
  }
}

interface TellIntegration extends Omit<TellGroup, 'all'> {
  readonly integration: ReadyIntegration
  readonly told: readonly FlushAlert[]
}

interface IntegrationResult {
  /** Told, or nothing to tell. */
  readonly isDone: boolean
  readonly wasCut: boolean
  readonly logged: LoggedNotification | undefined
}

const nothingToTell: IntegrationResult = { isDone: true, wasCut: false, logged: undefined }

async function tellIntegration(
  alerts: AlertsContext,
  flush: ClaimedFlush,
  { options, end, integration, told }: TellIntegration,
): Promise<IntegrationResult> {
  const { receivers, patience, random, metrics, decided } = options
  const { key, notifier, sendResolved } = integration
  const { group, log, route, tick } = flush
  const states = byState(told)
  const last = log.integrations[key]
  const reason = reasonToTell(last, {
    sendResolved,
    repeatIntervalMs: route.repeatIntervalMs,
    now: tick,
    ...states,
  })
  const about = {
    at: tick,
    groupKey: group.groupKey,
    receiver: group.receiver,
    integration: key,
    ...states,
  }
  if (reason === undefined) {
    decided({ outcome: 'deduplicated', ...about })
    return nothingToTell
  }
  const sent = sendResolved ? told : told.filter(({ isResolved }) => !isResolved)
  const kept = reason === 'first notification' ? undefined : last?.kept
  const withoutKept = { at: tick, ...states }
  const entry = kept === undefined ? withoutKept : { kept, ...withoutKept }
  // Nothing to send, yet the log says that nothing fires any more.
  if (sent.length === 0) return { isDone: true, wasCut: false, logged: entry }

  const notification = notificationOf(alerts, flush, { reason, sent, kept, receivers })
  const delivery = await deliver(notifier, notification, {
    clock: alerts.clock,
    random,
    end,
    patience,
    activity: options.activity,
    onAttempt: (result, tookMs) => metrics.attempted(notifier.name, result, tookMs),
  })
  const { result, attempts, tookMs, wasCut } = delivery
  metrics.told(notifier.name, result)
  if (result.outcome === 'sent') {
    decided({ outcome: 'sent', reason, attempts, tookMs, ...about })
    return {
      isDone: true,
      wasCut: false,
      logged: result.keep === undefined ? entry : { kept: result.keep, ...withoutKept },
    }
  }
  const outcome = wasCut && patience.isCut ? 'canceled' : 'failed'
  decided({ outcome, reason, detail: result.detail, attempts, tookMs, ...about })
  logFailure(alerts, { receiver: group.receiver, key, delivery, detail: result.detail })
  return { isDone: false, wasCut, logged: undefined }
}

/** @see Alertmanager, messages of its retry stage */
function logFailure(
  { logger }: AlertsContext,
  failure: { receiver: string; key: string; delivery: Delivery; detail: string },
): void {
  const { receiver, key, delivery, detail } = failure
  const { attempts, wasCut } = delivery
  const integration = `${receiver}/${key.replace('/', '[')}]`
  const why = wasCut ? '' : ' due to unrecoverable error'
  const error = `${integration}: notify retry canceled${why} after ${attempts} attempts: ${detail}`
  logger.error({ receiver, integration: key, attempts, error }, 'could not notify')
}

function notificationOf(
  { options, logger }: AlertsContext,
  { group, route, tick }: ClaimedFlush,
  content: {
    reason: NotificationReason
    sent: readonly FlushAlert[]
    kept: Readonly<Record<string, string>> | undefined
    receivers: ReceiverSet
  },
): Notification {
  const told = {
    groupKey: group.groupKey,
    receiver: group.receiver,
    reason: content.reason,
    alerts: content.sent.map(toNotifiedAlert),
    groupLabels: group.labels,
    externalURL: options.externalUrl,
    now: tick,
    kept: content.kept ?? {},
  }
  return createRouteNotification(told, {
    route,
    templates: content.receivers.templates,
    failed(label, error) {
      logger.warn({ route: route.id, label, error: String(error) }, 'a route label is left out')
    },
  })
}
