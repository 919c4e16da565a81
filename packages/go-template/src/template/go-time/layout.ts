/** The fields of a time that a layout element can stand for. */
export type GoTimeField =
  | 'longMonth'
  | 'month'
  | 'numMonth'
  | 'zeroMonth'
  | 'longWeekday'
  | 'weekday'
  | 'day'
  | 'underDay'
  | 'zeroDay'
  | 'underYearDay'
  | 'zeroYearDay'
  | 'hour'
  | 'hour12'
  | 'zeroHour12'
  | 'minute'
  | 'zeroMinute'
  | 'second'
  | 'zeroSecond'
  | 'longYear'
  | 'year'
  | 'PM'
  | 'pm'
  | 'zone'
  | 'offset'
  | 'fraction'

/** A part of a layout: plain text, then the element that follows it. */
export interface GoLayoutPart {
  readonly prefix: string
  /** The element as written in the layout; empty after the last one. */
  readonly text: string
  /** Absent after the last element. */
  readonly field?: GoTimeField
}

const fields: readonly (readonly [text: string, field: GoTimeField])[] = [
  ['January', 'longMonth'],
  ['Jan', 'month'],
  ['Monday', 'longWeekday'],
  ['Mon', 'weekday'],
  ['MST', 'zone'],
  ['01', 'zeroMonth'],
  ['02', 'zeroDay'],
  ['03', 'zeroHour12'],
  ['04', 'zeroMinute'],
  ['05', 'zeroSecond'],
  ['06', 'year'],
  ['002', 'zeroYearDay'],
  ['15', 'hour'],
  ['1', 'numMonth'],
  ['2006', 'longYear'],
  ['2', 'day'],
  ['_2', 'underDay'],
  ['__2', 'underYearDay'],
  ['3', 'hour12'],
  ['4', 'minute'],
  ['5', 'second'],
  ['PM', 'PM'],
  ['pm', 'pm'],
  ['-070000', 'offset'],
  ['-07:00:00', 'offset'],
  ['-0700', 'offset'],
  ['-07:00', 'offset'],
  ['-07', 'offset'],
  ['Z070000', 'offset'],
  ['Z07:00:00', 'offset'],
  ['Z0700', 'offset'],
  ['Z07:00', 'offset'],
  ['Z07', 'offset'],
]
/** The fields by first character, so that a layout is parsed in linear time. */
const fieldsByFirst = new Map<string, (readonly [text: string, field: GoTimeField])[]>()
for (const entry of fields) {
  const first = entry[0].charAt(0)
  fieldsByFirst.set(first, [...(fieldsByFirst.get(first) ?? []), entry])
}

/**
 * Splits a layout into parts. A layout shows how Go's reference time (Mon Jan 2 15:04:05 MST 2006) is written.
 *
 * @see https://pkg.go.dev/time#pkg-constants
 */
export function layoutParts(layout: string): GoLayoutPart[] {
  const parts: GoLayoutPart[] = []
  let from = 0
  let at = 0
  while (at < layout.length) {
    const found = fieldAt(layout, at)
    if (found === undefined) {
      at++
      continue
    }
    const start = found.field === 'longYear' ? layout.indexOf('2006', at) : at
    parts.push({ prefix: layout.slice(from, start), text: found.text, field: found.field })
    at = start + found.text.length
    from = at
  }
  return [...parts, { prefix: layout.slice(from), text: '' }]
}

interface Found {
  readonly text: string
  readonly field: GoTimeField
}

function fieldAt(layout: string, at: number): Found | undefined {
  const first = layout.charAt(at)
  if (first === '.' || first === ',') return fractionAt(layout, at)
  // In `_2006` the underscore is plain text, not the blank of `_2`.
  if (layout.startsWith('_2006', at)) return { text: '2006', field: 'longYear' }
  for (const [text, field] of fieldsByFirst.get(first) ?? []) {
    if (!layout.startsWith(text, at)) continue
    const isShortName = field === 'month' || field === 'weekday'
    // `Janet` does not contain a month.
    if (isShortName && /[a-z]/.test(layout.charAt(at + text.length))) continue
    return { text, field }
  }
  return undefined
}

/** Finds `.000` or `,999`: a separator and one repeated digit, with no other digit after it. */
function fractionAt(layout: string, at: number): Found | undefined {
  const digit = layout.charAt(at + 1)
  if (digit !== '0' && digit !== '9') return undefined
  let end = at + 1
  while (layout.charAt(end) === digit) end++
  if (/\d/.test(layout.charAt(end))) return undefined
  return { text: layout.slice(at, end), field: 'fraction' }
}
