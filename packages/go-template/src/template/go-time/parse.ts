import { GoError } from '../../go-error.ts'
import { readTimeField, type TimeFields } from './field.ts'
import { layoutParts } from './layout.ts'
import { type GoTime, goTimeOf } from './time.ts'
import { fixedZone, type GoZone, utcZone } from './zone.ts'

/**
 * Parses a time by a layout. Fields that the layout lacks are zero, January, or the first. Without a zone the time is in UTC.
 *
 * @throws {GoError} `InvalidTime`, with Go's text.
 * @see https://pkg.go.dev/time#Parse
 */
export function parseTime(layout: string, value: string): GoTime {
  const fields = readFields(layout, value)
  const date = dateOf(fields)
  if (typeof date === 'string') throw invalidTime(value, `: ${date}`)
  return goTimeOf({ ...fields, ...date, hour: hourOf(fields) }, zoneOf(fields))
}

function readFields(layout: string, value: string): TimeFields {
  const fields: TimeFields = {
    year: 0,
    hour: 0,
    minute: 0,
    second: 0,
    nanosecond: 0,
    isUtc: false,
  }
  const unreadable = (at: number, element: string): GoError => {
    const rest = quote(value.slice(at))
    return invalidTime(value, ` as ${quote(layout)}: cannot parse ${rest} as ${quote(element)}`)
  }
  const parts = layoutParts(layout)
  let at = 0
  for (const [i, { prefix, field, text }] of parts.entries()) {
    const skipped = skipText(value, at, prefix)
    if (!skipped.isWhole) throw unreadable(skipped.end, prefix)
    at = skipped.end
    if (field === undefined) break
    const read = readTimeField(value, at, fields, { field, text, next: parts[i + 1]?.field })
    if (read === undefined) throw unreadable(at, text)
    if (read.outOfRange !== undefined) throw invalidTime(value, `: ${read.outOfRange} out of range`)
    at = read.end
  }
  if (at < value.length) throw invalidTime(value, `: extra text: ${quote(value.slice(at))}`)
  return fields
}

/** Skips plain text of a layout. A blank matches any number of blanks, also none at the end. */
function skipText(value: string, at: number, prefix: string): { end: number; isWhole: boolean } {
  let end = at
  for (let i = 0; i < prefix.length; i++) {
    const expected = prefix.charAt(i)
    if (expected !== ' ') {
      if (value.charAt(end) !== expected) return { end, isWhole: false }
      end++
      continue
    }
    if (end < value.length && value.charAt(end) !== ' ') return { end, isWhole: false }
    while (prefix.charAt(i + 1) === ' ') i++
    while (value.charAt(end) === ' ') end++
  }
  return { end, isWhole: true }
}

/** Returns the month and day that were read, or the problem with them. */
function dateOf(fields: TimeFields): { month: number; day: number } | string {
  const { year, month = 1, day = 1, yearDay } = fields
  if (yearDay === undefined) {
    return day < 1 || day > daysIn(year, month) ? 'day out of range' : { month, day }
  }
  const date = new Date(0)
  date.setUTCFullYear(year, 0, yearDay)
  if (yearDay < 1 || date.getUTCFullYear() !== year) return 'day-of-year out of range'
  const found = { month: date.getUTCMonth() + 1, day: date.getUTCDate() }
  if (found.month !== (fields.month ?? found.month)) return 'day-of-year does not match month'
  if (found.day !== (fields.day ?? found.day)) return 'day-of-year does not match day'
  return found
}

function daysIn(year: number, month: number): number {
  const last = new Date(0)
  last.setUTCFullYear(year, month, 0)
  return last.getUTCDate()
}

function hourOf({ hour, half }: TimeFields): number {
  if (half === 'pm' && hour < 12) return hour + 12
  return half === 'am' && hour === 12 ? 0 : hour
}

function zoneOf({ isUtc, offset, zoneName }: TimeFields): GoZone {
  if (isUtc) return utcZone
  if (offset !== undefined) {
    return offset === 0 && zoneName === undefined ? utcZone : fixedZone(zoneName ?? '', offset)
  }
  if (zoneName === undefined) return utcZone
  // The offset of an unknown name is unknown; only `GMT-3` contains it.
  const hours = zoneName.startsWith('GMT') ? Number(zoneName.slice(3)) : 0
  return fixedZone(zoneName, hours * 3_600)
}

function invalidTime(value: string, problem: string): GoError {
  return new GoError('BadRequest', 'InvalidTime', `parsing time ${quote(value)}${problem}`)
}

/** Go's time package has its own quoting: every byte outside printable ASCII becomes `\xHH`. */
function quote(text: string): string {
  let quoted = ''
  for (const byte of new TextEncoder().encode(text)) {
    const character = String.fromCharCode(byte)
    if (byte < 0x20 || byte >= 0x80) quoted += `\\x${byte.toString(16).padStart(2, '0')}`
    else quoted += character === '"' || character === '\\' ? `\\${character}` : character
  }
  return `"${quoted}"`
}
