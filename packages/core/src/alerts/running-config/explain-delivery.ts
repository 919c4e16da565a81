import { allowedAt } from '../../storage/rate-limit.ts'
import type { Instant } from '../../time/clock.ts'
import { formatDateTime } from '../../time/date-time.ts'
import type { LabelSet } from '../alert/label-set.ts'
import type { AlertsContext } from '../context.ts'
import { groupCollection, groupId, type StoredGroup } from '../dispatch/group/group.ts'
import { type Limit, limitCollection, limitsOf, type StoredLimit } from '../dispatch/limit/limit.ts'
import { type LoggedNotification, logCollection, logId } from '../dispatch/log/log.ts'
import { groupKey } from '../routing/group-key.ts'
import { groupLabels, type RouteNode } from '../routing/routing-tree.ts'
import type * as wire from '../wire/types.generated.ts'

/** What an integration of a receiver knows about an alert. Times are RFC 3339. */
export type ExplainedIntegration = wire.ExplainedIntegration

/** The group of an alert at a route, as the dispatcher keeps it. */
export type ExplainedGroup = wire.ExplainedGroup

/** The most routes whose groups are looked up. */
const maxRoutes = 100

/** The groups of an alert at its routes, in the same order; without those of the routes after the hundredth. */
export async function explainGroups(
  alerts: AlertsContext,
  routes: readonly RouteNode[],
  {
    labels,
    fingerprint,
    now,
  }: { readonly labels: LabelSet; readonly fingerprint: string; readonly now: Instant },
): Promise<readonly ExplainedGroup[]> {
  const { storage, config } = alerts
  const receivers = alerts.receiversOf(config.current)
  const places = routes.slice(0, maxRoutes).map((route) => {
    const group = groupLabels(route, labels)
    const rate = receivers.rateLimit(route.receiver)
    return {
      route,
      id: groupId(route, group),
      log: logId(groupKey(route, group), route.receiver),
      integrations: receivers.integrations(route.receiver).map(({ key, sendResolved }) => ({
        key,
        sendResolved,
        limits: limitsOf(route, rate, key),
      })),
    }
  })
  const limitIds = places.flatMap(({ integrations }) =>
    integrations.flatMap(({ limits }) => limits.map(({ id }) => id)),
  )
  const [groups, logs, limits] = await Promise.all([
    groupCollection.getAll(
      storage,
      places.map(({ id }) => id),
    ),
    logCollection.getAll(
      storage,
      places.map(({ log }) => log),
    ),
    limitIds.length === 0 ? [] : limitCollection.getAll(storage, [...new Set(limitIds)]),
  ])
  const limited = new Map(limits.flatMap((one) => (one === undefined ? [] : [[one.id, one.value]])))
  return places.map(({ route, id, integrations }, index) => ({
    id,
    ...nextFlush(groups[index]?.value),
    integrations: integrations.map(({ key, sendResolved, limits: own }) => {
      const { told, ...limit } = reachedLimit(own, limited, { id, now })
      const last = limit.summarized === true ? told : logs[index]?.value.integrations[key]
      return { integration: key, sendResolved, ...known(last, route, fingerprint), ...limit }
    }),
  }))
}

interface ReachedLimit
  extends Pick<ExplainedIntegration, 'limitedBy' | 'limitedUntil' | 'summarized'> {
  /** What the last summary said about the group. */
  readonly told?: LoggedNotification | undefined
}

/** The limit of an integration that keeps back notifications about a group: the one that summarizes it, or else the last to allow one. */
function reachedLimit(
  limits: readonly Limit[],
  stored: ReadonlyMap<string, StoredLimit>,
  { id, now }: { id: string; now: Instant },
): ReachedLimit {
  const all = limits.map((limit) => {
    const record = stored.get(limit.id)
    const until = allowedAt(limit.rate, record?.spent, now)
    return { name: limit.name, until, group: record?.groups[id] }
  })
  const covering = all.find(({ group }) => group !== undefined)
  const [longest] = all.filter(({ until }) => until > now).sort((a, b) => b.until - a.until)
  const limit = covering ?? longest
  if (limit === undefined) return {}
  const reached = { limitedBy: limit.name, limitedUntil: formatDateTime(limit.until) }
  return covering === undefined
    ? reached
    : { ...reached, summarized: true, told: covering.group?.told }
}

const nextFlush = (group: StoredGroup | undefined): Pick<ExplainedGroup, 'nextFlushAt'> =>
  group?.dueAt === undefined ? {} : { nextFlushAt: formatDateTime(group.dueAt) }

