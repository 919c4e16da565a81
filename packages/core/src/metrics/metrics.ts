import {
  formatMetrics,
  formatMetricValue,
  type MetricFamily,
  type MetricType,
  negotiateMetricsFormat,
  type Sample,
} from './metrics-text.ts'

/** A value for each label of a metric. */
export type MetricLabels = Readonly<Record<string, string>>

/** Options of every metric. */
export interface MetricOptions {
  /** Letters, digits, underscores and colons; not starting with a digit. Counters end in `_total`. */
  name: string
  /** One sentence that explains the metric. */
  help: string
  /** Names of the labels (default none). */
  labels?: readonly string[]
  /** The most separate label sets. Later ones are counted together, with every label set to `other` (default 1,000). */
  maxSeries?: number
}

/** A value that only increases. A counter without labels is exported from the start, with 0. */
export interface Counter {
  /** Adds `by` to the series with these labels. Adding 0 creates the series. */
  add(by: number, labels?: MetricLabels): void
}

/** A value that goes up and down. */
export interface Gauge {
  set(value: number, labels?: MetricLabels): void
  /** Adds `by`, which may be negative. */
  add(by: number, labels?: MetricLabels): void
  /** Removes every series, for a gauge whose label sets come and go. */
  clear(): void
}

/** Options of {@link MetricsRegistry.gauge}. */
export interface GaugeOptions extends MetricOptions {
  /** Called at every scrape before the gauge is written, to set its values. */
  collect?: (gauge: Gauge) => void | Promise<void>
}

/** Counts observations by size. */
export interface Histogram {
  /** Records a value: durations in seconds, sizes in bytes. */
  observe(value: number, labels?: MetricLabels): void
}

/** Options of {@link MetricsRegistry.histogram}. */
export interface HistogramOptions extends MetricOptions {
  /** Upper bounds, ascending, without infinity. */
  buckets: readonly number[]
}

/** Count and sum of observations. */
export interface Summary {
  observe(value: number, labels?: MetricLabels): void
}

/** The metrics of a service, for export to Prometheus. */
export interface MetricsRegistry {
  /** @throws {TypeError} if the metric exists, or a name is not valid. */
  counter(options: MetricOptions): Counter
  /** @throws {TypeError} if the metric exists, or a name is not valid. */
  gauge(options: GaugeOptions): Gauge
  /** @throws {TypeError} if the metric exists, a name is not valid, or the buckets are not ascending. */
  histogram(options: HistogramOptions): Histogram
  /** @throws {TypeError} if the metric exists, or a name is not valid. */
  summary(options: MetricOptions): Summary
  /** Whether a metric with this name exists. */
  has(name: string): boolean
  /** Writes all metrics, ordered by name, in the format for an Accept header (`null`: plain text). */
  expose(accept: string | null): Promise<{ contentType: string; body: string }>
}

const namePattern = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/
const labelPattern = /^[a-zA-Z_][a-zA-Z0-9_]*$/

/** The series of one metric: a value for each label set, up to a limit. */
interface SeriesSet<V> {
  at(labels: MetricLabels): V
  sorted(): { labels: [string, string][]; value: V }[]
  clear(): void
}

function createSeriesSet<V>(
  names: readonly string[],
  maxSeries: number,
  create: () => V,
): SeriesSet<V> {
  const series = new Map<string, { texts: readonly string[]; value: V }>()
  const open = (texts: readonly string[]): V => {
    // A length before each text distinguishes ("a", "b,c") from ("a,b", "c"), whatever the texts contain.
    let key = ''
    for (const text of texts) key += `${text.length}:${text}`
    let entry = series.get(key)
    if (entry === undefined) {
      const other = names.map(() => 'other')
      const full = series.size >= maxSeries && texts.some((text) => text !== 'other')
      if (full) return open(other)
      entry = { texts, value: create() }
      series.set(key, entry)
    }
    return entry.value
  }
  const set: SeriesSet<V> = {
    at: (labels) =>
      open(
        names.map((name) => {
          const text = labels[name]
          if (text === undefined) throw new TypeError(`the label "${name}" has no value`)
          return text
        }),
      ),
    sorted: () =>
      [...series]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([, { texts, value }]) => ({
          labels: names.map((name, index): [string, string] => [name, texts[index] ?? '']),
          value,
        })),
    clear: () => series.clear(),
  }
  if (names.length === 0) open([])
  return set
}

interface Metric {
  readonly name: string
  readonly help: string
  readonly type: MetricType
  collect(): void | Promise<void>
  samples(): Sample[]
}

