import { inSlices } from '../../../async/slices.ts'
import { acknowledgedBy } from '../../alert/acknowledgement.ts'
import type { RateLimitConfig } from '../../fields/rate-limit.ts'
import { byState, type FlushAlert } from '../../notification/flush-alert.ts'
import type { NotificationReason } from '../../notification/notification.ts'
import type { ReadyIntegration, ReceiverSet } from '../../receivers/receiver-set.ts'
import type { RouteNode } from '../../routing/routing-tree.ts'
import type { FlushToClaim } from '../claim/claim-flush.ts'
import type { FlushContext } from '../flush-context.ts'
import type { Sightings } from '../group/sightings.ts'
import { type Limit, limitsOf } from '../limit/limit.ts'
import type { Cover } from '../limit/limit-decision.ts'
import type { NotificationLimits } from '../limit/notification-limits.ts'
import {
  type LoggedNotification,
  logExpiry,
  owedAmong,
  reasonToNotify,
  type StoredLog,
} from '../log/log.ts'
import { type Suppressed, suppress, suppressedIn } from './suppression.ts'

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
  alerts: FlushContext,
  { group, log: ownLog, logKey, tick }: FlushToClaim,
  { all, id, route, receivers, limits, sightings }: PlanOptions,
): Promise<FlushPlan> {
  const { board, config, options } = alerts
  const timeIntervals = config.current.time_intervals
  const suppressed = await inSlices(suppress(all, { board, route, timeIntervals, now: tick }))
  const { passed } = suppressed
  const ready = receivers.integrations(group.receiver)
  const rate = receivers.rateLimit(group.receiver)
  const isLimited = rate !== undefined || route.rateLimit !== undefined
  const covers = isLimited ? await coversOf(alerts, ready, { id, route, limits, rate }) : noCovers
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

interface CoversOptions extends Pick<PlanOptions, 'id' | 'route' | 'limits'> {
  rate: RateLimitConfig | undefined
}

/** The limits of each integration, and whether the group is over one of them. */
async function coversOf(
  alerts: FlushContext,
  integrations: readonly ReadyIntegration[],
  { id, route, limits, rate }: CoversOptions,
): Promise<Covers> {
  const keepUntil = logExpiry(alerts, route, alerts.clock.now())
  const found = await Promise.all(
    integrations.map(async ({ key }): Promise<[string, Limited]> => {
      const own = limitsOf(route, rate, key)
      const cover = await limits.find(own, id, keepUntil)
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
      // The state of limits records summaries.
      return reason !== undefined && sent.length > 0 && cover === undefined
    })
    .map(({ integration }) => integration.key)
