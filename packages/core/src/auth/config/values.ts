import { type Decode, type Place, report } from '../../document/place.ts'
import { reportType, scalarAt, text, textLike } from '../../document/values.ts'
import { isGatehouseError } from '../../errors.ts'
import { parseGoDuration } from '../../go/duration.ts'
import { parseUrl } from '../../http/parse-url.ts'
import { parseDateTime } from '../../time/date-time.ts'
import type { DocumentNotes } from './flows/flow-notes.ts'

const durationRule = 'a duration such as "60s", "5m" or "1h30m"'

/** A hundred years. What is longer was not meant, and an instant that far away can still be written down. */
const longestMs = 36_525 * 86_400_000

/** A length of time as Go writes it, as `1h30m`; answers whole ms. @see https://pkg.go.dev/time#ParseDuration */
export function duration(leastMs = 1): Decode<number> {
  return (place) => {
    const scalar = scalarAt(place)
    if (scalar?.kind === 'number') return reportType(place, `${durationRule}, with its unit`)
    if (scalar?.kind !== 'text') return reportType(place, durationRule)
    const ms = readDuration(scalar.value)
    if (ms === undefined) return report(place, 'bad_duration', `must be ${durationRule}`)
    if (ms >= leastMs && ms <= longestMs) return ms
    const least = leastMs === 0 ? 'not negative' : 'at least 1ms'
    return report(place, 'out_of_range', `must be ${least} and at most 876600h`)
  }
}

function readDuration(written: string): number | undefined {
  try {
    return Math.round(parseGoDuration(written))
  } catch (error) {
    if (!isGatehouseError(error)) throw error
    return undefined
  }
}

/** A number of seconds; answers ms. */
export const secondsAsMs: Decode<number> = (place) => {
  const scalar = scalarAt(place)
  if (scalar?.kind !== 'number') return reportType(place, 'a number of seconds')
  const ms = Math.round(scalar.value * 1_000)
  if (ms >= 1 && ms <= longestMs) return ms
  return report(place, 'out_of_range', 'must be more than 0 seconds and at most 100 years')
}

/** Any finite number. */
export const decimal: Decode<number> = (place) => {
  const scalar = scalarAt(place)
  if (scalar?.kind === 'number' && Number.isFinite(scalar.value)) return scalar.value
  return reportType(place, 'a number')
}

const internetTime = /^\d{4}-\d\d-\d\dT[\d:.]{8,20}(?:Z|[-+]\d\d:\d\d)$/

/** A point in time; answers ms. @see RFC 3339, section 5.6 */
export const dateTime: Decode<number> = (place) => {
  const written = text(place)
  if (written === undefined) return undefined
  const at = internetTime.test(written) ? readDateTime(written) : undefined
  const expected = 'must be a date and a time such as "2026-01-31T12:00:00Z"'
  return at ?? report(place, 'out_of_range', expected)
}

function readDateTime(written: string): number | undefined {
  try {
    return parseDateTime(written)?.at
  } catch (error) {
    if (!isGatehouseError(error)) throw error
    return undefined
  }
}

/** The name of a flow or of a step. */
export const objectName: Decode<string> = textLike(
  (name) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name),
  'letters, digits and _, and not begin with a digit',
)

/** What browsers would run. */
const isScript = ({ protocol }: URL): boolean => /^(?:javascript|data|vbscript):$/.test(protocol)

/** An origin of the web, as `https://auth.example.com`; answers it as browsers write it. */
export const webOrigin: Decode<string> = (place) => {
  const written = text(place)
  if (written === undefined) return undefined
  const url = parseUrl(written)
  const isOrigin =
    url !== undefined &&
    /^https?:$/.test(url.protocol) &&
    /^https?:\/\/[^/?#@\\\s]+\/?$/i.test(written)
  return isOrigin ? url.origin : reportOrigin(place)
}

/** An origin of the web, or of an application that shows web pages, as `capacitor://localhost`. */
export const anyOrigin: Decode<string> = (place) => {
  const written = text(place)
  if (written === undefined) return undefined
  if (/^https?:/i.test(written)) return webOrigin(place)
  const isOrigin = /^[a-z][a-z0-9+.-]*:\/\/[\w.-]+(?::\d+)?$/.test(written)
  return isOrigin ? written : reportOrigin(place)
}

const reportOrigin = (place: Place): undefined =>
  report(
    place,
    'out_of_range',
    'must be an origin such as https://auth.example.com, without a path',
  )

/** The address of a page of the web. One that is not reached over TLS is noted. */
export function webAddress({ insecure }: Pick<DocumentNotes, 'insecure'>): Decode<string> {
  return (place) => {
    const written = text(place)
    if (written === undefined) return undefined
    const url = parseUrl(written)
    const isOfWeb = url !== undefined && /^https?:$/.test(url.protocol)
    if (!isOfWeb || url.username !== '' || url.password !== '') {
      return report(place, 'out_of_range', 'must be an https: address without a user in it')
    }
    if (url.protocol === 'http:') insecure.push(place)
    return written
  }
}

/** An absolute address that a browser may be sent to. */
export const redirectUri: Decode<string> = (place) => {
  const written = text(place)
  if (written === undefined) return undefined
  const url = parseUrl(written)
  if (url !== undefined && !isScript(url)) return written
  return report(place, 'out_of_range', 'must be an absolute address')
}

/** An address with a place for a code in it. */
export const linkTemplate: Decode<string> = (place) => {
  const written = redirectUri(place)
  if (written === undefined || written.includes('{code}')) return written
  return report(place, 'out_of_range', 'must hold {code}, which stands for the code of the link')
}
