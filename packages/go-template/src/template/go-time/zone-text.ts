/** An offset that was read. */
export interface ReadOffset {
  /** The offset from UTC, positive to the east. */
  readonly seconds: number
  readonly end: number
  /** The part that was out of range. */
  readonly outOfRange?: string
}

const twoDigits = /^\d\d$/

/** Reads an offset such as `+02:00` where a layout has `-07:00` or `Z07:00`; `undefined` if there is none at `at`. */
export function readGoOffset(value: string, at: number, layout: string): ReadOffset | undefined {
  const end = at + layout.length
  const text = value.slice(at, end)
  if (text.length < layout.length) return undefined
  const hasColons = layout.includes(':')
  if (hasColons && (text.charAt(3) !== ':' || (layout.length > 6 && text.charAt(6) !== ':'))) {
    return undefined
  }
  const width = hasColons ? 3 : 2
  const parts: number[] = []
  for (let start = 1; start < text.length; start += width) {
    const part = text.slice(start, start + 2)
    if (!twoDigits.test(part)) break
    parts.push(Number(part))
  }
  const [hours = 0, minutes = 0, seconds = 0] = parts
  // Accept 24 hours, 60 minutes and 60 seconds, as Go does, because some people write them.
  if (hours > 24) return { seconds: 0, end, outOfRange: 'time zone offset hour' }
  if (minutes > 60) return { seconds: 0, end, outOfRange: 'time zone offset minute' }
  if (seconds > 60) return { seconds: 0, end, outOfRange: 'time zone offset second' }
  const sign = text.charAt(0)
  const isWhole = parts.length === Math.ceil((text.length - 1) / width)
  if (!isWhole || (sign !== '+' && sign !== '-')) return undefined
  const total = hours * 3_600 + minutes * 60 + seconds
  return { seconds: sign === '-' ? -total : total, end }
}

/** At most four digits, so that a name stays short. */
const signedHours = /[+-]\d{1,4}(?!\d)/y

/**
 * Reads a text that looks like the short name of a zone: three to five capital letters, a known name of another form, `GMT-3`, or
 * a bare offset such as `+03`.
 */
export function readGoZoneName(value: string, at: number): string | undefined {
  const text = value.slice(at, at + 6)
  if (text.length < 3) return undefined
  if (text.startsWith('UTC')) return 'UTC'
  if (text.startsWith('ChST') || text.startsWith('MeST')) return text.slice(0, 4)
  if (text.startsWith('GMT')) return `GMT${readHours(value, at + 3) ?? ''}`
  if (/^[+-]/.test(text)) return readHours(value, at)
  const letters = /^[A-Z]*/.exec(text)?.[0] ?? ''
  const isName =
    letters.length === 3 ||
    (letters.length === 4 && (letters.endsWith('T') || letters === 'WITA')) ||
    (letters.length === 5 && letters.endsWith('T'))
  return isName ? letters : undefined
}

/** Reads signed hours of less than a day. */
function readHours(value: string, at: number): string | undefined {
  signedHours.lastIndex = at
  const found = signedHours.exec(value)?.[0]
  return found === undefined || Math.abs(Number(found)) > 23 ? undefined : found
}
