import type { ReceivedWebhook } from './webhook-receiver.ts'

/** A notification that says of a group what was said of it before. */
export interface Repetition {
  readonly groupKey: string
  /** When it was said for the first time, on the clock of `performance.now()`. */
  readonly firstAt: number
  readonly at: number
}

const contentOf = ({ body }: ReceivedWebhook): string =>
  body.alerts
    .map(({ fingerprint, status }) => `${fingerprint} ${status}`)
    .sort()
    .join()

/** All repetitions, where there is one integration, nothing is due to be repeated, and nothing that was resolved comes back. */
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
 * Between the arrival of a notification and the kill lies no more, in ms, where it may not have been logged: a machine that
 * is busy enough stops both processes and tests for seconds. How many they are is bounded beside it.
 */
const loggedWithinMs = 10_000

/**
 * Sorts repetitions by the kill that explains them: what arrived just before the end of a process may not have been
 * logged, and is told again by who comes after it.
 *
 * @param killedAt on the clock of `performance.now()`.
 * @returns for each kill the groups that were told again, and what no kill explains.
 */
export function explainRepetitions(
  repetitions: readonly Repetition[],
  killedAt: readonly number[],
): {
  readonly byKill: readonly (readonly string[])[]
  readonly unexplained: readonly Repetition[]
} {
  const byKill = killedAt.map((): string[] => [])
  const unexplained: Repetition[] = []
  for (const repetition of repetitions) {
    const { firstAt, at, groupKey } = repetition
    const kill = killedAt.findIndex(
      (killed) => firstAt <= killed && killed - firstAt < loggedWithinMs && killed < at,
    )
    if (kill < 0) unexplained.push(repetition)
    else byKill[kill]?.push(groupKey)
  }
  return { byKill, unexplained }
}

/** The claims of a process that was killed are taken over 15 s after another one has seen them, which may have to start first. */
const takenOverMs = 20_000

/** Waits until what was under way when a process was killed is told, by another or again. */
export function untilTakenOver(killedAt: number): Promise<void> {
  const leftMs = killedAt + takenOverMs - performance.now()
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, leftMs)))
}

/** How many groups of one receiver a process tells of at once: so many are under way when it is killed, at most. */
export const mostUnderWay = 64

/** What was last said of each alert of a group: by group key and fingerprint, `firing` or `resolved`. */
export function lastTold(
  received: readonly ReceivedWebhook[],
): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const told = new Map<string, Map<string, string>>()
  for (const { body } of received) {
    const group = told.get(body.groupKey) ?? new Map<string, string>()
    for (const { labels, status } of body.alerts) group.set(labels.alertname ?? '', status)
    told.set(body.groupKey, group)
  }
  return told
}
