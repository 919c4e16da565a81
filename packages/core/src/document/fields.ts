import { nearestWord } from '../input/suggestion.ts'
import {
  type Decode,
  memberPlace,
  membersOf,
  type Place,
  type Reading,
  report,
  warn,
} from './place.ts'
import { quoteKey } from './problem.ts'
import { reportType } from './values.ts'

/** How each key of a mapping is read, in the order of the documentation. */
export type Fields<T, Notes = Reading> = { readonly [Key in keyof T]-?: Decode<T[Key], Notes> }

/** Options of {@link mappingOf}. */
export interface MappingOptions<Key> {
  /** The keys that must be there. */
  readonly required?: readonly Key[]
  /** What more there is to say about some unknown keys. */
  readonly notes?: ReadonlyMap<string, string>
  /** Why a key that is not known is passed over with a warning; `undefined` for a key that is refused (default all). */
  readonly ignored?: (key: string) => string | undefined
}

const mergeKeyNote: ReadonlyMap<string, string> = new Map([['<<', 'YAML 1.2 has no merge keys']])

/**
 * A mapping with known keys. Answers what of it is sound, and `undefined` only for what is no mapping: whoever needs
 * a key looks whether it is there.
 */
export function mappingOf<T extends object, Notes extends Reading = Reading>(
  fields: Fields<T, Notes>,
  options: MappingOptions<keyof T & string> = {},
): Decode<Partial<T>, Notes> {
  const { required = [], notes = mergeKeyNote, ignored = () => undefined } = options
  const entries: [string, unknown][] = Object.entries(fields)
  // Whatever T is, the type of `fields` says that these are decoders.
  const decoders = new Map(entries as [string, Decode<unknown, Notes>][])
  return (place) => {
    if (place.node.kind !== 'mapping') return reportType(place, 'a mapping')
    const value: Record<string, unknown> = {}
    const members = membersOf(place)
    const present = new Set(members.map(({ key }) => key))
    for (const key of required) {
      if (!present.has(key)) report(memberPlace(place, place.node, key), 'required', 'is missing')
    }
    for (const { key, keyPlace, valuePlace } of members) {
      const decode = decoders.get(key)
      const reason = decode === undefined ? ignored(key) : undefined
      if (reason !== undefined) {
        warn(keyPlace, reason)
      } else if (decode === undefined) {
        reportUnknownKey(keyPlace, key, [...decoders.keys()], notes.get(key))
      } else {
        const decoded = decode(valuePlace)
        if (decoded !== undefined) value[key] = decoded
      }
    }
    // Every value comes from the decoder of its key in T.
    return value as Partial<T>
  }
}

/** A mapping in which the required keys must be sound, too: else there is nothing. */
export function wholeOf<T extends object, Notes extends Reading = Reading>(
  fields: Fields<T, Notes>,
  options: MappingOptions<keyof T & string> & { readonly required: readonly (keyof T & string)[] },
): Decode<T, Notes> {
  const mapping = mappingOf<T, Notes>(fields, options)
  return (place) => {
    const value = mapping(place)
    const isWhole = value !== undefined && options.required.every((key) => key in value)
    // The keys that are not required are those that T can do without.
    return isWhole ? (value as T) : undefined
  }
}

/** A mapping with a default for every key. */
export function sectionOf<T extends object, Notes extends Reading = Reading>(
  defaults: T,
  fields: Fields<T, Notes>,
  options: MappingOptions<keyof T & string> = {},
): (place: Place<Notes>) => T {
  const mapping = mappingOf<T, Notes>(fields, options)
  return (place) => ({ ...defaults, ...mapping(place) })
}

function reportUnknownKey(
  place: Place,
  key: string,
  known: readonly string[],
  note: string | undefined,
): void {
  const nearest = nearestWord(key, known)
  const suggestion = nearest === undefined ? '' : `; did you mean "${nearest}"?`
  const more = note === undefined ? suggestion : `: ${note}`
  report(place, 'unknown_key', `unknown key ${quoteKey(key)}${more}`)
}
