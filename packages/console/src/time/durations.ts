/** A length of time in its largest one or two units: `3d 4h`, `12m`, `45s`. Units are Prometheus' letters, in every language. */
export function shortDuration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000))
  const units = [
    ['d', 86_400],
    ['h', 3_600],
    ['m', 60],
    ['s', 1],
  ] as const
  const first = units.findIndex(([, size]) => seconds >= size)
  if (first < 0) return '0s'
  let rest = seconds
  return units
    .slice(first, first + 2)
    .map(([unit, size]) => {
      const count = Math.floor(rest / size)
      rest -= count * size
      return count === 0 ? '' : `${count}${unit}`
    })
    .filter((text) => text !== '')
    .join(' ')
}

const sizes: Readonly<Record<string, number>> = {
  w: 604_800_000,
  d: 86_400_000,
  h: 3_600_000,
  m: 60_000,
  s: 1_000,
}

/** The ms of a text such as `2h`, `1d 12h` or `90m`; `undefined` if it is none, or longer than ten years. */
export function readDuration(text: string): number | undefined {
  if (!/^\s*(?:\d{1,6}(?:\.\d{1,3})?\s*[wdhms]\s*)+$/i.test(text)) return undefined
  let sum = 0
  for (const [, count, unit = ''] of text.matchAll(/([\d.]+)\s*([wdhms])/gi)) {
    sum += Number(count) * (sizes[unit.toLowerCase()] ?? 0)
  }
  return sum > 0 && sum <= 10 * 365 * 86_400_000 ? sum : undefined
}
