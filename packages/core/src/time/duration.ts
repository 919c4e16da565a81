/** The units of a duration, in ms: those of Prometheus, and those of Go that are shorter. */
const msOfUnit = {
  y: 365 * 86_400_000,
  w: 7 * 86_400_000,
  d: 86_400_000,
  h: 3_600_000,
  m: 60_000,
  s: 1_000,
  ms: 1,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ns: 1e-6,
} as const

const wholeDuration = /^\+?(?:0|(?:(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:ms|us|µs|μs|ns|[ywdhms]))+)$/
const eachPart = /([0-9.]+)([a-zµμ]+)/g

/** A regular expression for what {@link readDuration} accepts. */
export const durationPattern: string = wholeDuration.source

/** Only a mistake is longer. */
const maxCharacters = 100

/**
 * Reads a duration such as `90s`, `1h30m`, `1.5h` or `2d`, in ms; `undefined` for any other text. This is what Prometheus and Go
 * read, together: the units are `y w d h m s ms us ns`, in any order and with fractions. Only zero needs no unit.
 */
export function readDuration(text: string): number | undefined {
  if (text.length > maxCharacters || !wholeDuration.test(text)) return undefined
  let ms = 0
  for (const [, amount, unit] of text.matchAll(eachPart)) {
    // The pattern has only these units.
    ms += Number(amount) * msOfUnit[unit as keyof typeof msOfUnit]
  }
  return Number.isFinite(ms) ? ms : undefined
}

/** Writes whole milliseconds in the largest unit without a remainder, such as `90s` or `36525d`. */
export function shortDuration(ms: number): string {
  const units = ['d', 'h', 'm', 's'] as const
  const unit = ms === 0 ? 's' : (units.find((one) => ms % msOfUnit[one] === 0) ?? 'ms')
  return `${ms / msOfUnit[unit]}${unit}`
}
