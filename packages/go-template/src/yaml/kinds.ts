import { goQuote } from '../text/quote.ts'
import {
  type ConfigKind,
  childPlace,
  type DecodePlace,
  decodeWith,
  type Expanded,
  isNull,
  mappingEntries,
  reportCheck,
  reportStructure,
  reportType,
  resolveScalar,
  scalarText,
} from './decoder.ts'
import { compareYamlKeys } from './key-order.ts'
import { type WholeNumber, wholeNumber } from './scalar.ts'
import type { YamlValue } from './text.ts'

/** The text of any scalar; for another node reports a problem and returns `undefined`. */
export function anyScalarText(place: DecodePlace, typeName: string): string | undefined {
  const { node } = place
  if (node.kind === 'scalar') return scalarText(place, node)
  reportType(place, typeName)
  return undefined
}

/** Any scalar, as its source text. */
export const text: ConfigKind<string> = {
  typeName: 'string',
  zero: '',
  decode: (place) => (isNull(place.node) ? '' : (anyScalarText(place, 'string') ?? '')),
  encode: (value) => value,
}

/** `true` and `false` in the spellings of YAML 1.1, unquoted. */
export const flag: ConfigKind<boolean> = {
  typeName: 'bool',
  zero: false,
  decode(place) {
    const scalar = place.node.kind === 'scalar' ? resolveScalar(place.node) : undefined
    if (scalar?.tag === '!!bool') return scalar.value
    if (scalar?.tag !== '!!null') reportType(place, 'bool')
    return false
  },
  encode: (value) => value,
}

/** A whole number of a Go type, with all its digits. A fraction is truncated. */
export function integer(typeName: 'int' | 'int64' | 'uint' | 'uint64'): ConfigKind<WholeNumber> {
  const isUnsigned = typeName.startsWith('u')
  const [least, most] = isUnsigned ? [0n, 2n ** 64n - 1n] : [-(2n ** 63n), 2n ** 63n - 1n]
  return numeric(typeName, (value) => {
    if (typeof value === 'number' && !Number.isFinite(value)) return undefined
    const whole = typeof value === 'number' ? BigInt(Math.trunc(value)) : value
    return whole >= least && whole <= most ? wholeNumber(whole) : undefined
  })
}

/** A number. */
export const decimal: ConfigKind<number> = numeric('float64', Number)

function numeric<T extends WholeNumber>(
  typeName: string,
  read: (value: WholeNumber) => T | undefined,
): ConfigKind<T | 0> {
  return {
    typeName,
    zero: 0,
    decode(place) {
      if (isNull(place.node)) return 0
      const scalar = place.node.kind === 'scalar' ? resolveScalar(place.node) : undefined
      const isNumber = scalar?.tag === '!!int' || scalar?.tag === '!!float'
      const value = isNumber ? read(scalar.value) : undefined
      if (value === undefined) reportType(place, typeName)
      return value ?? 0
    },
    encode: (value) => value,
  }
}

/** Options of {@link parsed}. */
export interface ParsedOptions<T> {
  readonly zero: T
  /** The name of the type in messages (default `string`). */
  readonly typeName?: string
  /** Parses the text; throws an expected error, such as a `GoError`, if it is invalid. */
  parse(text: string): T
  encode(value: T): YamlValue | undefined
}

/** A scalar with its own parser. */
export function parsed<T>(options: ParsedOptions<T>): ConfigKind<T> {
  const { zero, parse, encode, typeName = 'string' } = options
  return {
    typeName,
    zero,
    encode,
    decode(place) {
      if (isNull(place.node)) return zero
      const source = anyScalarText(place, typeName)
      return source === undefined ? zero : decodeWith(place, () => parse(source), zero)
    },
  }
}

/** A text that must be one of a few words. */
export function oneOf<T extends string>(
  choices: readonly T[],
  zero: T,
  message: (given: string) => string,
): ConfigKind<T> {
  return {
    typeName: 'string',
    zero,
    decode(place) {
      const given = text.decode(place)
      const choice = choices.find((candidate) => candidate === given)
      if (choice === undefined && place.node.kind === 'scalar') reportCheck(place, message(given))
      return choice ?? zero
    },
    encode: (value) => value,
  }
}

/** Reports the references of a text that cannot be resolved, and whether there are any. */
export function reportReferences(place: DecodePlace, expanded: Expanded): boolean {
  const problems = 'problems' in expanded ? expanded.problems : []
  for (const problem of problems) reportCheck(place, problem)
  return problems.length > 0
}

/** Hides the text of a node: it may only be shown as `mask`. */
export function hideSource(place: DecodePlace, mask: string): void {
  const { start, end } = place.node
  place.decoding.secrets.push({ start, end, mask })
}

/** A value that may be absent. A null, or for a text an empty one, means absent. */
export function optional<T>(kind: ConfigKind<T>): ConfigKind<T | undefined> {
  return {
    typeName: kind.typeName,
    zero: undefined,
    isOptional: true,
    decode(place) {
      const value = isNull(place.node) ? undefined : kind.decode(place)
      return value === '' ? undefined : value
    },
    encode: (value) => (value === undefined ? undefined : kind.encode(value)),
  }
}

/**
 * A list. `nullItem` is the message for null items; with `null` they are left out. Without it they become the kind's zero value.
 */
export function listOf<T>(
  kind: ConfigKind<T>,
  typeName: string,
  nullItem?: string | null,
): ConfigKind<readonly T[]> {
  return {
    typeName,
    zero: [],
    decode(place) {
      const { node } = place
      if (isNull(node)) return []
      if (node.kind !== 'sequence') {
        reportType(place, typeName)
        return []
      }
      const items: T[] = []
      for (const [index, item] of node.items.entries()) {
        const itemPlace = childPlace(place, item, index)
        if (!isNull(item)) items.push(kind.decode(itemPlace))
        else if (nullItem === undefined) items.push(kind.zero)
        else if (nullItem !== null) reportCheck(itemPlace, nullItem)
      }
      return items
    },
    encode: (items) => items.map((item) => kind.encode(item) ?? null),
  }
}

/** A list of texts. */
export const texts: ConfigKind<readonly string[]> = listOf(text, '[]string')

/** A mapping with user-defined names. */
export function mapOf<T>(
  kind: ConfigKind<T>,
  typeName: string,
): ConfigKind<ReadonlyMap<string, T>> {
  return {
    typeName,
    zero: new Map(),
    decode(place) {
      const { node } = place
      const values = new Map<string, T>()
      if (isNull(node)) return values
      if (node.kind !== 'mapping') {
        reportType(place, typeName)
        return values
      }
      for (const { key, keyPlace, valuePlace } of mappingEntries(place, node)) {
        if (values.has(key)) {
          reportStructure(keyPlace, `key ${goQuote(key)} already set in map`)
        } else values.set(key, isNull(valuePlace.node) ? kind.zero : kind.decode(valuePlace))
      }
      return values
    },
    encode(values) {
      const sorted = [...values].sort(([a], [b]) => compareYamlKeys(a, b))
      return new Map(sorted.map(([key, value]) => [key, kind.encode(value) ?? null]))
    },
  }
}

/** A mapping from names to texts. */
export const textMap: ConfigKind<ReadonlyMap<string, string>> = mapOf(text, 'map[string]string')
