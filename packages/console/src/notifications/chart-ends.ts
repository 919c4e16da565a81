const dayMs = 86_400_000

/** Options of {@link chartEnds}. */
export interface ChartEndsOptions {
  /** The language of the times. */
  language: string
  /** In ms. */
  now: number
  /** The word for now. */
  nowText: string
}

/** The texts below the first and the last part of a chart; the last part ends now, or in the past if the span does. */
export function chartEnds(
  starts: readonly number[],
  partMs: number,
  { language, now, nowText }: ChartEndsOptions,
): readonly [first: string, last: string] {
  const { format } = new Intl.DateTimeFormat(language, formatOf(starts.length * partMs))
  const end = (starts.at(-1) ?? 0) + partMs
  return [format(starts[0]), Math.abs(now - end) <= 2 * partMs ? nowText : format(end)]
}

/** A time of day alone would be ambiguous in a day and more. */
const formatOf = (spanMs: number): Intl.DateTimeFormatOptions => {
  if (spanMs > 2 * dayMs) return { day: 'numeric', month: 'short' }
  if (spanMs < dayMs / 2) return { timeStyle: 'short' }
  return { day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' }
}
