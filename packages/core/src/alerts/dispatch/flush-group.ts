import { createAbortController } from '../../async/abort-controller.ts'
import type { TypedRecord } from '../../storage/collection.ts'
import type { Version } from '../../storage/storage.ts'
import type { Clock } from '../../time/clock.ts'
import { type FlushAlert, flushAlerts } from '../notification/flush-alert.ts'
import type { RouteNode } from '../routing/routing-tree.ts'
import { claimFlush, type FlushToClaim, type NotClaimed } from './claim/claim-flush.ts'
import type { ClaimedFlush } from './claim/claimed-flush.ts'
import type { ClaimHolder } from './claim/stored-claim.ts'
import { nothingSent, notifyGroup } from './deliver/notify-group.ts'
import { type FlushPlan, notifiedBy, planFlush } from './deliver/plan-flush.ts'
import type { NotifyOptions } from './deliver/send-notification.ts'
import type { FlushContext } from './flush-context.ts'
import { presentAlerts } from './group/arm-groups.ts'
import { flushDeadlineMs } from './group/flush-times.ts'
import { claimLifeMs, type StoredGroup } from './group/group.ts'
import type { GroupMembers, MemberGroup } from './group/members.ts'

/** Options of {@link flushGroup} besides the group. */
export interface FlushOptions extends NotifyOptions, Omit<ClaimHolder, 'activity'> {
  members: GroupMembers
  timers: Pick<Clock, 'setTimer'>
  /** Brings the members up to date with the storage. */
  refresh: () => Promise<unknown>
}

/** How often a claim is renewed. */
const claimRenewalMs = claimLifeMs / 3

/**
 * Flushes a group that is due: claims it, notifies the integrations of its receiver, logs the notifications, and removes resolved
 * alerts from the group.
 *
 * @returns the reason, if it was not claimed.
 */
export async function flushGroup(
  alerts: FlushContext,
  record: TypedRecord<StoredGroup>,
  route: RouteNode,
  options: FlushOptions,
): Promise<NotClaimed | undefined> {
  const { members, receivers, limits, sightings, refresh, refreshAll } = options
  const alertsAt = (flush: FlushToClaim): readonly FlushAlert[] => {
    const group = members.group(record.id)
    return group === undefined ? [] : flushAlerts(presentAlerts(group, flush.group), flush.tick)
  }
  const plan = (flush: FlushToClaim, all: readonly FlushAlert[]): Promise<FlushPlan> =>
    planFlush(alerts, flush, { all, id: record.id, route, receivers, limits, sightings })
  const claimed = await claimFlush(alerts, record, {
    route,
    by: options,
    intend: async (flush) => notifiedBy(await plan(flush, alertsAt(flush))),
  })
  if (typeof claimed === 'string') return claimed
  const flush = await whileClaimed(alerts, claimed, options, async (end) => {
    await refreshAll()
    const all = alertsAt(claimed)
    const final = await plan(claimed, all)
    // Integrations that were not predicted are announced before they are notified.
    const unforeseen = notifiedBy(final).filter((key) => !claimed.announced.includes(key))
    const isOurs = unforeseen.length === 0 || (await claimed.announce(unforeseen))
    const result = isOurs
      ? await notifyGroup(alerts, claimed, { plan: final, end, options })
      : nothingSent(false)
    // Most flushes hold nothing: then there is nothing to copy.
    const { held } = final
    const reported = held.size === 0 ? all : all.filter((one) => !held.has(one.fingerprint))
    return { reported, ...result }
  })
  const endNow = (): { done: StoredGroup['done']; isEmpty: boolean } => {
    const now = members.group(record.id)
    const done = doneAfter(claimed.group, now, flush.isComplete ? flush.reported : [])
    const isEmpty = now === undefined || presentAlerts(now, { done }).length === 0
    return { done, isEmpty }
  }
  let ended = endNow()
  // An alert whose change was missed is in the group again, whatever is stored as done; only the end of the group would lose it.
  if (ended.isEmpty) {
    await refresh().catch(() => undefined) // notifications that were sent are logged in any case
    ended = endNow()
  }
  const canceled = flush.wasCut && options.patience.aborted
  await claimed.finish({
    logged: flush.logged,
    uncertain: flush.uncertain,
    late: flush.late,
    ...ended,
    // A canceled flush continues as soon as a process can.
    ...(canceled ? { dueAt: alerts.clock.now() } : {}),
  })
  return undefined
}

/** Renews a claim while `work` runs, and cancels it when it takes too long, the claim is lost, or everything stops. */
async function whileClaimed<T>(
  { logger }: FlushContext,
  claimed: ClaimedFlush,
  { halt, timers }: FlushOptions,
  work: (end: AbortSignal) => Promise<T>,
): Promise<T> {
  const end = createAbortController()
  const endAll = (): void => end.abort(new DOMException('everything ends', 'AbortError'))
  if (halt.aborted) endAll()
  else halt.addEventListener('abort', endAll)
  const deadlineMs = flushDeadlineMs(claimed.route)
  let cancelDeadline = (): void => {}
  // Most flushes end before the claim is renewed, and use only this timer.
  let cancelRenewal = timers.setTimer(claimRenewalMs, () => {
    cancelDeadline = timers.setTimer(deadlineMs - claimRenewalMs, () => {
      end.abort(new DOMException('the flush took too long', 'TimeoutError'))
    })
    void renew()
  })
  const renew = async (): Promise<void> => {
    try {
      if (!(await claimed.renew())) {
        return end.abort(new DOMException('another process took the flush over', 'AbortError'))
      }
    } catch (error) {
      logger.warn({ groupKey: claimed.group.groupKey, error: String(error) }, 'claim not renewed')
    }
    if (!isOver) cancelRenewal = timers.setTimer(claimRenewalMs, () => void renew())
  }
  let isOver = false
  try {
    return await work(end.signal)
  } finally {
    isOver = true
    halt.removeEventListener('abort', endAll)
    cancelDeadline()
    cancelRenewal()
  }
}

/** The alerts that have left the group: earlier ones whose stored version is unchanged, and new ones. */
function doneAfter(
  { done }: StoredGroup,
  members: MemberGroup | undefined,
  reported: readonly FlushAlert[],
): Readonly<Record<string, Version>> {
  if (Object.keys(done).length === 0 && !reported.some(({ isResolved }) => isResolved)) return done
  const after = new Map<string, Version>()
  for (const [id, version] of Object.entries(done)) {
    if (members?.alerts.get(id)?.version === version) after.set(id, version)
  }
  for (const { fingerprint, version, isResolved } of reported) {
    if (isResolved && members?.alerts.get(fingerprint)?.version === version) {
      after.set(fingerprint, version)
    }
  }
  return Object.fromEntries(after)
}
