import { byState, type FlushAlert } from '../../notification/flush-alert.ts'
import type { ClaimedFlush, FlushEnd } from '../claim/claimed-flush.ts'
import type { FlushContext } from '../flush-context.ts'
import { flushDeadlineMs } from '../group/flush-times.ts'
import type { LimitRequest } from '../limit/limit-decision.ts'
import type { NotificationDecision } from '../log/decision.ts'
import { isConsideredFiring, type LoggedNotification, logExpiry } from '../log/log.ts'
import type { FlushPlan, PlannedIntegration } from './plan-flush.ts'
import { logFailure, type NotifyOptions, notificationOf, send } from './send-notification.ts'
import { summarize } from './summarize.ts'
import type { SuppressionReason } from './suppression.ts'

/** Input of {@link notifyGroup}. */
export interface GroupToNotify {
  readonly plan: FlushPlan
  /** Ends all attempts and all waiting: the flush has reached its deadline. */
  readonly end: AbortSignal
  readonly options: NotifyOptions
}

/** The result of notifying a group. */
export interface GroupResult extends Pick<FlushEnd, 'logged' | 'uncertain' | 'late'> {
  /** All required notifications were sent: resolved alerts may leave the group. */
  readonly isComplete: boolean
  /** Some integration ran out of time. */
  readonly wasCut: boolean
}

/** The result for a group with no notification to send. */
export const nothingSent = (isComplete: boolean): GroupResult => ({
  logged: {},
  uncertain: [],
  late: {},
  isComplete,
  wasCut: false,
})

/** Sends each integration its planned notification. */
export async function notifyGroup(
  alerts: FlushContext,
  flush: ClaimedFlush,
  input: GroupToNotify,
): Promise<GroupResult> {
  const { plan, options } = input
  decideSuppressed(plan, flush, options)
  const { integrations } = plan
  if (plan.suppressed.passed.length === 0) return nothingSent(true)
  const states = byState(plan.suppressed.passed)

  let left = integrations.length
  const logged: Record<string, LoggedNotification> = {}
  const notify = async (planned: PlannedIntegration): Promise<IntegrationResult> => {
    const result = await notifyIntegration(alerts, flush, { ...input, planned, states })
    left--
    if (result.logged === undefined) return result
    // The last notification is logged when the claim is released; earlier ones must not wait for it.
    if (left === 0) logged[result.key] = result.logged
    else await flush.logged(result.key, result.logged)
    return result
  }
  const [only] = integrations
  const results =
    only !== undefined && integrations.length === 1
      ? [await notify(only)]
      : await all(integrations.map(notify))
  const late = results.flatMap(({ key, late }) =>
    late === undefined ? [] : [[key, late] as const],
  )
  return {
    logged,
    uncertain: results.filter(({ isUncertain }) => isUncertain).map(({ key }) => key),
    late: Object.fromEntries(late),
    isComplete: results.every(({ isDone }) => isDone),
    wasCut: results.some(({ wasCut }) => wasCut),
  }
}

/** Like `Promise.all`, but lets all end before it throws: they hold the claim. */
async function all<T>(work: readonly Promise<T>[]): Promise<readonly T[]> {
  await Promise.allSettled(work)
  return Promise.all(work)
}

/** Passes on the decisions about suppressed alerts. */
function decideSuppressed(
  { suppressed }: FlushPlan,
  { group, tick }: ClaimedFlush,
  { metrics, decided }: NotifyOptions,
): void {
  const about = { groupKey: group.groupKey, receiver: group.receiver }
  const { inhibited, muted, silenced, mutedBy, isInactive, inhibitedBy, silencedBy } = suppressed
  const kept = (
    of: readonly FlushAlert[],
    reason: SuppressionReason,
    decision: Pick<NotificationDecision, 'outcome' | 'detail' | 'causes'>,
  ): void => {
    if (of.length === 0) return
    metrics.suppressed(reason, of.length)
    decided({ at: tick, ...decision, ...about, ...byState(of) })
  }
  const intervals = isInactive ? 'active_time_interval' : 'mute_time_interval'
  kept(inhibited, 'inhibition', { outcome: 'inhibited', causes: inhibitedBy })
  kept(muted, intervals, { outcome: 'muted', detail: mutedBy.join(', ') })
  kept(silenced, 'silence', { outcome: 'silenced', causes: silencedBy })
}

interface IntegrationToNotify extends GroupToNotify {
  readonly planned: PlannedIntegration
  readonly states: { readonly firing: readonly string[]; readonly resolved: readonly string[] }
}

