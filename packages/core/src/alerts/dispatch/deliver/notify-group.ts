import { inSlices } from '../../../async/slices.ts'
import { acknowledgedBy } from '../../alert/acknowledgement.ts'
import { createRouteNotification } from '../../notification/create-route-notification.ts'
import { byState, type FlushAlert, toNotifiedAlert } from '../../notification/flush-alert.ts'
import type { Notification, NotificationReason } from '../../notification/notification.ts'
import type { ReadyIntegration, ReceiverSet } from '../../receivers/receiver-set.ts'
import type { RouteNode } from '../../routing/routing-tree.ts'
import type { FlushToClaim } from '../claim/claim-flush.ts'
import type { ClaimedFlush, FlushEnd } from '../claim/claimed-flush.ts'
import type { DispatchMetrics } from '../dispatch-metrics.ts'
import type { FlushContext } from '../flush-context.ts'
import type { Sightings } from '../group/sightings.ts'
import type { NotificationDecision } from '../log/decision.ts'
import { type LoggedNotification, owedAmong, reasonToNotify, type StoredLog } from '../log/log.ts'
import type { Activity } from '../pace/activity.ts'
import { type Delivery, deliver } from './deliver.ts'
import { type Suppressed, type SuppressionReason, suppress } from './suppression.ts'

/** Options of {@link notifyGroup} besides the group. */
export interface NotifyOptions {
  receivers: ReceiverSet
  /** Ends the backoff between attempts: the dispatcher stops, or runs another configuration. */
  patience: AbortSignal
  random: () => number
  activity: Activity
  metrics: DispatchMetrics
  /** Called for every decision. */
  decided: (decision: NotificationDecision) => void
}

/** The notifications that a flush plans. */
export interface FlushPlan {
  readonly suppressed: Suppressed<FlushAlert>
  /** Fingerprints of resolved alerts that are suppressed and whose end has yet to be sent: they stay in the group. */
  readonly held: ReadonlySet<string>
  /** The plan of each integration; empty if there is nothing to send. */
  readonly integrations: readonly PlannedIntegration[]
}

/** The notification that a flush plans for one integration. */
export interface PlannedIntegration {
  readonly integration: ReadyIntegration
  /** Its last notification. */
  readonly last: LoggedNotification | undefined
  /** Why it is notified; `undefined` if it is up to date. */
  readonly reason: NotificationReason | undefined
  /** The people who acknowledged all alerts, if it would be notified again otherwise. */
  readonly acknowledgedBy?: readonly string[]
  /** Alerts to send; may be empty if it does not send resolved alerts. */
  readonly sent: readonly FlushAlert[]
  /** Suppressed alerts that it considers firing. */
  readonly owed: readonly string[]
}

/** Options of {@link planFlush}. */
export interface PlanOptions {
  /** The alerts of the group. */
  all: readonly FlushAlert[]
  route: RouteNode
  receivers: ReceiverSet
  /**
   * Ages of notifications whose logged instant is in the future, from a clock that was corrected since or from another process.
   */
  sightings: Sightings
}

/**
 * Plans the notifications about the alerts of a group: first suppression, then each integration by itself. Yields to other work
 * in between.
 *
 * @see Alertmanager, notification pipeline
 */
export async function planFlush(
  { board, config, options }: FlushContext,
  { group, log, logKey, tick }: FlushToClaim,
  { all, route, receivers, sightings }: PlanOptions,
): Promise<FlushPlan> {
  const timeIntervals = config.current.time_intervals
  const suppressed = await inSlices(suppress(all, { board, route, timeIntervals, now: tick }))
  const { passed } = suppressed
  const ready = receivers.integrations(group.receiver)
  const owed = route.resolvedAfterSuppression ? owedBy(ready, log, suppressed) : nothingOwed
  const held = heldAmong(suppressed, owed)
  if (passed.length === 0) return { suppressed, held, integrations: [] }
  const states = byState(passed)
  const ageOf = (key: string, { at }: LoggedNotification): number => {
    if (at <= tick && sightings.isEmpty) return tick - at
    const name = `${logKey} ${key} ${at}`
    return at > tick ? sightings.age(name) : Math.max(tick - at, sightings.knownAge(name))
  }
  const integrations = ready.map((integration) => {
    const { key, sendResolved } = integration
    const last = log.integrations[key]
    const isUnknown = log.unknown?.includes(key) ?? false
    const reason = reasonToNotify(last, {
      ...states,
      sendResolved,
      repeatIntervalMs: route.repeatIntervalMs,
      ageMs: last === undefined ? 0 : ageOf(key, last),
      isUnknown,
    })
    const sent = sendResolved ? passed : firingOf(passed)
    const planned = { integration, last, reason, sent, owed: owed.get(key) ?? [] }
    const repeats = reason === 'repeat interval elapsed'
    const names = repeats ? acknowledgedBy(firingOf(passed), tick, options) : undefined
    if (names === undefined) return planned
    // An integration that may not have received the alerts is notified of their state: that is not a repetition.
    const left: NotificationReason | undefined = isUnknown ? 'unknown' : undefined
    return { ...planned, reason: left, acknowledgedBy: names }
  })
  return { suppressed, held, integrations }
}

