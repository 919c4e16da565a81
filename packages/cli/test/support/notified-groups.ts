import type { ReceivedWebhook } from './webhook-receiver.ts'

/** A notification with the same content as an earlier one of its group. */
export interface Repetition {
  readonly groupKey: string
  /** When the first one arrived, on the clock of `performance.now()`. */
  readonly firstAt: number
  readonly at: number
}

const contentOf = ({ body }: ReceivedWebhook): string =>
  body.alerts
    .map(({ fingerprint, status }) => `${fingerprint} ${status}`)
    .sort()
    .join()

/** All repetitions. Assumes one integration, no `repeat_interval` in the test, and no resolved alert that comes back. */
export function repetitionsIn(received: readonly ReceivedWebhook[]): readonly Repetition[] {
  const saidAt = new Map<string, number>()
  const repetitions: Repetition[] = []
  for (const webhook of received) {
    const { groupKey } = webhook.body
    const said = `${groupKey} ${contentOf(webhook)}`
    const firstAt = saidAt.get(said)
    if (firstAt !== undefined) repetitions.push({ groupKey, firstAt, at: webhook.at })
    saidAt.set(said, webhook.at)
  }
  return repetitions
}

/**
 * The longest time, in ms, between the arrival of a notification and a kill before it was logged: a busy machine may stop both
 * processes and tests for seconds. The tests also bound the number of repetitions.
 */
const loggedWithinMs = 10_000

/** How long after a kill a notification that was sent before it may be read by the receiver, on a busy machine. */
const readWithinMs = 3_000

/** The most groups of one receiver that a process notifies at once, and so the most in flight when it is killed. */
export const maxUnderWay = 64

/**
 * Assigns repetitions to the kills that explain them: a notification that arrived just before a kill may not have been logged, so
 * the next process sends it again. A kill explains at most one repetition of a group, and {@link maxUnderWay} in all. Where several
 * kills may be the cause, each takes first what no later one can explain.
 *
 * @param killedAt on the clock of `performance.now()`, in order.
 * @returns for each kill the groups that were notified again, and the repetitions that no kill explains.
 */
export function explainRepetitions(
  repetitions: readonly Repetition[],
  killedAt: readonly number[],
): {
  readonly byKill: readonly (readonly string[])[]
  readonly unexplained: readonly Repetition[]
} {
  const mayExplain = (killed: number, { firstAt, at }: Repetition): boolean =>
    firstAt <= killed + readWithinMs && killed - firstAt < loggedWithinMs && killed < at
  const lastCause = (repetition: Repetition): number =>
    killedAt.findLastIndex((killed) => mayExplain(killed, repetition))
  let left = repetitions.toSorted((a, b) => lastCause(a) - lastCause(b))
  const byKill = killedAt.map((killed) => {
    const groups = new Set<string>()
    left = left.filter((repetition) => {
      const { groupKey } = repetition
      const isExplained =
        mayExplain(killed, repetition) && groups.size < maxUnderWay && !groups.has(groupKey)
      if (isExplained) groups.add(groupKey)
      return !isExplained
    })
    return [...groups]
  })
  return { byKill, unexplained: left }
}

/** The claims of a killed process are taken over 15 s after another process, which may have to start first, has seen them. */
const takenOverMs = 20_000

/** Waits until the notifications in flight at a kill were sent, by another process or again. */
export function untilTakenOver(killedAt: number): Promise<void> {
  const leftMs = killedAt + takenOverMs - performance.now()
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, leftMs)))
}

/** The last notified status of each alert of a group: by group key and fingerprint, `firing` or `resolved`. */
export function lastNotified(
  received: readonly ReceivedWebhook[],
): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const statuses = new Map<string, Map<string, string>>()
  for (const { body } of received) {
    const group = statuses.get(body.groupKey) ?? new Map<string, string>()
    for (const { labels, status } of body.alerts) group.set(labels.alertname ?? '', status)
    statuses.set(body.groupKey, group)
  }
  return statuses
}