interface IntegrationResult {
  readonly key: string
  /** Sent, or nothing to send. */
  readonly isDone: boolean
  readonly wasCut: boolean
  readonly isUncertain: boolean
  readonly logged: LoggedNotification | undefined
  /** A notification that was, or may have been, sent when another process may have held the claim. */
  readonly late: LoggedNotification | undefined
}

async function notifyIntegration(
  alerts: FlushContext,
  flush: ClaimedFlush,
  input: IntegrationToNotify,
): Promise<IntegrationResult> {
  const { options, end, planned, states } = input
  const { receivers, patience, metrics, decided } = options
  const { integration, last, reason, sent, owed, limits, cover } = planned
  const { key, notifier } = integration
  const { group, tick } = flush
  const isDone = { key, isDone: true, wasCut: false, isUncertain: false, late: undefined }
  const about = {
    at: tick,
    groupKey: group.groupKey,
    receiver: group.receiver,
    integration: key,
    ...states,
  }
  if (reason === undefined) {
    decideNotToNotify(planned, about, options)
    return { ...isDone, logged: undefined }
  }
  const kept = reason === 'first notification' ? undefined : last?.kept
  const told = owed.length === 0 ? states : { ...states, owed }
  const logEntry = (keep = kept): LoggedNotification => {
    const entry = { at: alerts.clock.now(), ...told }
    return keep === undefined ? entry : { kept: keep, ...entry }
  }
  // Nothing to send, but the log must record that nothing fires any more.
  if (sent.length === 0) {
    if (cover === undefined) return { ...isDone, logged: logEntry() }
    await options.limits.release(cover.limit, flush.id)
    return { ...isDone, logged: undefined }
  }
  const request = limits.length === 0 ? undefined : limitRequest(alerts, flush, planned)
  if (request !== undefined) {
    const permission = await options.limits.ask(request)
    if (permission.may === 'wait') {
      metrics.limited(notifier.name)
      decided({ outcome: 'limited', reason, detail: permission.limit.name, ...about })
      // A reminder has nothing that the receiver does not know: resolved alerts may leave the group.
      return { ...isDone, isDone: request.isReminder, logged: undefined }
    }
    if (permission.may === 'replan') return { ...isDone, isDone: false, logged: undefined }
    if (permission.may === 'summarize') {
      const summary = await summarize(alerts, flush, { ...input, turn: permission, request })
      return { ...isDone, ...summary, logged: undefined }
    }
  }

  const content = { groupKey: group.groupKey, groupLabels: group.labels, reason, sent, kept }
  const notification = notificationOf(alerts, flush, { ...content, receivers })
  const delivery = await send(alerts, flush, { notification, notifier, end, options })
  const { result, attempts, tookMs, wasCut, mayHaveArrived: isUncertain, isLate } = delivery
  const late = isLate ? logEntry() : undefined
  if (result.outcome === 'sent') {
    decided({ outcome: 'sent', reason, attempts, tookMs, ...about })
    return { ...isDone, logged: logEntry(result.keep), late }
  }
  if (request !== undefined && !isUncertain) await options.limits.giveBack(request)
  const outcome = wasCut && patience.aborted ? 'canceled' : 'failed'
  decided({ outcome, reason, detail: result.detail, attempts, tookMs, ...about })
  logFailure(alerts, { receiver: group.receiver, key, delivery, detail: result.detail })
  return { key, isDone: false, wasCut, isUncertain, logged: undefined, late }
}

/** What a flush asks the limits for one integration. */
function limitRequest(
  alerts: FlushContext,
  { id, group, route, log }: ClaimedFlush,
  { integration, reason, last, limits, cover }: PlannedIntegration,
): LimitRequest {
  const isOwnUnknown = log.unknown?.includes(integration.key) ?? false
  const isUnknown = cover === undefined ? isOwnUnknown : cover.isUnknown
  return {
    limits,
    group: { id, groupKey: group.groupKey },
    cover,
    isOpen: isUnknown || (last !== undefined && isConsideredFiring(last)),
    isReminder: reason === 'repeat interval elapsed' && !isUnknown,
    intervalMs: route.groupIntervalMs,
    deadlineMs: flushDeadlineMs(route),
    keepUntil: logExpiry(alerts, route, alerts.clock.now()),
  }
}

/** Passes on the decision about an integration that is up to date, or would only be reminded of what people take care of. */
function decideNotToNotify(
  { integration, acknowledgedBy: names }: PlannedIntegration,
  about: Omit<NotificationDecision, 'outcome'>,
  { metrics, decided }: NotifyOptions,
): void {
  if (names === undefined) {
    decided({ outcome: 'deduplicated', ...about })
    return
  }
  metrics.acknowledged(integration.notifier.name)
  decided({ outcome: 'acknowledged', detail: names.join(', '), ...about })
}
