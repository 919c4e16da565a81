import type { Instant } from '../../time/clock.ts'
import type { RouteNode } from './routing-tree.ts'
import { containsInstant, type NamedTimeInterval } from './time-interval.ts'

/**
 * Names of the time intervals that mute a route's groups: all its active intervals if none of them applies now, otherwise those
 * of its mute intervals that apply.
 *
 * @see Alertmanager, time interval stages of the notification pipeline
 */
export function mutedBy(
  route: RouteNode,
  intervals: readonly NamedTimeInterval[],
  now: Instant,
): readonly string[] {
  const holds = (name: string): boolean =>
    intervals.some(
      (interval) => interval.name === name && containsInstant(interval.time_intervals, now),
    )
  const { activeTimeIntervals, muteTimeIntervals } = route
  if (activeTimeIntervals.length > 0 && !activeTimeIntervals.some(holds)) return activeTimeIntervals
  return muteTimeIntervals.filter(holds)
}
