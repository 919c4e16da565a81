import type { Webhook } from '../webhook.ts'

/** Knows from the runs of a webhook how long the next one will take. */
export interface RunDurations {
  note(webhook: Webhook, durationMs: number): void
  /** In how many seconds so many runs will probably have ended: 1 to 60. */
  secondsFor(webhook: Webhook, runs: number): number
}

/** How much the latest run counts beside those before. */
const weight = 0.2
const longestSeconds = 60

/** {@link RunDurations} that know nothing yet. A webhook that is configured anew is another one. */
export function createRunDurations(): RunDurations {
  const averages = new WeakMap<Webhook, number>()
  return {
    note(webhook, durationMs) {
      const average = averages.get(webhook) ?? durationMs
      averages.set(webhook, average + weight * (durationMs - average))
    },
    secondsFor(webhook, runs) {
      const ms = ((averages.get(webhook) ?? 0) * runs) / Math.max(1, webhook.concurrency)
      return Math.min(longestSeconds, Math.max(1, Math.ceil(ms / 1_000)))
    },
  }
}
