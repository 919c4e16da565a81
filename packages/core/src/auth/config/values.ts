import { duration as anyDuration } from '../../document/measures.ts'
import { quoteKey } from '../../document/problem.ts'
import {
  built,
  checked,
  type Fields,
  integer,
  listOf,
  type MappingOptions,
  mapping,
  noted,
  parsed,
  parsedText,
  type Schema,
  text,
  textLike,
  withDefault,
  wrongType,
} from '../../document/schema.ts'
import { isGatehouseError } from '../../errors.ts'
import { parseUrl } from '../../http/parse-url.ts'
import { parseDateTime } from '../../time/date-time.ts'

/** A key whose value is a mapping with a default for each of its keys. */
export function section<T extends object>(
  fields: Fields<T>,
  description: string,
  options?: MappingOptions,
): Schema<T> {
  return withDefault(mapping(fields, options), {}, description)
}

/** A whole number that Authgear does not bound. Below `least` it has a note, and counts as `least`. */
export const unbounded = (least: number, note: string): Schema<number> =>
  built(
    noted(integer(Number.MIN_SAFE_INTEGER), (given) => (given < least ? note : undefined)),
    (given) => Math.max(given, least),
  )

/** A list of mappings that differ in some keys. `otherwise` is the key that stands in for one that is absent. */
export function distinctBy<T extends object>(
  item: Schema<T>,
  names: { readonly [Key in keyof T & string]?: string },
  otherwise?: keyof T & string,
): Schema<readonly T[]> {
  return checked(listOf(item), ({ value, report }) => {
    // Sound parts of mappings.
    const items = value as readonly (Readonly<Record<string, unknown>> | undefined)[]
    for (const [key, what] of Object.entries(names)) {
      const seen = new Set<string>()
      for (const [index, one] of items.entries()) {
        const name = one?.[key] ?? one?.[otherwise ?? key]
        if (typeof name !== 'string') continue
        const message = `${what} ${quoteKey(name)} is here already`
        if (seen.has(name)) report([index, key], 'conflict', message)
        seen.add(name)
      }
    }
  })
}

/** A hundred years. What is longer was not meant, and an instant that far away can still be written down. */
const longestMs = 36_525 * 86_400_000

/** A duration, as long as any that is meant, in ms. */
export const duration = (leastMs = 1): Schema<number> =>
  anyDuration({ least: leastMs, most: longestMs })

function unlessRefused<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (!isGatehouseError(error)) throw error
    return undefined
  }
}

/** A number of seconds, in ms. */
export const secondsAsMs: Schema<number> = parsed(
  { type: 'number', exclusiveMinimum: 0 },
  (given, report) => {
    if (typeof given !== 'number') {
      return report('wrong_type', wrongType(given, 'a number of seconds'))
    }
    const ms = Math.round(given * 1_000)
    if (ms >= 1 && ms <= longestMs) return ms
    return report('out_of_range', 'must be more than 0 seconds and at most 100 years')
  },
)

/** Any finite number. */
export const decimal: Schema<number> = parsed({ type: 'number' }, (given, report) =>
  Number.isFinite(given) ? Number(given) : report('wrong_type', wrongType(given, 'a number')),
)

const internetTime = /^\d{4}-\d\d-\d\dT[\d:.]{8,20}(?:Z|[-+]\d\d:\d\d)$/

/** A point in time, in ms. @see RFC 3339, section 5.6 */
export const dateTime: Schema<number> = parsedText((written, report) => {
  const at = internetTime.test(written)
    ? unlessRefused(() => parseDateTime(written)?.at)
    : undefined
  return at ?? report('out_of_range', 'must be a date and a time such as "2026-01-31T12:00:00Z"')
})

/** The name of a flow or of a step. */
export const objectName: Schema<string> = textLike(
  (name) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name),
  'letters, digits and _, and not begin with a digit',
)

const originRule = 'must be an origin such as https://auth.example.com, without a path'

function originOf(written: string): string | undefined {
  const url = parseUrl(written)
  const isOrigin = /^https?:\/\/[^/?#@\\\s]+\/?$/i.test(written)
  return isOrigin && url !== undefined && /^https?:$/.test(url.protocol) ? url.origin : undefined
}

/** An origin of the web, as `https://auth.example.com`, as browsers write it. */
export const webOrigin: Schema<string> = parsedText(
  (written, report) => originOf(written) ?? report('out_of_range', originRule),
)

/** An origin of the web, or of an application that shows web pages, as `capacitor://localhost`. */
export const anyOrigin: Schema<string> = parsedText((written, report) => {
  const isOfApp =
    !/^https?:/i.test(written) && /^[a-z][a-z0-9+.-]*:\/\/[\w.-]+(?::\d+)?$/.test(written)
  return isOfApp ? written : (originOf(written) ?? report('out_of_range', originRule))
})

/** The address of a page of the web. */
export const webAddress: Schema<string> = textLike(
  (written) => {
    const url = parseUrl(written)
    if (url === undefined || !/^https?:$/.test(url.protocol)) return false
    return url.username === '' && url.password === ''
  },
  'an https: address without a user in it',
  text,
)

/** URL schemes that browsers would run as code. */
const isScript = ({ protocol }: URL): boolean => /^(?:javascript|data|vbscript):$/.test(protocol)

/** An absolute address that a browser may be sent to. */
export const redirectUri: Schema<string> = textLike(
  (written) => {
    const url = parseUrl(written)
    return url !== undefined && !isScript(url)
  },
  'an absolute address',
  text,
)

/** An address with a place for a code in it. */
export const linkTemplate: Schema<string> = textLike(
  (written) => written.includes('{code}'),
  'an address with {code} in it, which stands for the code of the link',
  redirectUri,
)
