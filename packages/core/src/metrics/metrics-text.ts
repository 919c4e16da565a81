/** The types of metrics in the Prometheus text format. */
export type MetricType = 'counter' | 'gauge' | 'histogram' | 'summary'

/** One line of an exposition. */
export interface Sample {
  /** The suffix of the family name: empty, `_bucket`, `_sum` or `_count`. */
  readonly suffix: string
  /** Label names and values, in output order. */
  readonly labels: readonly (readonly [name: string, value: string])[]
  readonly value: number
}

/** A metric with all its samples. */
export interface MetricFamily {
  readonly name: string
  readonly help: string
  readonly type: MetricType
  readonly samples: readonly Sample[]
}

/** A text format for metrics. */
export interface MetricsFormat {
  readonly name: 'text' | 'openmetrics'
  readonly contentType: string
}

const plainText: MetricsFormat = {
  name: 'text',
  contentType: 'text/plain; version=0.0.4; charset=utf-8',
}

/** An Accept header comes from the client, so entries beyond this number are ignored. */
const maxAccepted = 32

interface Accepted {
  readonly type: string
  readonly version: string | undefined
  readonly quality: number
}

function parseAccepted(entry: string): Accepted {
  const [type = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase())
  const parameter = (name: string): string | undefined =>
    parameters.find((text) => text.startsWith(`${name}=`))?.slice(name.length + 1)
  const quality = Number(parameter('q') ?? '1')
  return { type, version: parameter('version'), quality: Number.isNaN(quality) ? 0 : quality }
}

/**
 * The format for an Accept header: OpenMetrics if it is listed with at least the quality of plain text, else the Prometheus text
 * format 0.0.4.
 */
export function negotiateMetricsFormat(accept: string | null): MetricsFormat {
  if (accept === null) return plainText
  const accepted = accept.split(',', maxAccepted).map(parseAccepted)
  const versions = ['1.0.0', '0.0.1', undefined]
  const [open] = accepted
    .filter(
      ({ type, version, quality }) =>
        type === 'application/openmetrics-text' && versions.includes(version) && quality > 0,
    )
    .sort((a, b) => b.quality - a.quality)
  const plain = accepted.find(({ type }) => type === 'text/plain')
  if (open === undefined || open.quality < (plain?.quality ?? 0)) return plainText
  return {
    name: 'openmetrics',
    contentType: `application/openmetrics-text; version=${open.version ?? '1.0.0'}; charset=utf-8`,
  }
}

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '"': '\\"' }
const escapeHelp = (text: string): string =>
  text.replace(/[\\\n]/g, (character) => escapes[character] ?? '')
const escapeQuoted = (text: string): string =>
  text.replace(/[\\\n"]/g, (character) => escapes[character] ?? '')

/** Formats a number as Go does, because other tools compare bucket bounds as text. */
export function formatMetricValue(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return '+Inf'
  if (value === Number.NEGATIVE_INFINITY) return '-Inf'
  const size = Math.abs(value)
  if (size === 0 || (size >= 1e-4 && size < 1e6) || Number.isNaN(value)) return String(value)
  return value.toExponential().replace(/e([+-])(\d)$/, 'e$10$2')
}

function formatSample(name: string, { suffix, labels, value }: Sample, open: boolean): string {
  const pairs = labels.map(([label, text]) => {
    const bound = open && label === 'le' && /^\d+$/.test(text) ? `${text}.0` : text
    return `${label}="${escapeQuoted(bound)}"`
  })
  const set = pairs.length === 0 ? '' : `{${pairs.join(',')}}`
  return `${name}${suffix}${set} ${formatMetricValue(value)}\n`
}

/**
 * Formats metrics in the given order.
 *
 * @see Prometheus text format 0.0.4
 * @see OpenMetrics 1.0.0, text format
 */
export function formatMetrics(
  families: readonly MetricFamily[],
  format: MetricsFormat['name'],
): string {
  let text = ''
  for (const { name, help, type, samples } of families) {
    const open = format === 'openmetrics'
    const total = open && type === 'counter'
    const family = total ? name.replace(/_total$/, '') : name
    text += `# HELP ${family} ${open ? escapeQuoted(help) : escapeHelp(help)}\n`
    text += `# TYPE ${family} ${type}\n`
    for (const sample of samples)
      text += formatSample(total ? `${family}_total` : name, sample, open)
  }
  return format === 'openmetrics' ? `${text}# EOF\n` : text
}
