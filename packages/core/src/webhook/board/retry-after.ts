import type { Webhook } from '../webhook.ts'

/** Estimates how long the next runs of a webhook will take. */
export interface RunDurations {
  note(webhook: Webhook, durationMs: number): void
  /** The number of seconds in which this many runs will probably have ended: 1 to 60. */
  secondsFor(webhook: Webhook, runs: number): number
}

/** The weight of the latest run against those before. */
const weight = 0.2
const maxSeconds = 60

/** Creates {@link RunDurations} without data. A webhook with a new configuration starts from zero. */
export function createRunDurations(): RunDurations {
  const averages = new WeakMap<Webhook, number>()
  return {
    note(webhook, durationMs) {
      const average = averages.get(webhook) ?? durationMs
      averages.set(webhook, average + weight * (durationMs - average))
    },
    secondsFor(webhook, runs) {
      const ms = ((averages.get(webhook) ?? 0) * runs) / Math.max(1, webhook.concurrency)
      return Math.min(maxSeconds, Math.max(1, Math.ceil(ms / 1_000)))
    },
  }
}
