import { GoError } from '../../go-error.ts'
import { goQuote } from '../../text/quote.ts'
import { isZoneName } from '../../text/zone-name.ts'
import { zoneAbbreviations } from './zone-names.ts'

/** The offset and name of a zone at an instant. */
export interface GoZoneOffset {
  /** Such as `CET`; empty if the zone has no name. */
  readonly abbreviation: string
  /** Seconds ahead of UTC. */
  readonly seconds: number
}

/** A time zone as Go's `time.Location`. */
export interface GoZone {
  /** Such as `Europe/Berlin`; empty if only an offset is known. */
  readonly name: string
  offsetAt(at: number): GoZoneOffset
}

/** A day before any place had standard time. */
const beforeStandardTime = Date.UTC(1880, 0, 1)
const offsetText = /^GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/
/** Zones that `Intl` confuses with other zones of the same offset. */
const ownAbbreviations: ReadonlyMap<string, string> = new Map([
  ['GMT', 'GMT'],
  ['Etc/GMT', 'GMT'],
  ['Etc/Greenwich', 'GMT'],
  ['Greenwich', 'GMT'],
])

/** Coordinated universal time, which also stands for Go's `Local`. */
export const utcZone: GoZone = fixedZone('UTC', 0)

/** Creates a zone with a fixed offset from UTC. */
export function fixedZone(name: string, seconds: number): GoZone {
  const offset: GoZoneOffset = { abbreviation: name, seconds }
  return { name, offsetAt: () => offset }
}

/** Cached, because creating a formatter takes 30 µs. Templates use few zones. */
const zones = new Map<string, GoZone>()
const maxZones = 64

/**
 * Returns the zone with an IANA name; `UTC`, `Local` and the empty name are UTC.
 *
 * @throws {GoError} `UnknownTimeZone`, with Go's text.
 * @see https://pkg.go.dev/time#LoadLocation
 */
export function loadZone(name: string): GoZone {
  if (name === '' || name === 'UTC' || name === 'Local') return utcZone
  const known = zones.get(name)
  if (known !== undefined) return known
  const isPath = name.includes('..') || /^[/\\]/.test(name)
  if (isPath) throw unknownTimeZone('time: invalid location name')
  if (!isZoneName(name)) throw unknownTimeZone(`unknown time zone ${printable(name)}`)
  const zone = namedZone(name)
  if (zones.size >= maxZones) zones.clear()
  zones.set(name, zone)
  return zone
}

const unknownTimeZone = (message: string): GoError =>
  new GoError('BadRequest', 'UnknownTimeZone', message)

/** Quotes a name with unprintable characters, so that it cannot forge log lines. */
function printable(name: string): string {
  const quoted = goQuote(name)
  return quoted === `"${name}"` ? name : quoted
}

function namedZone(name: string): GoZone {
  const offsets = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' })
  const names = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'long' })
  return {
    name,
    offsetAt(at) {
      const seconds = readOffset(zoneName(offsets, at))
      if (at < beforeStandardTime || seconds % 60 !== 0) return { abbreviation: 'LMT', seconds }
      const abbreviation =
        ownAbbreviations.get(name) ??
        zoneAbbreviations.get(zoneName(names, at)) ??
        offsetName(seconds)
      return { abbreviation, seconds }
    },
  }
}

function zoneName(formatter: Intl.DateTimeFormat, at: number): string {
  const part = formatter.formatToParts(at).find(({ type }) => type === 'timeZoneName')
  return part?.value ?? ''
}

function readOffset(text: string): number {
  const [, sign, hours = 0, minutes = 0, seconds = 0] = offsetText.exec(text) ?? []
  const total = Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds)
  return sign === '-' ? -total : total
}

/** The name in the time zone database of a zone without letters: `+03`, `+0530`. */
function offsetName(seconds: number): string {
  const minutes = Math.abs(seconds) / 60
  const hours = String(Math.floor(minutes / 60)).padStart(2, '0')
  const rest = minutes % 60 === 0 ? '' : String(minutes % 60).padStart(2, '0')
  return `${seconds < 0 ? '-' : '+'}${hours}${rest}`
}
