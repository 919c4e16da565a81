import type { GoTimeField } from './layout.ts'
import { monthNames, weekdayNames } from './names.ts'
import { readGoOffset, readGoZoneName } from './zone-text.ts'

/** The fields of a time that have been read so far. */
export interface TimeFields {
  year: number
  month?: number
  day?: number
  yearDay?: number
  hour: number
  minute: number
  second: number
  nanosecond: number
  half?: 'am' | 'pm'
  /** Seconds ahead of UTC. */
  offset?: number
  zoneName?: string
  isUtc: boolean
}

/** The result of reading a field: the index of the rest, and the name of an out-of-range quantity. */
export interface FieldRead {
  readonly end: number
  readonly outOfRange?: string
}

/** Reads one field at `at`; `undefined` if it is not there. */
type FieldReader = (
  value: string,
  at: number,
  fields: TimeFields,
  text: string,
) => FieldRead | undefined

interface Digits {
  readonly number: number
  readonly end: number
}

const shortMonthNames = monthNames.map((name) => name.slice(0, 3))
const shortWeekdayNames = weekdayNames.map((name) => name.slice(0, 3))

const readers: Readonly<Record<GoTimeField, FieldReader>> = {
  longYear(value, at, fields) {
    if (!/^\d{4}$/.test(value.slice(at, at + 4))) return undefined
    fields.year = Number(value.slice(at, at + 4))
    return { end: at + 4 }
  },
  year(value, at, fields) {
    const year = readInteger(value.slice(at, at + 2), 2)
    if (year === undefined) return undefined
    fields.year = year + (year >= 69 ? 1_900 : 2_000)
    return { end: at + 2 }
  },
  longMonth: (value, at, fields) => readMonthName(value, at, fields, monthNames),
  month: (value, at, fields) => readMonthName(value, at, fields, shortMonthNames),
  numMonth: (value, at, fields) => readMonth(readDigits(value, at, 1), fields),
  zeroMonth: (value, at, fields) => readMonth(readDigits(value, at, 2), fields),
  longWeekday: (value, at) => readName(value, at, weekdayNames),
  weekday: (value, at) => readName(value, at, shortWeekdayNames),
  day: (value, at, fields) => readDay(readDigits(value, at, 1), fields),
  underDay: (value, at, fields) => readDay(readDigits(value, skipBlanks(value, at, 1), 1), fields),
  zeroDay: (value, at, fields) => readDay(readDigits(value, at, 2), fields),
  underYearDay: (value, at, fields) => {
    return readYearDay(readDigits(value, skipBlanks(value, at, 2), 1, 3), fields)
  },
  zeroYearDay: (value, at, fields) => readYearDay(readDigits(value, at, 3, 3), fields),
  hour: (value, at, fields) => readInto(fields, 'hour', readDigits(value, at, 1), 23),
  hour12: (value, at, fields) => readInto(fields, 'hour', readDigits(value, at, 1), 12),
  zeroHour12: (value, at, fields) => readInto(fields, 'hour', readDigits(value, at, 2), 12),
  minute: (value, at, fields) => readInto(fields, 'minute', readDigits(value, at, 1), 59),
  zeroMinute: (value, at, fields) => readInto(fields, 'minute', readDigits(value, at, 2), 59),
  second: (value, at, fields) => readInto(fields, 'second', readDigits(value, at, 1), 59),
  zeroSecond: (value, at, fields) => readInto(fields, 'second', readDigits(value, at, 2), 59),
  PM: (value, at, fields) => readHalf(value.slice(at, at + 2), at, fields, ['AM', 'PM']),
  pm: (value, at, fields) => readHalf(value.slice(at, at + 2), at, fields, ['am', 'pm']),
  zone(value, at, fields) {
    const name = readGoZoneName(value, at)
    if (name === undefined) return undefined
    if (name === 'UTC') fields.isUtc = true
    else fields.zoneName = name
    return { end: at + name.length }
  },
  offset(value, at, fields, text) {
    if (text.startsWith('Z') && value.charAt(at) === 'Z') {
      fields.isUtc = true
      return { end: at + 1 }
    }
    const read = readGoOffset(value, at, text)
    if (read !== undefined) fields.offset = read.seconds
    return read
  },
  fraction(value, at, fields, text) {
    if (text.charAt(1) === '0') return readFraction(value, at, at + text.length, fields)
    return isFraction(value, at)
      ? readFraction(value, at, endOfDigits(value, at + 1), fields)
      : { end: at }
  },
}

