import { inSlices } from '../../../async/slices.ts'
import type { Instant } from '../../../time/clock.ts'
import { acknowledgedBy } from '../../alert/acknowledgement.ts'
import type { RateLimitConfig } from '../../fields/rate-limit.ts'
import { createRouteNotification } from '../../notification/create-route-notification.ts'
import { byState, type FlushAlert, toNotifiedAlert } from '../../notification/flush-alert.ts'
import type { Notification, NotificationReason } from '../../notification/notification.ts'
import type { Notifier, NotifyResult } from '../../receivers/notifier.ts'
import type { ReadyIntegration, ReceiverSet } from '../../receivers/receiver-set.ts'
import type { RouteNode } from '../../routing/routing-tree.ts'
import type { FlushToClaim } from '../claim/claim-flush.ts'
import type { ClaimedFlush, FlushEnd } from '../claim/claimed-flush.ts'
import type { DispatchMetrics } from '../dispatch-metrics.ts'
import type { FlushContext } from '../flush-context.ts'
import { flushDeadlineMs } from '../group/flush-times.ts'
import type { Sightings } from '../group/sightings.ts'
import { type Limit, limitsOf } from '../limit/limit.ts'
import type {
  Cover,
  LimitRequest,
  NotificationLimits,
  SummaryEnd,
  SummaryTurn,
} from '../limit/notification-limits.ts'
import type { NotificationDecision } from '../log/decision.ts'
import {
  isConsideredFiring,
  type LoggedNotification,
  logExpiry,
  owedAmong,
  reasonToNotify,
  type StoredLog,
} from '../log/log.ts'
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
  limits: NotificationLimits
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
  /** The limits for its notifications. */
  readonly limits: readonly Limit[]
  /** Set if the group is over one of the limits: then `last` is what the last summary said about it. */
  readonly cover?: Cover
}

/** Options of {@link planFlush}. */
export interface PlanOptions {
  /** The alerts of the group. */
  all: readonly FlushAlert[]
  route: RouteNode
  receivers: ReceiverSet
  limits: NotificationLimits
  /** The id of the group. */
  id: string
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
  { group, log: ownLog, logKey, tick }: FlushToClaim,
  { all, id, route, receivers, limits, sightings }: PlanOptions,
): Promise<FlushPlan> {
  const timeIntervals = config.current.time_intervals
  const suppressed = await inSlices(suppress(all, { board, route, timeIntervals, now: tick }))
  const { passed } = suppressed
  const ready = receivers.integrations(group.receiver)
  const rate = receivers.rateLimit(group.receiver)
  const isLimited = rate !== undefined || route.rateLimit !== undefined
  const covers = isLimited ? await coversOf(ready, { id, route, limits, rate }) : noCovers
  const log = covers.size === 0 ? ownLog : asSummarized(ownLog, covers)
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
    const limited = covers.get(key) ?? unlimited
    const planned = { integration, last, reason, sent, owed: owed.get(key) ?? [], ...limited }
    const repeats = reason === 'repeat interval elapsed'
    const names = repeats ? acknowledgedBy(firingOf(passed), tick, options) : undefined
    if (names === undefined) return planned
    // An integration that may not have received the alerts is notified of their state: that is not a repetition.
    const left: NotificationReason | undefined = isUnknown ? 'unknown' : undefined
    return { ...planned, reason: left, acknowledgedBy: names }
  })
  return { suppressed, held, integrations }
}

interface Limited {
  readonly limits: readonly Limit[]
  readonly cover?: Cover
}

type Covers = ReadonlyMap<string, Limited>

const unlimited: Limited = { limits: [] }
const noCovers: Covers = new Map()

/** The limits of each integration that has some, and whether the group is over one of them. */
async function coversOf(
  integrations: readonly ReadyIntegration[],
  {
    id,
    route,
    limits,
    rate,
  }: Pick<PlanOptions, 'id' | 'route' | 'limits'> & { rate: RateLimitConfig | undefined },
): Promise<Covers> {
  const found = await Promise.all(
    integrations.map(async ({ key }): Promise<[string, Limited]> => {
      const own = limitsOf(route, rate, key)
      const cover = await limits.find(own, id)
      return [key, cover === undefined ? { limits: own } : { limits: own, cover }]
    }),
  )
  return new Map(found)
}

