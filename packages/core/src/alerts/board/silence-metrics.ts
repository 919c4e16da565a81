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

/** Registers metrics about queries and the removal of silences. @see Alertmanager's metric names, `alertmanager_silences_*` */
export function registerSilenceMetrics(
  metrics: MetricsRegistry,
  board: AlertBoard,
): SilenceMetrics {
  const counter = (name: string, help: string, labels: readonly string[] = []) =>
    metrics.counter({ name: `alertmanager_silences_${name}_total`, help, labels })
  const gcTimes = metrics.summary({
    name: 'alertmanager_silences_gc_duration_seconds',
    help: 'How long it took to remove old silences.',
  })
  const gcErrors = counter('gc_errors', 'How often removing old silences failed.')
  const runs = counter('maintenance', 'How often old silences were removed.')
  const errors = counter('maintenance_errors', 'How often removing old silences failed.')
  const queries = counter('queries', 'Queries of silences.')
  const queryErrors = counter('query_errors', 'Queries of silences that failed.')
  const queryTimes = metrics.histogram({
    name: 'alertmanager_silences_query_duration_seconds',
    help: 'How long it took to query silences.',
    buckets: [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1],
  })
  const scanned = counter('query_silences_scanned', 'Silences that queries looked at.')
  const skipped = counter(
    'query_silences_skipped',
    'Silences that queries did not look at, because the list was known.',
  )
  const compileErrors = counter(
    'matcher_compile_errors',
    'Always 0: matchers are compiled before a silence is stored.',
    ['stage'],
  )
  for (const stage of ['index', 'load_snapshot']) compileErrors.add(0, { stage })
  registerSnapshotMetrics(metrics, 'silences')
  const size = (name: string, help: string, read: () => number): void => {
    metrics.gauge({
      name: `alertmanager_silences_${name}_size`,
      help,
      collect: (gauge) => gauge.set(read()),
    })
  }
  size('state', 'Stored silences.', () => board.silences.stored.size)
  size('matcher_index', 'Silences whose matchers are compiled.', () => board.silences.size)
  size(
    'version_index',
    'Stored silences, which the storage keeps in the order of their changes.',
    () => board.silences.stored.size,
  )
  return {
    silencesCollected(tookMs, isGood) {
      runs.add(1)
      if (!isGood) {
        errors.add(1)
        gcErrors.add(1)
      }
      gcTimes.observe(tookMs / 1_000)
    },
    silencesQueried(tookMs, isGood) {
      queries.add(1)
      if (!isGood) queryErrors.add(1)
      queryTimes.observe(tookMs / 1_000)
    },
    silencesScanned: (count) => scanned.add(count),
    silencesSkipped: (count) => skipped.add(count),
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
