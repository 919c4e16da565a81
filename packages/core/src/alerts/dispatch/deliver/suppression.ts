import type { Instant } from '../../../time/clock.ts'
import type { LabelSet } from '../../alert/label-set.ts'
import { activeSilences } from '../../board/alert-status.ts'
import type { AlertBoard } from '../../board/board.ts'
import { mutedBy } from '../../routing/mute-times.ts'
import type { RouteNode } from '../../routing/routing-tree.ts'
import type { NamedTimeInterval } from '../../routing/time-interval.ts'
import type { SuppressionCause } from '../log/decision.ts'

/** An alert of a flush with its labels. */
export interface Suppressible {
  readonly labels: LabelSet
}

/** Why an alert is suppressed. @see Alertmanager, label `reason` of its suppression metric */
export type SuppressionReason =
  | 'inhibition'
  | 'active_time_interval'
  | 'mute_time_interval'
  | 'silence'

/** The alerts to notify about, and the suppressed ones with their reason. */
export interface Suppressed<A> {
  readonly passed: readonly A[]
  readonly inhibited: readonly A[]
  readonly muted: readonly A[]
  readonly silenced: readonly A[]
  /** Alerts that inhibit others, and silences: the first ones that were found. */
  readonly inhibitedBy: readonly SuppressionCause[]
  readonly silencedBy: readonly SuppressionCause[]
  /** Names of the time intervals that mute the group. */
  readonly mutedBy: readonly string[]
  /** Whether the group is muted because none of its active time intervals applies now. */
  readonly isInactive: boolean
}

/** The most causes that are named of one stage. */
const maxCauses = 5

/** Collects what suppresses alerts, each once, as long as there is room. */
class Causes {
  readonly #byId = new Map<string, SuppressionCause>()

  add(id: string, name: string): void {
    if (this.#byId.size < maxCauses && !this.#byId.has(id)) {
      this.#byId.set(id, { id, name })
    }
  }

  get all(): readonly SuppressionCause[] {
    return [...this.#byId.values()]
  }
}

/** The number of alerts between two steps. */
const alertsPerStep = 50

/** Input of {@link suppress}. */
export interface SuppressOptions {
  board: Pick<AlertBoard, 'inhibitorOf' | 'silences'>
  route: RouteNode
  timeIntervals: readonly NamedTimeInterval[]
  /** The tick of the group. */
  now: Instant
}

/**
 * Filters the alerts of a flush in slices, stage by stage: a stage does not see alerts that an earlier one suppressed.
 *
 * @see Alertmanager, stages of the notification pipeline
 */
export function* suppress<A extends Suppressible>(
  alerts: readonly A[],
  { board, route, timeIntervals, now }: SuppressOptions,
): Generator<void, Suppressed<A>> {
  const inhibited: A[] = []
  const afterInhibition: A[] = []
  const inhibitors = new Causes()
  const found = new Causes()
  for (const [index, alert] of alerts.entries()) {
    const source = board.inhibitorOf(alert.labels)?.source
    ;(source === undefined ? afterInhibition : inhibited).push(alert)
    if (source !== undefined) inhibitors.add(source.fingerprint, nameOf(source.labels))
    if ((index + 1) % alertsPerStep === 0) yield
  }
  const intervals = afterInhibition.length === 0 ? [] : mutedBy(route, timeIntervals, now)
  if (intervals.length > 0) {
    const isInactive = mutedBy({ ...route, muteTimeIntervals: [] }, timeIntervals, now).length > 0
    const muted = afterInhibition
    const nothing = { passed: [], silenced: [], silencedBy: [] }
    const inhibitedBy = inhibitors.all
    return { ...nothing, inhibited, inhibitedBy, muted, mutedBy: intervals, isInactive }
  }
  const silenced: A[] = []
  const passed: A[] = []
  for (const [index, alert] of afterInhibition.entries()) {
    const silences = activeSilences(yield* board.silences.matching(alert.labels), now)
    ;(silences.length > 0 ? silenced : passed).push(alert)
    for (const { id, silence } of silences) found.add(id, silence.comment)
    if ((index + 1) % alertsPerStep === 0) yield
  }
  const causes = { inhibitedBy: inhibitors.all, silencedBy: found.all }
  return { passed, inhibited, muted: [], silenced, ...causes, mutedBy: [], isInactive: false }
}

const nameOf = (labels: LabelSet): string => labels.get('alertname') ?? ''

/** The fingerprints of the suppressed alerts, sorted. */
export const suppressedIn = ({
  inhibited,
  muted,
  silenced,
}: Suppressed<{ readonly fingerprint: string }>): readonly string[] =>
  [...inhibited, ...muted, ...silenced].map(({ fingerprint }) => fingerprint).sort()
