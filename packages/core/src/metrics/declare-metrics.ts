import type {
  Counter,
  Gauge,
  GaugeOptions,
  Histogram,
  HistogramOptions,
  MetricOptions,
  MetricsRegistry,
  Summary,
} from './metrics.ts'

/** A metric as data: its type, name, help and labels, and the buckets of a histogram. */
export type MetricRow =
  | (MetricOptions & { readonly type: 'counter' | 'gauge' | 'summary' })
  | (HistogramOptions & { readonly type: 'histogram' })

/** The metrics of one part of a service, by the names that its code has for them. */
export type MetricRows = Readonly<Record<string, MetricRow>>

interface Instruments {
  readonly counter: Counter
  readonly gauge: Gauge
  readonly histogram: Histogram
  readonly summary: Summary
}

/** What {@link declareMetrics} returns: for each row, what records values of its type. */
export type DeclaredMetrics<Rows extends MetricRows> = {
  readonly [Key in keyof Rows]: Instruments[Rows[Key]['type']]
}

/** Called at every scrape, to set the values of a gauge. */
export type CollectGauge = NonNullable<GaugeOptions['collect']>

/**
 * Adds metrics to a registry: a row for each.
 *
 * @param collect for gauges that are read at every scrape, by the names of their rows.
 * @throws {TypeError} if a metric exists, a name is not valid, the buckets are not ascending, or `collect` names no gauge.
 */
export function declareMetrics<Rows extends MetricRows>(
  metrics: MetricsRegistry,
  rows: Rows,
  collect?: Readonly<Partial<Record<keyof Rows & string, CollectGauge>>>,
): DeclaredMetrics<Rows> {
  const collectors: Readonly<Partial<Record<string, CollectGauge>>> = collect ?? {}
  for (const key of Object.keys(collectors)) {
    if (rows[key]?.type !== 'gauge') throw new TypeError(`"${key}" is not a gauge`)
  }
  const declared = Object.entries(rows).map(([key, row]) => [
    key,
    declare(metrics, row, collectors[key]),
  ])
  // Each member has the type of its row, because `declare` chooses by it.
  return Object.fromEntries(declared) as DeclaredMetrics<Rows>
}

function declare(
  metrics: MetricsRegistry,
  row: MetricRow,
  collect: CollectGauge | undefined,
): Instruments[MetricRow['type']] {
  if (row.type === 'histogram') return metrics.histogram(row)
  if (row.type === 'gauge') return metrics.gauge({ ...row, ...(collect && { collect }) })
  return metrics[row.type](row)
}
