import type { Run } from '@gatehouse/client'
import { shortDuration } from '../time/durations.ts'

/** A run that has a duration. */
export type TimedRun = Run & { readonly duration_ms: number }

/** The runs that have ended, the oldest first. */
export function timedRuns(runs: readonly Run[]): readonly TimedRun[] {
  return runs.filter((run): run is TimedRun => run.duration_ms !== null).reverse()
}

/** A length of time: `412ms`, `1.2s`, `3m 4s`. */
export function runDuration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)}ms`
  if (ms < 10_000) return `${Math.floor(ms / 100) / 10}s`
  return shortDuration(ms)
}

/** Runs whose durations are in the same range. */
export interface DurationBucket {
  /** In ms; the last one has no upper end. */
  readonly from: number
  readonly to: number | undefined
  readonly count: number
  readonly failed: number
}

const edges = [0, 1_000, 5_000, 15_000, 60_000, 300_000, 900_000, 3_600_000]

/** The runs by ranges of their durations, without empty ranges at the beginning and the end. */
export function durationBuckets(runs: readonly TimedRun[]): readonly DurationBucket[] {
  const buckets = edges.map((from, index) => {
    const to = edges[index + 1]
    const within = runs.filter(({ duration_ms: ms }) => ms >= from && (to === undefined || ms < to))
    return { from, to, count: within.length, failed: within.filter(hasFailed).length }
  })
  const first = buckets.findIndex(({ count }) => count > 0)
  const last = buckets.findLastIndex(({ count }) => count > 0)
  return first < 0 ? [] : buckets.slice(first, last + 1)
}

/** Whether a run ended badly. A canceled or replaced run did not. */
export const hasFailed = ({ status }: Pick<Run, 'status'>): boolean =>
  status === 'failed' || status === 'timed_out' || status === 'lost'

/** A summary of the durations of runs. */
export interface DurationSummary {
  readonly count: number
  readonly failed: number
  readonly median: number
  /** 95 of 100 runs take no longer. */
  readonly most: number
  readonly longest: number
}

/** Summarizes the durations of at least one run. */
export function summarizeDurations(runs: readonly TimedRun[]): DurationSummary | undefined {
  const sorted = runs.map(({ duration_ms }) => duration_ms).sort((a, b) => a - b)
  const quantile = (share: number): number =>
    sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0
  if (sorted.length === 0) return undefined
  return {
    count: sorted.length,
    failed: runs.filter(hasFailed).length,
    median: quantile(0.5),
    most: quantile(0.95),
    longest: quantile(1),
  }
}
