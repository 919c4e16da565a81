import type { Instant } from '../../../time/clock.ts'
import type { StoredAlert } from '../../alert/alert.ts'
import type { RouteNode } from '../../routing/routing-tree.ts'
import type { StoredGroup } from './group.ts'

/**
 * When a group is due that this alert creates: after its route's `group_wait`, or at once if the alert is older than that.
 *
 * @see Alertmanager documentation, `group_wait`
 */
export function firstDueAt({ startsAt, updatedAt }: StoredAlert, route: RouteNode): Instant {
  return startsAt + route.groupWaitMs <= updatedAt ? updatedAt : updatedAt + route.groupWaitMs
}

/** A flush that starts later than this after it was due is a flush of now: its process was down. */
const punctualMs = 1_000
/** Timers and the wall clock differ slightly, so a flush may start this early. */
const earlyMs = 20

/**
 * The instant of a flush that starts now, and of the next one: ticks keep the group's schedule if possible. A schedule further
 * away than the interval comes from another clock, or from this one before it was corrected.
 */
export function flushTimes(
  group: StoredGroup,
  intervalMs: number,
  now: Instant,
): { tick: Instant; next: Instant } {
  const { dueAt = now, claim } = group
  // Taken over from a process that is gone, which had already moved the group on to its next tick.
  if (claim !== undefined && dueAt > now) {
    return { tick: now, next: Math.min(dueAt, now + intervalMs) }
  }
  // An early flush starts a new schedule.
  return tickOf(dueAt - now < earlyMs ? dueAt : now, intervalMs, now)
}

function tickOf(
  dueAt: Instant,
  intervalMs: number,
  now: Instant,
): { tick: Instant; next: Instant } {
  const next = dueAt + intervalMs
  return {
    tick: now - dueAt < punctualMs ? dueAt : now,
    next: next > now ? next : now + intervalMs,
  }
}

/** The longest wait of a group for its next flush: a later one was scheduled by another clock. */
export const maxWaitMs = ({ groupWaitMs, groupIntervalMs }: RouteNode): number =>
  Math.max(groupWaitMs, groupIntervalMs)

/** The deadline of a flush in groups with a shorter interval. */
const shortestDeadlineMs = 10_000

/** How long a flush may take. */
export const flushDeadlineMs = ({ groupIntervalMs }: RouteNode): number =>
  Math.max(groupIntervalMs, shortestDeadlineMs)
