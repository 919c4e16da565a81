import { logId } from '../../packages/core/src/alerts/dispatch/log/log.ts'
import type { Struck } from '../cluster.ts'
import type { Failure } from '../run.ts'
import { quiet } from './config.ts'
import type { Attempt } from './receivers.ts'
import type { AlertsWatch, LogEntry } from './watch.ts'

/** A notification that says what the log said when it was sent. */
interface Repeat {
  readonly attempt: Attempt
  readonly entry: LogEntry
  /** The other attempts of the integration for the group. */
  readonly others: readonly Attempt[]
}

/**
 * A notification in the log is not sent again before its time, unless a fault explains it. A stop explains only what was under way
 * when it began: once what was announced, because others cannot know whether it was sent, and once more what was in flight,
 * because it may have arrived after theirs.
 */
export function notRepeated(watch: AlertsWatch, isLimited: boolean): Failure[] {
  const failures: Failure[] = []
  /** By stop and integration of a group, how many repeats it explains. */
  const explained = new Map<string, number>()
  for (const repeat of repeatsIn(watch)) {
    if (isExplainedWithoutStops(watch, repeat)) continue
    const { attempt, entry } = repeat
    const { receiver, integration, groupKey, startedAt } = attempt
    const stop = watch.faults.find((fault) => {
      if (fault.what !== 'paused' || fault.at > startedAt) return false
      const key = [fault.machine, fault.at, receiver, integration, groupKey].join(' ')
      const before = explained.get(key) ?? 0
      if (before >= maxExplainedBy(fault, watch, { ...repeat, isLimited })) return false
      explained.set(key, before + 1)
      return true
    })
    if (stop !== undefined) continue
    failures.push({
      property: 'repeats only where a fault explains them',
      detail:
        `at ${startedAt / 1_000} s ${attempt.from} sends ${receiver} (${integration}) once more that ` +
        `[${attempt.firing}] fire and [${attempt.resolved}] are resolved, logged at ${entry.committedAt / 1_000} s`,
    })
  }
  return failures
}

function* repeatsIn({ receivers, logAtStart }: AlertsWatch): Generator<Repeat> {
  for (const attempt of receivers.attempts) {
    const others = receivers.attempts.filter(
      (one) =>
        one !== attempt &&
        one.integration === attempt.integration &&
        one.receiver === attempt.receiver &&
        one.groupKey === attempt.groupKey,
    )
    const entry = [logAtStart.get(attempt), lastConfirmed(attempt, others)].find(
      (one) => one !== undefined && isSame(attempt, one),
    )
    if (entry !== undefined) yield { attempt, entry, others }
  }
}

/** The last notification that its sender knew to be accepted: the log must not forget it. */
function lastConfirmed(
  { startedAt, receiver }: Attempt,
  others: readonly Attempt[],
): LogEntry | undefined {
  // Ends that are not sent are missing among its notifications.
  if (receiver === quiet) return undefined
  const known = others.filter(
    ({ isConfirmed, answeredAt = startedAt }) => isConfirmed && answeredAt < startedAt,
  )
  const last = known.sort((a, b) => (a.handledAt ?? 0) - (b.handledAt ?? 0)).at(-1)
  return last && { ...last, committedAt: last.answeredAt ?? startedAt }
}

const wasInFlight = (
  { attempt, others }: Repeat,
  { machine, at, until }: Pick<Struck, 'machine' | 'at' | 'until'>,
): boolean =>
  others.some(
    (one) =>
      one.from === machine && one.startedAt <= until && (one.answeredAt ?? attempt.startedAt) >= at,
  )

/** The most repeats of an integration that a stop explains. */
function maxExplainedBy(
  stop: Struck,
  watch: AlertsWatch,
  repeat: Repeat & { readonly isLimited: boolean },
): number {
  const { attempt, entry, others } = repeat
  const { integration, groupKey, receiver, from, startedAt } = attempt
  const { machine, at, until } = stop
  const logged = watch.logAtStart.get(attempt)
  // A process that took the flush over may have held it, because the limit was reached: then nobody has logged it.
  const isHeld = repeat.isLimited && !(logged !== undefined && isSame(attempt, logged))
  // Another state may have arrived last.
  const isInFlight =
    startedAt >= until &&
    wasInFlight(
      { ...repeat, others: others.filter((one) => isHeld || !isSame(one, entry)) },
      { machine, at, until: at },
    )
  const isAnnounced =
    from !== machine &&
    entry.committedAt <= at + commitMs &&
    watch.announced.some(
      (one) =>
        one.machine === machine &&
        one.integration === integration &&
        one.log === logId(groupKey, receiver) &&
        // A commit that was in flight at the stop is made.
        one.from <= at + commitMs &&
        one.until >= at,
    )
  return Number(isAnnounced) + Number(isInFlight)
}

/** How long a commit takes at most, on a storage without faults. */
const commitMs = 10

function isExplainedWithoutStops({ faults }: AlertsWatch, repeat: Repeat): boolean {
  const { attempt, entry, others } = repeat
  const { startedAt, reason } = attempt
  const explains = (at: number, until: number): boolean =>
    at <= startedAt && until >= entry.committedAt
  const isByFault = faults.some((fault) => {
    const { what, at, until } = fault
    if (what === 'paused') return false
    if (what === 'killed') return explains(at, at)
    // An attempt that was in flight during a fault leaves a doubt: the process stores its result later, perhaps after other
    // processes have sent something.
    return explains(at, reason === 'unknown' && wasInFlight(repeat, fault) ? startedAt : until)
  })
  return (
    isByFault ||
    others.some(
      (one) =>
        one.startedAt > entry.committedAt &&
        one.startedAt <= startedAt &&
        (!one.isConfirmed || !isSame(one, entry)),
    )
  )
}

const isSame = (attempt: Attempt, entry: LogEntry): boolean =>
  attempt.firing.join() === entry.firing.join() &&
  (attempt.receiver === quiet || attempt.resolved.join() === entry.resolved.join())