/** Reads one field of a layout at `at`; `next` is the field after it. */
export function readTimeField(
  value: string,
  at: number,
  fields: TimeFields,
  part: {
    readonly field: GoTimeField
    readonly text: string
    readonly next: GoTimeField | undefined
  },
): FieldRead | undefined {
  const read = readers[part.field](value, at, fields, part.text)
  if (read === undefined || read.outOfRange !== undefined) return read
  const isSecond = part.field === 'second' || part.field === 'zeroSecond'
  // Seconds may have a fraction that the layout does not include.
  if (!isSecond || part.next === 'fraction' || !isFraction(value, read.end)) return read
  return readFraction(value, read.end, endOfDigits(value, read.end + 1), fields)
}

/** Parses a text of `length` characters as a number, with an optional sign. */
function readInteger(text: string, length: number): number | undefined {
  if (text.length !== length || !/^[+-]?\d+$/.test(text)) return undefined
  return Number(text)
}

/** Reads `least` to `most` digits. */
function readDigits(value: string, at: number, least: number, most = 2): Digits | undefined {
  let end = at
  while (end < at + most && isDigit(value, end)) end++
  if (end - at < least) return undefined
  return { number: Number(value.slice(at, end)), end }
}

function readInto(
  fields: TimeFields,
  name: 'hour' | 'minute' | 'second',
  digits: Digits | undefined,
  most: number,
): FieldRead | undefined {
  if (digits === undefined) return undefined
  fields[name] = digits.number
  return digits.number > most ? { end: digits.end, outOfRange: name } : digits
}

function readMonth(digits: Digits | undefined, fields: TimeFields): FieldRead | undefined {
  if (digits === undefined) return undefined
  fields.month = digits.number
  const isMonth = digits.number >= 1 && digits.number <= 12
  return isMonth ? digits : { end: digits.end, outOfRange: 'month' }
}

/** Whether the day exists can only be checked once month and year are known. */
function readDay(digits: Digits | undefined, fields: TimeFields): FieldRead | undefined {
  if (digits !== undefined) fields.day = digits.number
  return digits
}

function readYearDay(digits: Digits | undefined, fields: TimeFields): FieldRead | undefined {
  if (digits !== undefined) fields.yearDay = digits.number
  return digits
}

function readMonthName(
  value: string,
  at: number,
  fields: TimeFields,
  names: readonly string[],
): FieldRead | undefined {
  const read = readName(value, at, names)
  if (read !== undefined) fields.month = read.number + 1
  return read
}

/** Reads one of the names, ignoring case, and returns its index as the number. */
function readName(value: string, at: number, names: readonly string[]): Digits | undefined {
  const index = names.findIndex((name) => {
    return value.slice(at, at + name.length).toLowerCase() === name.toLowerCase()
  })
  return index < 0 ? undefined : { number: index, end: at + (names[index] ?? '').length }
}

function readHalf(
  text: string,
  at: number,
  fields: TimeFields,
  [am, pm]: readonly [am: string, pm: string],
): FieldRead | undefined {
  if (text !== am && text !== pm) return undefined
  fields.half = text === am ? 'am' : 'pm'
  return { end: at + 2 }
}

/** Reads a point or comma and digits; the first nine count. */
function readFraction(
  value: string,
  at: number,
  end: number,
  fields: TimeFields,
): FieldRead | undefined {
  const hasSeparator = value.charAt(at) === '.' || value.charAt(at) === ','
  if (!hasSeparator || end > value.length) return undefined
  const text = value.slice(at + 1, Math.min(end, at + 10))
  const fraction = readInteger(text, text.length)
  if (fraction === undefined) return undefined
  if (fraction < 0) return { end, outOfRange: 'fractional second' }
  fields.nanosecond = fraction * 10 ** (9 - text.length)
  return { end }
}

function isFraction(value: string, at: number): boolean {
  return (value.charAt(at) === '.' || value.charAt(at) === ',') && isDigit(value, at + 1)
}

function endOfDigits(value: string, at: number): number {
  let end = at
  while (isDigit(value, end)) end++
  return end
}

function skipBlanks(value: string, at: number, most: number): number {
  let end = at
  while (end < at + most && value.charAt(end) === ' ') end++
  return end
}

function isDigit(value: string, at: number): boolean {
  const code = value.charCodeAt(at)
  return code >= 48 && code <= 57
}
