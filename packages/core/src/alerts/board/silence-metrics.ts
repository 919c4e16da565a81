import { declareMetrics, type MetricRows } from '../../metrics/declare-metrics.ts'
import type { MetricsRegistry } from '../../metrics/metrics.ts'
import { registerSnapshotMetrics } from '../../metrics/snapshot-metrics.ts'
import type { Clock } from '../../time/clock.ts'
import type { AlertBoard } from './board.ts'

/** Metrics of silences that operations update. */
export interface SilenceMetrics {
  /** Records a run that removed old silences. */
  silencesCollected(tookMs: number, isGood: boolean): void
  /** Records a query of silences. */
  silencesQueried(tookMs: number, isGood: boolean): void
  /** A query looked at this many silences. */
  silencesScanned(count: number): void
  /** A query answered from a kept list, without looking at this many silences. */
  silencesSkipped(count: number): void
}

const rows = {
  gcTimes: {
    type: 'summary',
    name: 'alertmanager_silences_gc_duration_seconds',
    help: 'How long it took to remove old silences.',
  },
  gcErrors: {
    type: 'counter',
    name: 'alertmanager_silences_gc_errors_total',
    help: 'How often removing old silences failed.',
  },
  runs: {
    type: 'counter',
    name: 'alertmanager_silences_maintenance_total',
    help: 'How often old silences were removed.',
  },
  errors: {
    type: 'counter',
    name: 'alertmanager_silences_maintenance_errors_total',
    help: 'How often removing old silences failed.',
  },
  queries: {
    type: 'counter',
    name: 'alertmanager_silences_queries_total',
    help: 'Queries of silences.',
  },
  queryErrors: {
    type: 'counter',
    name: 'alertmanager_silences_query_errors_total',
    help: 'Queries of silences that failed.',
  },
  queryTimes: {
    type: 'histogram',
    name: 'alertmanager_silences_query_duration_seconds',
    help: 'How long it took to query silences.',
    buckets: [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1],
  },
  scanned: {
    type: 'counter',
    name: 'alertmanager_silences_query_silences_scanned_total',
    help: 'Silences that queries looked at.',
  },
  skipped: {
    type: 'counter',
    name: 'alertmanager_silences_query_silences_skipped_total',
    help: 'Silences that queries did not look at, because the list was known.',
  },
  compileErrors: {
    type: 'counter',
    name: 'alertmanager_silences_matcher_compile_errors_total',
    help: 'Always 0: matchers are compiled before a silence is stored.',
    labels: ['stage'],
  },
  stateSize: {
    type: 'gauge',
    name: 'alertmanager_silences_state_size',
    help: 'Stored silences.',
  },
  matcherIndexSize: {
    type: 'gauge',
    name: 'alertmanager_silences_matcher_index_size',
    help: 'Silences whose matchers are compiled.',
  },
  versionIndexSize: {
    type: 'gauge',
    name: 'alertmanager_silences_version_index_size',
    help: 'Stored silences, which the storage keeps in the order of their changes.',
  },
} satisfies MetricRows

/** Registers metrics about queries and the removal of silences. @see Alertmanager's metric names, `alertmanager_silences_*` */
export function registerSilenceMetrics(
  metrics: MetricsRegistry,
  board: AlertBoard,
): SilenceMetrics {
  const counted = declareMetrics(metrics, rows, {
    stateSize: (gauge) => gauge.set(board.silences.stored.size),
    matcherIndexSize: (gauge) => gauge.set(board.silences.size),
    versionIndexSize: (gauge) => gauge.set(board.silences.stored.size),
  })
  for (const stage of ['index', 'load_snapshot']) counted.compileErrors.add(0, { stage })
  registerSnapshotMetrics(metrics, 'silences')
  return {
    silencesCollected(tookMs, isGood) {
      counted.runs.add(1)
      if (!isGood) {
        counted.errors.add(1)
        counted.gcErrors.add(1)
      }
      counted.gcTimes.observe(tookMs / 1_000)
    },
    silencesQueried(tookMs, isGood) {
      counted.queries.add(1)
      if (!isGood) counted.queryErrors.add(1)
      counted.queryTimes.observe(tookMs / 1_000)
    },
    silencesScanned: (count) => counted.scanned.add(count),
    silencesSkipped: (count) => counted.skipped.add(count),
  }
}

/** Counts and times a query of silences. */
export async function measuredQuery<T>(
  { clock, counters }: { readonly clock: Clock; readonly counters: SilenceMetrics },
  query: () => Promise<T>,
): Promise<T> {
  const since = clock.monotonic()
  let isGood = false
  try {
    const found = await query()
    isGood = true
    return found
  } finally {
    counters.silencesQueried(clock.monotonic() - since, isGood)
  }
}
