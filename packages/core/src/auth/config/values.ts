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

/**
 * A whole number of seconds or days. Authgear does not bound it, and 0 stands for the default. A negative one counts as 1, as
 * short as it can be.
 */
export const span = (most: number, usual: number): Schema<number> =>
  built(
    noted(integer(Number.MIN_SAFE_INTEGER), (given) => {
      if (given < 0) return 'is negative: it counts as 1'
      if (given === 0) return `is 0: the default counts, which is ${usual}`
      return given > most ? `is more than ${most}: it counts as ${most}` : undefined
    }),
    (given) => (given === 0 ? usual : Math.min(Math.max(given, 1), most)),
  )

interface DistinctOptions<T> {
  /** The key that stands in for one that is absent. */
  readonly otherwise?: keyof T & string
  /** Whether the first of several is used, as Authgear does (default `false`: there must be one). */
  readonly firstCounts?: boolean
}

/** A list of mappings that differ in some keys. */
export function distinctBy<T extends object>(
  item: Schema<T>,
  names: { readonly [Key in keyof T & string]?: string },
  { otherwise, firstCounts = false }: DistinctOptions<T> = {},
): Schema<readonly T[]> {
  return checked(listOf(item), ({ value, report, warn }) => {
    // Sound parts of mappings.
    const items = value as readonly (Readonly<Record<string, unknown>> | undefined)[]
    for (const [key, what] of Object.entries(names)) {
      const seen = new Set<string>()
      for (const [index, one] of items.entries()) {
        const name = one?.[key] ?? one?.[otherwise ?? key]
        if (typeof name !== 'string') continue
        const message = `${what} ${quoteKey(name)} is here already`
        const isAgain = seen.has(name)
        seen.add(name)
        if (!isAgain) continue
        if (firstCounts) warn([index], `has no effect: ${message}`)
        else report([index, key], 'conflict', message)
      }
    }
  })
}

/** A hundred years. */
export const maxDays = 36_525
const maxMs = maxDays * 86_400_000

/** A duration, as long as any of Authgear's, in ms. */
export const duration = (leastMs = 1): Schema<number> =>
  anyDuration({ least: leastMs, isAge: true })

function unlessRefused<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (!isGatehouseError(error)) throw error
    return undefined
  }
}

/** A number of seconds, in ms; nothing for 0, which stands for the default. */
export const secondsAsMs: Schema<number | undefined> = built(
  noted(
    parsed({ type: 'number', minimum: 0 }, (given, report): number | undefined => {
      if (typeof given !== 'number') {
        return report('wrong_type', wrongType(given, 'a number of seconds'))
      }
      const ms = given > 0 ? Math.max(1, Math.round(given * 1_000)) : given
      if (ms >= 0 && ms <= maxMs) return ms
      return report('out_of_range', 'must be from 0 seconds to 100 years')
    }),
    (ms) => (ms === 0 ? 'is 0: the default counts' : undefined),
  ),
  (ms) => ms || undefined,
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

/** What an origin must be. */
export const originRule = 'must be an origin such as https://auth.example.com, without a path'

/** An origin of the web as browsers write it; `undefined` for anything else. */
export function originOf(written: string): string | undefined {
  const url = parseUrl(written)
  const isOrigin = /^https?:\/\/[^/?#@\\\s]+\/?$/i.test(written)
  return isOrigin && url !== undefined && /^https?:$/.test(url.protocol) ? url.origin : undefined
}

/** An origin of the web, as `https://auth.example.com`, as browsers write it. */
export const webOrigin: Schema<string> = parsedText(
  (written, report) => originOf(written) ?? report('out_of_range', originRule),
)

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
