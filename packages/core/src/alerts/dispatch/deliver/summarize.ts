import { inSlices } from '../../../async/slices.ts'
import { byState, type FlushAlert } from '../../notification/flush-alert.ts'
import type { ClaimedFlush } from '../claim/claimed-flush.ts'
import type { FlushContext } from '../flush-context.ts'
import type { LimitRequest, SummaryEnd, SummaryTurn } from '../limit/limit-decision.ts'
import { isConsideredFiring, type LoggedNotification, owedAmong } from '../log/log.ts'
import type { PlannedIntegration } from './plan-flush.ts'
import { logFailure, notificationOf, type SendOptions, send } from './send-notification.ts'
import { suppress, suppressedIn } from './suppression.ts'

/** Input of {@link summarize}. */
export interface SummaryToSend extends Pick<SendOptions, 'end' | 'options'> {
  readonly planned: PlannedIntegration
  /** The permission for the summary, and the request for it. */
  readonly turn: SummaryTurn
  readonly request: LimitRequest
}

/** The most groups that a decision names. */
const maxNamed = 20

/** Sends one notification about all groups over a limit, with their alerts as they are now. */
export async function summarize(
  alerts: FlushContext,
  flush: ClaimedFlush,
  { options, end, planned, turn, request }: SummaryToSend,
): Promise<{ isDone: boolean; wasCut: boolean }> {
  const { key, notifier } = planned.integration
  const { group, tick } = flush
  const { receivers, limits, patience, decided } = options
  const { keepUntil } = request
  let result: SummaryEnd = {
    told: undefined,
    kept: undefined,
    isUnknown: turn.isUnknown,
    keepUntil,
  }
  try {
    // A group that found no summary under way may just have dropped its resolved alerts: this one must not show them as firing.
    await options.refreshAll()
    const { sent, told } = await summaryOf(alerts, flush, { planned, options, turn })
    if (sent.length === 0) {
      result = { ...result, told }
      await limits.giveBack(request)
      return { isDone: false, wasCut: false }
    }
    const limitedGroups = Object.values(turn.groups).map((one) => one.groupKey)
    const reason = 'rate limited'
    const about = { groupKey: turn.limit.groupKey, groupLabels: {}, reason, limitedGroups } as const
    const content = { ...about, sent, kept: turn.kept, receivers }
    const notification = notificationOf(alerts, flush, content)
    const delivery = await send(alerts, flush, { notification, notifier, end, options })
    const { attempts, tookMs, wasCut, mayHaveArrived } = delivery
    const { receiver } = group
    const of = {
      groupKey: turn.limit.groupKey,
      receiver,
      integration: key,
      reason,
      ...byState(sent),
    } as const
    const decision = { at: tick, ...of, attempts, tookMs }
    if (delivery.result.outcome === 'sent') {
      decided({ outcome: 'sent', detail: namesOf(limitedGroups), ...decision })
      result = { ...result, told, kept: delivery.result.keep, isUnknown: false }
      return { isDone: true, wasCut: false }
    }
    const { detail } = delivery.result
    decided({ outcome: wasCut && patience.aborted ? 'canceled' : 'failed', detail, ...decision })
    logFailure(alerts, { receiver, key, delivery, detail })
    if (mayHaveArrived) result = { ...result, isUnknown: true }
    else await limits.giveBack(request)
    return { isDone: false, wasCut }
  } finally {
    await limits.end(turn, result)
  }
}

const namesOf = (groupKeys: readonly string[]): string => {
  const more = groupKeys.length - maxNamed
  const named = groupKeys.slice(0, maxNamed).join(', ')
  return `summary of ${groupKeys.length} groups: ${named}${more > 0 ? ` and ${more} more` : ''}`
}

/** The alerts of all groups over a limit, and what the summary says about each group that is not over. */
async function summaryOf(
  { board, config }: FlushContext,
  { tick }: ClaimedFlush,
  {
    planned,
    options,
    turn: { groups, isUnknown },
  }: Pick<SummaryToSend, 'planned' | 'options' | 'turn'>,
): Promise<{ sent: readonly FlushAlert[]; told: Readonly<Record<string, LoggedNotification>> }> {
  const timeIntervals = config.current.time_intervals
  const { sendResolved } = planned.integration
  const sent: FlushAlert[] = []
  const told: Record<string, LoggedNotification> = {}
  for (const [id, { told: before }] of Object.entries(groups)) {
    const now = options.groupAt(id, tick)
    if (now === undefined) continue
    const { route } = now
    const suppressed = await inSlices(
      suppress(now.alerts, { board, route, timeIntervals, now: tick }),
    )
    const { passed } = suppressed
    const states = byState(passed)
    const mayFire = isUnknown || (before !== undefined && isConsideredFiring(before))
    if (states.firing.length === 0 && !mayFire) continue
    sent.push(...(sendResolved ? passed : passed.filter(({ isResolved }) => !isResolved)))
    const isOwing = sendResolved && route.resolvedAfterSuppression
    const owed = isOwing ? owedAmong(before, suppressedIn(suppressed), isUnknown) : []
    if (states.firing.length + owed.length > 0) told[id] = { at: tick, ...states, owed }
  }
  return { sent, told }
}