/** The log with what summaries said about the group, for integrations that are notified of it by summaries. */
function asSummarized(log: StoredLog, covers: Covers): StoredLog {
  const integrations = { ...log.integrations }
  const unknown = new Set(log.unknown)
  for (const [key, { cover }] of covers) {
    if (cover === undefined) continue
    delete integrations[key]
    if (cover.told !== undefined) integrations[key] = cover.told
    unknown.delete(key)
    if (cover.isUnknown) unknown.add(key)
  }
  return { integrations, unknown: [...unknown] }
}

type Owed = ReadonlyMap<string, readonly string[]>

const nothingOwed: Owed = new Map()

/** The suppressed alerts that each integration considers firing, for integrations that are notified of resolved alerts. */
function owedBy(
  integrations: readonly ReadyIntegration[],
  log: StoredLog,
  suppressed: Suppressed<FlushAlert>,
): Owed {
  const fingerprints = suppressedIn(suppressed)
  if (fingerprints.length === 0) return nothingOwed
  return new Map(
    integrations
      .filter(({ sendResolved }) => sendResolved)
      .map(({ key }) => {
        const isUnknown = log.unknown?.includes(key) ?? false
        return [key, owedAmong(log.integrations[key], fingerprints, isUnknown)]
      }),
  )
}

const suppressedIn = ({ inhibited, muted, silenced }: Suppressed<FlushAlert>): readonly string[] =>
  [...inhibited, ...muted, ...silenced].map(({ fingerprint }) => fingerprint).sort()

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
    .filter(({ reason, sent, cover }) => {
      // Summaries have a log of their own.
      return reason !== undefined && sent.length > 0 && cover === undefined
    })
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
  const withoutKept = owed.length === 0 ? { at: tick, ...states } : { at: tick, ...states, owed }
  const entry = kept === undefined ? withoutKept : { kept, ...withoutKept }
  // Nothing to send, but the log must record that nothing fires any more.
  if (sent.length === 0) {
    if (cover === undefined) return { ...isDone, logged: entry }
    await options.limits.release(cover.limit, flush.id)
    return { ...isDone, logged: undefined }
  }
  if (limits.length > 0) {
    const permission = await options.limits.ask(limitRequest(alerts, flush, planned))
    if (permission.may === 'wait') {
      metrics.limited(notifier.name)
      decided({ outcome: 'limited', reason, detail: permission.limit.name, ...about })
      return { ...isDone, isDone: false, logged: undefined }
    }
    if (permission.may === 'summarize') return summarize(alerts, flush, input, permission)
  }

  const content = { ...groupOf(flush), reason, sent, kept }
  const notification = notificationOf(alerts, flush, { ...content, receivers })
  const delivery = await send(alerts, flush, { notification, notifier, end, options })
  const { result, attempts, tookMs, wasCut, mayHaveArrived: isUncertain, isLate } = delivery
  const late = isLate ? entry : undefined
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

const groupOf = ({ group }: ClaimedFlush): Pick<NotificationOf, 'groupKey' | 'groupLabels'> => ({
  groupKey: group.groupKey,
  groupLabels: group.labels,
})

/** Delivers a notification under the claim, and counts it. */
async function send(
  { clock }: FlushContext,
  claim: ClaimedFlush,
  {
    notification,
    notifier,
    end,
    options: { patience, random, activity, metrics },
  }: Pick<GroupToNotify, 'end' | 'options'> & { notification: Notification; notifier: Notifier },
): Promise<Delivery> {
  const onAttempt = (result: NotifyResult, tookMs: number): void =>
    metrics.attempted(notifier.name, result, tookMs)
  const limits = { claim, end, patience, activity }
  const delivery = await deliver(notifier, notification, { clock, random, onAttempt, ...limits })
  metrics.notified(notifier.name, delivery.result)
  return delivery
}

/** What a flush asks the limits for one integration. */
function limitRequest(
  alerts: FlushContext,
  { id, group, route, log }: ClaimedFlush,
  { integration, last, reason, limits, cover }: PlannedIntegration,
): LimitRequest {
  const { key } = integration
  const isUnknown = log.unknown?.includes(key) ?? false
  return {
    limits,
    group: { id, groupKey: group.groupKey },
    cover,
    isRepeat: reason === 'repeat interval elapsed',
    isOpen: isUnknown || (last !== undefined && isConsideredFiring(last)),
    deadlineMs: flushDeadlineMs(route),
    keepUntil: logExpiry(alerts, route, alerts.clock.now()),
  }
}