function known(
  last: LoggedNotification | undefined,
  { repeatIntervalMs }: RouteNode,
  fingerprint: string,
): Omit<ExplainedIntegration, 'integration' | 'sendResolved'> {
  if (last === undefined) return { knows: false }
  const lastNotifiedAt = formatDateTime(last.at)
  if (!last.firing.includes(fingerprint)) return { knows: false, lastNotifiedAt }
  return { knows: true, lastNotifiedAt, repeatsAt: formatDateTime(last.at + repeatIntervalMs) }
}

/** What happens next to an alert at a route. */
export type ExplainedNext = wire.ExplainedNext

/** What keeps an alert back, besides the routes. */
export interface Hindrances {
  readonly now: Instant
  readonly isFiring: boolean
  readonly isSilenced: boolean
  readonly isInhibited: boolean
  readonly isMuted: boolean
  readonly isAcknowledged: boolean
}

type NextTiming = Pick<RouteNode, 'groupIntervalMs' | 'resolvedAfterSuppression'>

/** What happens next at a route. */
export function explainNext(
  group: ExplainedGroup | undefined,
  { groupIntervalMs, resolvedAfterSuppression }: NextTiming,
  hindrances: Hindrances,
): ExplainedNext {
  const nothing = (because: string): ExplainedNext => ({ what: 'nothing', because })
  const { now, isFiring, isAcknowledged } = hindrances
  /** Integrations that think that an alert fires which has resolved. */
  const owed =
    isFiring || group?.nextFlushAt === undefined
      ? []
      : group.integrations.filter(({ knows, sendResolved }) => knows && sendResolved)
  if (!isFiring && owed.length === 0) return nothing('it is not firing')
  const suppression = suppressionOf(hindrances)
  if (suppression !== undefined) {
    if (isFiring || !resolvedAfterSuppression) return nothing(suppression.now)
    const because = `${namesOf(owed)} will be notified that it resolved once ${suppression.later}`
    return { what: 'notification', because }
  }
  if (group?.integrations.length === 0) return nothing('the receiver has no integration')
  if (group?.nextFlushAt === undefined) return nothing('no running dispatcher has picked it up yet')
  const flushAt = Math.max(Date.parse(group.nextFlushAt), now)
  const due = isFiring ? group.integrations.filter(({ knows }) => !knows) : owed
  const flushAfter = (flushes: number): string =>
    formatDateTime(flushAt + Math.max(0, flushes) * groupIntervalMs)
  const limited = due.find(({ limitedUntil }) => limitedUntil !== undefined)
  if (limited?.limitedUntil !== undefined) {
    const { limitedBy = '', limitedUntil, summarized } = limited
    const at = flushAfter(Math.ceil((Date.parse(limitedUntil) - flushAt) / groupIntervalMs))
    const what = summarized === true ? ': a summary follows' : ''
    return { what: 'notification', at, because: `${limitedBy} is over its rate limit${what}` }
  }
  if (due.length > 0) {
    const because = isFiring
      ? `${namesOf(due)} has not been notified yet`
      : `${namesOf(due)} was notified that it is firing; the resolved notification is still due`
    return { what: 'notification', at: formatDateTime(flushAt), because }
  }
  if (isAcknowledged) {
    return nothing('not repeated while every alert in the group is acknowledged')
  }
  const repeats = group.integrations.flatMap(({ repeatsAt }) => repeatsAt ?? [])
  const earliest = Math.min(...repeats.map((text) => Date.parse(text)))
  // Not at the flush that is exactly at this instant.
  const at = flushAfter(Math.floor((earliest - flushAt) / groupIntervalMs) + 1)
  return { what: 'repetition', at, because: 'every integration has already been notified' }
}

const namesOf = (integrations: readonly ExplainedIntegration[]): string =>
  integrations.map(({ integration }) => integration).join(', ')

/** The causes that suppress an alert, and how each ends. */
function suppressionOf({
  isSilenced,
  isInhibited,
  isMuted,
}: Hindrances): { readonly now: string; readonly later: string } | undefined {
  if (isInhibited) return { now: 'it is inhibited', later: 'it is not inhibited any more' }
  if (isMuted) {
    const now = 'a time interval mutes the route'
    return { now, later: 'no time interval mutes the route any more' }
  }
  if (isSilenced) return { now: 'it is silenced', later: 'it is not silenced any more' }
  return undefined
}