type Owed = ReadonlyMap<string, readonly string[]>

const nothingOwed: Owed = new Map()

/** The suppressed alerts that each integration considers firing, for integrations that are notified of resolved alerts. */
function owedBy(
  integrations: readonly ReadyIntegration[],
  log: StoredLog,
  { inhibited, muted, silenced }: Suppressed<FlushAlert>,
): Owed {
  const suppressed = [...inhibited, ...muted, ...silenced].map(({ fingerprint }) => fingerprint)
  if (suppressed.length === 0) return nothingOwed
  suppressed.sort()
  return new Map(
    integrations
      .filter(({ sendResolved }) => sendResolved)
      .map(({ key }) => {
        const isUnknown = log.unknown?.includes(key) ?? false
        return [key, owedAmong(log.integrations[key], suppressed, isUnknown)]
      }),
  )
}

const noAlerts: ReadonlySet<string> = new Set()

/** The resolved alerts among the suppressed ones that some integration considers firing. */
function heldAmong(
  { inhibited, muted, silenced }: Suppressed<FlushAlert>,
  owed: Owed,
): ReadonlySet<string> {
  if (owed.size === 0) return noAlerts
  const wanted = new Set([...owed.values()].flat())
  return new Set(
    [...inhibited, ...muted, ...silenced]
      .filter(({ fingerprint, isResolved }) => isResolved && wanted.has(fingerprint))
      .map(({ fingerprint }) => fingerprint),
  )
}

const firingOf = (alerts: readonly FlushAlert[]): readonly FlushAlert[] =>
  alerts.filter(({ isResolved }) => !isResolved)

/** The integrations that a plan notifies. */
export const notifiedBy = ({ integrations }: FlushPlan): readonly string[] =>
  integrations
    .filter(({ reason, sent }) => reason !== undefined && sent.length > 0)
    .map(({ integration }) => integration.key)

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
      : await Promise.all(integrations.map(notify))
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

/** Passes on the decisions about suppressed alerts. */
function decideSuppressed(
  { suppressed }: FlushPlan,
  { group, tick }: ClaimedFlush,
  { metrics, decided }: NotifyOptions,
): void {
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
  { options, end, planned, states }: IntegrationToNotify,
): Promise<IntegrationResult> {
  const { receivers, patience, random, metrics, decided } = options
  const { integration, last, reason, sent, owed } = planned
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
  const withoutKept = owed.length === 0 ? { at: tick, ...states } : { at: tick, ...states, owed }
  const entry = kept === undefined ? withoutKept : { kept, ...withoutKept }
  // Nothing to send, but the log must record that nothing fires any more.
  if (sent.length === 0) return { ...isDone, logged: entry }

  const notification = notificationOf(alerts, flush, { reason, sent, kept, receivers })
  const delivery = await deliver(notifier, notification, {
    clock: alerts.clock,
    claim: flush,
    random,
    end,
    patience,
    activity: options.activity,
    onAttempt: (result, tookMs) => metrics.attempted(notifier.name, result, tookMs),
  })
  const { result, attempts, tookMs, wasCut, mayHaveArrived: isUncertain, isLate } = delivery
  const late = isLate ? entry : undefined
  metrics.notified(notifier.name, result)
  if (result.outcome === 'sent') {
    decided({ outcome: 'sent', reason, attempts, tookMs, ...about })
    const logged = result.keep === undefined ? entry : { kept: result.keep, ...withoutKept }
    return { ...isDone, logged, late }
  }
  const outcome = wasCut && patience.aborted ? 'canceled' : 'failed'
  decided({ outcome, reason, detail: result.detail, attempts, tookMs, ...about })
  logFailure(alerts, { receiver: group.receiver, key, delivery, detail: result.detail })
  return { key, isDone: false, wasCut, isUncertain, logged: undefined, late }
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

/** @see Alertmanager, messages of its retry stage */
function logFailure(
  { logger }: FlushContext,
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
  { options, logger }: FlushContext,
  { group, route, tick }: ClaimedFlush,
  content: {
    reason: NotificationReason
    sent: readonly FlushAlert[]
    kept: Readonly<Record<string, string>> | undefined
    receivers: ReceiverSet
  },
): Notification {
  const about = {
    groupKey: group.groupKey,
    receiver: group.receiver,
    reason: content.reason,
    alerts: content.sent.map((alert) => toNotifiedAlert(alert, tick)),
    groupLabels: group.labels,
    externalURL: options.externalUrl,
    now: tick,
    kept: content.kept ?? {},
  }
  return createRouteNotification(about, {
    route,
    templates: content.receivers.templates,
    failed(label, error) {
      logger.warn({ route: route.id, label, error: String(error) }, 'a route label is left out')
    },
  })
}