interface Buckets {
  readonly counts: number[]
  count: number
  sum: number
}

function bucketSamples(
  bounds: readonly number[],
  labels: readonly [string, string][],
  { counts, count, sum }: Buckets,
): Sample[] {
  let seen = 0
  const samples = bounds.map((bound, index): Sample => {
    seen += counts[index] ?? 0
    return { suffix: '_bucket', labels: [...labels, ['le', formatMetricValue(bound)]], value: seen }
  })
  samples.push({ suffix: '_bucket', labels: [...labels, ['le', '+Inf']], value: count })
  samples.push(...totalSamples(labels, { count, sum }))
  return samples
}

const totalSamples = (
  labels: readonly [string, string][],
  { count, sum }: { count: number; sum: number },
): Sample[] => [
  { suffix: '_sum', labels, value: sum },
  { suffix: '_count', labels, value: count },
]

const none: MetricLabels = {}
const collectNothing = (): void => {}

/** Creates an empty registry. There is no global state: each service has its own registry unless you pass one. */
export function createMetricsRegistry(): MetricsRegistry {
  const metrics = new Map<string, Metric>()

  function declare<V>(
    options: MetricOptions,
    type: MetricType,
    create: () => V,
    samplesOf: (labels: [string, string][], value: V) => Sample[],
    collect: () => void | Promise<void> = collectNothing,
  ): SeriesSet<V> {
    const { name, help, labels = [], maxSeries = 1_000 } = options
    if (!namePattern.test(name)) throw new TypeError(`"${name}" is not a valid metric name`)
    if (metrics.has(name)) throw new TypeError(`the metric "${name}" already exists`)
    for (const label of labels) {
      if (!labelPattern.test(label)) throw new TypeError(`"${label}" is not a valid label name`)
    }
    const series = createSeriesSet(labels, maxSeries, create)
    const samples = (): Sample[] =>
      series.sorted().flatMap(({ labels: pairs, value }) => samplesOf(pairs, value))
    metrics.set(name, { name, help, type, collect, samples })
    return series
  }

  const single = (labels: [string, string][], { value }: { value: number }): Sample[] => [
    { suffix: '', labels, value },
  ]

  return {
    counter(options) {
      const series = declare(options, 'counter', () => ({ value: 0 }), single)
      return {
        add(by, labels = none) {
          if (by < 0) throw new RangeError(`a counter must not be increased by ${by}`)
          series.at(labels).value += by
        },
      }
    },
    gauge(options) {
      const { collect } = options
      const series = declare(
        options,
        'gauge',
        () => ({ value: 0 }),
        single,
        () => collect?.(gauge),
      )
      const gauge: Gauge = {
        set(value, labels = none) {
          series.at(labels).value = value
        },
        add(by, labels = none) {
          series.at(labels).value += by
        },
        clear: () => series.clear(),
      }
      return gauge
    },
    histogram(options) {
      const { buckets } = options
      if (buckets.some((bound, index) => bound <= (buckets[index - 1] ?? Number.NEGATIVE_INFINITY)))
        throw new TypeError(`the buckets of "${options.name}" must be ascending`)
      const create = (): Buckets => ({ counts: buckets.map(() => 0), count: 0, sum: 0 })
      const series = declare(options, 'histogram', create, (labels, value) =>
        bucketSamples(buckets, labels, value),
      )
      return {
        observe(value, labels = none) {
          const cell = series.at(labels)
          const index = buckets.findIndex((bound) => value <= bound)
          if (index >= 0) cell.counts[index] = (cell.counts[index] ?? 0) + 1
          cell.count += 1
          cell.sum += value
        },
      }
    },
    summary(options) {
      const series = declare(options, 'summary', () => ({ count: 0, sum: 0 }), totalSamples)
      return {
        observe(value, labels = none) {
          const cell = series.at(labels)
          cell.count += 1
          cell.sum += value
        },
      }
    },
    has: (name) => metrics.has(name),
    expose: (accept) => expose(metrics, accept),
  }
}

async function expose(
  metrics: ReadonlyMap<string, Metric>,
  accept: string | null,
): ReturnType<MetricsRegistry['expose']> {
  const format = negotiateMetricsFormat(accept)
  for (const metric of metrics.values()) await metric.collect()
  const families = [...metrics.values()]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(
      ({ name, help, type, samples }): MetricFamily => ({ name, help, type, samples: samples() }),
    )
  return { contentType: format.contentType, body: formatMetrics(families, format.name) }
}
