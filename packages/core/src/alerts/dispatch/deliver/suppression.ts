import type { Instant } from '../../../time/clock.ts'
import type { LabelSet } from '../../alert/label-set.ts'
import { activeSilences } from '../../board/alert-status.ts'
import type { AlertBoard } from '../../board/board.ts'
import { mutedBy } from '../../routing/mute-times.ts'
import type { RouteNode } from '../../routing/routing-tree.ts'
import type { NamedTimeInterval } from '../../routing/time-interval.ts'

/** An alert of a flush with its labels. */
export interface Suppressible {
  readonly labels: LabelSet
}

/** What keeps alerts out of a notification. @see Alertmanager, label `reason` of its suppression metric */
export type SuppressionReason =
  | 'inhibition'
  | 'active_time_interval'
  | 'mute_time_interval'
  | 'silence'

/** What is told of, and what is not and why. */
export interface Suppressed<A> {
  readonly told: readonly A[]
  readonly inhibited: readonly A[]
  readonly muted: readonly A[]
  readonly silenced: readonly A[]
  /** Names of the time intervals that mute the group. */
  readonly mutedBy: readonly string[]
  /** Whether that is because none of them holds now. */
  readonly isInactive: boolean
}

/** So many alerts are looked at between two steps. */
const alertsPerStep = 50

/** What {@link suppress} looks at. */
export interface SuppressOptions {
  board: Pick<AlertBoard, 'inhibitorOf' | 'silences'>
  route: RouteNode
  timeIntervals: readonly NamedTimeInterval[]
  /** The tick of the group. */
  now: Instant
}

/**
 * Sorts the alerts of a flush out in slices, stage by stage: what one stage keeps back the next one does not see.
 *
 * @see Alertmanager, stages of the notification pipeline
 */
export function* suppress<A extends Suppressible>(
  alerts: readonly A[],
  { board, route, timeIntervals, now }: SuppressOptions,
): Generator<void, Suppressed<A>> {
  const inhibited: A[] = []
  const afterInhibition: A[] = []
  for (const [index, alert] of alerts.entries()) {
    const isInhibited = board.inhibitorOf(alert.labels) !== undefined
    ;(isInhibited ? inhibited : afterInhibition).push(alert)
    if ((index + 1) % alertsPerStep === 0) yield
  }
  const intervals = afterInhibition.length === 0 ? [] : mutedBy(route, timeIntervals, now)
  if (intervals.length > 0) {
    const isInactive = mutedBy({ ...route, muteTimeIntervals: [] }, timeIntervals, now).length > 0
    const muted = afterInhibition
    return { told: [], inhibited, muted, silenced: [], mutedBy: intervals, isInactive }
  }
  const silenced: A[] = []
  const told: A[] = []
  for (const [index, alert] of afterInhibition.entries()) {
    const silences = yield* board.silences.matching(alert.labels)
    ;(activeSilences(silences, now).length > 0 ? silenced : told).push(alert)
    if ((index + 1) % alertsPerStep === 0) yield
  }
  return { told, inhibited, muted: [], silenced, mutedBy: [], isInactive: false }
}