/** Sends one notification about all groups over a limit, with their alerts as they are now. */
async function summarize(
  alerts: FlushContext,
  flush: ClaimedFlush,
  input: IntegrationToNotify,
  turn: SummaryTurn,
): Promise<IntegrationResult> {
  const { options, end, planned } = input
  const { integration } = planned
  const { key, notifier } = integration
  const { group, route, tick } = flush
  const keepUntil = logExpiry(alerts, route, alerts.clock.now())
  let result: SummaryEnd = { told: undefined, kept: undefined, isUnknown: true, keepUntil }
  try {
    const { sent, told } = await summaryOf(alerts, flush, input, turn)
    const limitedGroups = Object.values(turn.groups).map(({ groupKey }) => groupKey)
    const about = { groupKey: turn.limit.groupKey, groupLabels: {}, kept: turn.kept, limitedGroups }
    const reason = 'rate limited'
    const content = { ...about, reason, sent, receivers: options.receivers } as const
    const notification = notificationOf(alerts, flush, content)
    const delivery = await send(alerts, flush, { notification, notifier, end, options })
    const { attempts, tookMs, wasCut, mayHaveArrived } = delivery
    const decision = {
      at: tick,
      groupKey: turn.limit.groupKey,
      receiver: group.receiver,
      integration: key,
      reason,
      ...byState(sent),
      attempts,
      tookMs,
    } as const
    const done = { key, isUncertain: false, logged: undefined, late: undefined }
    if (delivery.result.outcome === 'sent') {
      const detail = `summary of ${limitedGroups.length} groups: ${limitedGroups.join(', ')}`
      options.decided({ outcome: 'sent', detail, ...decision })
      result = { told, kept: delivery.result.keep, isUnknown: false, keepUntil }
      return { ...done, isDone: true, wasCut: false }
    }
    const { detail } = delivery.result
    const outcome = wasCut && options.patience.aborted ? 'canceled' : 'failed'
    options.decided({ outcome, detail, ...decision })
    logFailure(alerts, { receiver: group.receiver, key, delivery, detail })
    const isUnknown = mayHaveArrived || planned.cover?.isUnknown === true
    result = { ...result, isUnknown }
    return { ...done, isDone: false, wasCut }
  } finally {
    await options.limits.end(turn, result)
  }
}

/** The alerts of all groups over a limit, and what the summary says about each group that is not over. */
async function summaryOf(
  { board, config }: FlushContext,
  { id, tick }: ClaimedFlush,
  { plan, planned, options }: IntegrationToNotify,
  { groups }: SummaryTurn,
): Promise<{ sent: readonly FlushAlert[]; told: Readonly<Record<string, LoggedNotification>> }> {
  const timeIntervals = config.current.time_intervals
  const { sendResolved } = planned.integration
  const isUnknown = planned.cover?.isUnknown ?? false
  const sent: FlushAlert[] = []
  const told: Record<string, LoggedNotification> = {}
  for (const [other, { told: before }] of Object.entries(groups)) {
    const now = options.groupAt(other, tick)
    if (now === undefined) continue
    const { route } = now
    const suppressed =
      other === id
        ? plan.suppressed
        : await inSlices(suppress(now.alerts, { board, route, timeIntervals, now: tick }))
    const { passed } = suppressed
    const states = byState(passed)
    const mayFire = isUnknown || (before !== undefined && isConsideredFiring(before))
    if (states.firing.length === 0 && !mayFire) continue
    sent.push(...(sendResolved ? passed : firingOf(passed)))
    const isOwing = sendResolved && route.resolvedAfterSuppression
    const owed = isOwing ? owedAmong(before, suppressedIn(suppressed), isUnknown) : []
    if (states.firing.length + owed.length > 0) told[other] = { at: tick, ...states, owed }
  }
  return { sent, told }
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

interface NotificationOf extends Pick<Notification, 'groupKey' | 'groupLabels' | 'reason'> {
  readonly sent: readonly FlushAlert[]
  readonly kept: Readonly<Record<string, string>> | undefined
  readonly limitedGroups?: readonly string[]
  readonly receivers: ReceiverSet
}

function notificationOf(
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
