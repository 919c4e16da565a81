/** One value of a metric, with its labels. */
export interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

const line = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})?[ \t]+(\S+)(?:[ \t]+-?\d+)?[ \t]*$/
const pair = /[ \t]*([a-zA-Z_]\w*)[ \t]*=[ \t]*"((?:[^"\\]|\\.)*)"[ \t]*(?:,|$)/y
const maxSamples = 20_000

/**
 * Reads samples of the names that are wanted from the text format of Prometheus. Lines that it cannot read are left out.
 *
 * @see Prometheus documentation, "Exposition formats"
 */
export function readMetrics(text: string, wanted: ReadonlySet<string>): readonly Sample[] {
  const samples: Sample[] = []
  for (const one of text.split('\n')) {
    if (one.startsWith('#') || !wanted.has(/^[\w:]*/.exec(one)?.[0] ?? '')) continue
    const [, name, written = '', number = ''] = line.exec(one) ?? []
    const labels = readLabels(written)
    const value = readNumber(number)
    if (name === undefined || labels === undefined || value === undefined) continue
    samples.push({ name, labels, value })
    if (samples.length === maxSamples) break
  }
  return samples
}

function readLabels(text: string): Readonly<Record<string, string>> | undefined {
  const pairs: [name: string, value: string][] = []
  for (pair.lastIndex = 0; pair.lastIndex < text.length; ) {
    const [, name, value] = pair.exec(text) ?? []
    if (name === undefined || value === undefined) return undefined
    pairs.push([name, value.replace(/\\(.)/g, (_, one: string) => (one === 'n' ? '\n' : one))])
  }
  return Object.fromEntries(pairs)
}

function readNumber(text: string): number | undefined {
  const named = { '+Inf': Number.POSITIVE_INFINITY, '-Inf': Number.NEGATIVE_INFINITY }[text]
  const value = named ?? Number(text)
  return text === '' || Number.isNaN(value) ? undefined : value
}

/** Adds up the samples of a name with these labels; `undefined` without such a sample. */
export function sumOf(
  samples: readonly Sample[],
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number | undefined {
  const found = samples.filter(
    (one) =>
      one.name === name &&
      Object.entries(labels).every(([key, value]) => one.labels[key] === value),
  )
  return found.length === 0 ? undefined : found.reduce((sum, { value }) => sum + value, 0)
}
