import type { TimeStyle } from '../time/time-style.ts'
import { timeWriter } from '../time/write-time.ts'

const dayMs = 86_400_000

/** Options of {@link chartEnds}. */
export interface ChartEndsOptions {
  style: TimeStyle
  /** In ms. */
  now: number
  /** The word for now. */
  nowText: string
}

/** The texts below the first and the last part of a chart; the last part ends now, or in the past if the span does. */
export function chartEnds(
  starts: readonly number[],
  partMs: number,
  { style, now, nowText }: ChartEndsOptions,
): readonly [first: string, last: string] {
  const format = timeWriter(formatOf(starts.length * partMs), style)
  const end = (starts.at(-1) ?? 0) + partMs
  return [format(starts[0] ?? now), Math.abs(now - end) <= 2 * partMs ? nowText : format(end)]
}

/** A time of day alone would be ambiguous in a day and more. */
const formatOf = (spanMs: number): Intl.DateTimeFormatOptions => {
  if (spanMs > 2 * dayMs) return { day: 'numeric', month: 'short' }
  if (spanMs < dayMs / 2) return { timeStyle: 'short' }
  return { day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' }
}
