import { isGatehouseError } from '../errors.ts'
import type { Json } from '../storage/storage.ts'
import { canBeId } from '../storage/storage-input.ts'
import { asRefusal, Refusal, refusalBelow, refuse, refuseShown } from './refusal.ts'
import { nearestWord } from './suggestion.ts'

/** Reads one sort of value that a program gave: answers a copy of it, or throws. */
export type Decode<T> = (value: unknown) => T

/**
 * Reads what a program gave to an operation or a factory. Everything is read once and copied, so that nothing can change or throw
 * later.
 *
 * @param name of the argument, for messages.
 * @throws {GatehouseError} `InvalidInput`, with `path`, `expected` and `given` in `info`. A text is never quoted where a secret
 *   could stand.
 */
export function decodeInput<T>(name: string, decode: Decode<T>, value: unknown): T {
  try {
    return decode(value)
  } catch (error) {
    throw isGatehouseError(error) ? error : asRefusal(error).toError(name)
  }
}

/** Any text, also one that UTF-8 cannot write: for what is checked later, with a message of its own. */
export const rawText: Decode<string> = (value) =>
  typeof value === 'string' ? value : refuse('a text', value)

/** Any text that UTF-8 can write, also an empty one. */
export const anyText: Decode<string> = (given) => {
  const value = rawText(given)
  if (!value.isWellFormed()) throw new Refusal('a text', 'one with half of a surrogate pair')
  return value
}

/** A text that is not empty. */
export const filledText: Decode<string> = (value) =>
  anyText(value) || refuse('a text that is not empty', value)

/** A text that can be the id of a record. */
export const recordId: Decode<string> = (value) =>
  canBeId(rawText(value)) ? rawText(value) : refuse('the id of a record', value)

/** `true` or `false`. */
export const flag: Decode<boolean> = (value) =>
  typeof value === 'boolean' ? value : refuse('true or false', value)

/** A finite number from `least` to `most`. */
export function numberFrom(least: number, most: number = Number.POSITIVE_INFINITY): Decode<number> {
  const range =
    most === Number.POSITIVE_INFINITY ? `of at least ${least}` : `from ${least} to ${most}`
  return (value) =>
    typeof value === 'number' && Number.isFinite(value) && value >= least && value <= most
      ? value
      : refuseShown(`a number ${range}`, value)
}

/** A whole number from `least` to `most`. */
export function wholeFrom(least: number, most: number = Number.MAX_SAFE_INTEGER): Decode<number> {
  const range = most === Number.MAX_SAFE_INTEGER ? `from ${least} on` : `from ${least} to ${most}`
  return (value) =>
    typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most
      ? value
      : refuseShown(`a whole number ${range}`, value)
}

/** One of a few words. */
export function oneOf<const W extends string>(words: readonly W[]): Decode<W> {
  const expected = words.map((word) => `"${word}"`).join(' or ')
  return (value) => words.find((word) => word === value) ?? refuseShown(expected, value)
}

/** `undefined`, or what `decode` reads. */
export function optional<T>(decode: Decode<T>): Decode<T | undefined> {
  return (value) => (value === undefined ? undefined : decode(value))
}

/** `null`, or what `decode` reads. */
export function nullable<T>(decode: Decode<T>): Decode<T | null> {
  return (value) => (value === null ? null : decode(value))
}

const mostItems = 1_000_000

/** A list: an array. */
export function listOf<T>(decode: Decode<T>): Decode<T[]> {
  return (value) => {
    if (!Array.isArray(value)) return refuse('a list', value)
    const { length } = value
    if (length > mostItems) return refuse(`a list of at most ${mostItems}`, value)
    const items: T[] = []
    for (let index = 0; index < length; index++) {
      try {
        items.push(decode(value[index]))
      } catch (error) {
        throw refusalBelow(error, index)
      }
    }
    return items
  }
}

/** Names to values: a plain object or a `Map`. Every name becomes an own property, also `__proto__`. */
export function recordOf<T>(decode: Decode<T>): Decode<Readonly<Record<string, T>>> {
  return (value) => {
    const entries: [string, T][] = []
    for (const [name, member] of entriesOf(value)) {
      try {
        entries.push([rawText(name), decode(member)])
      } catch (error) {
        throw refusalBelow(error, String(name))
      }
    }
    return Object.fromEntries(entries)
  }
}

function entriesOf(value: unknown): Iterable<readonly [unknown, unknown]> {
  if (value instanceof Map) return value
  return isPlainObject(value) ? Object.entries(value) : refuse('an object of texts or a Map', value)
}

/** Variables as those of a process. It is no plain object, so it is not copied. */
export const environmentInput: Decode<Readonly<Record<string, string | undefined>>> = (value) => {
  if (typeof value !== 'object' || value === null) return refuse('an object of texts', value)
  for (const [name, text] of Object.entries(value)) {
    if (text !== undefined && typeof text !== 'string')
      throw new Refusal('a text', typeof text).below(name)
  }
  // Every variable was looked at.
  return value as Readonly<Record<string, string | undefined>>
}

/** What reads the members of an object. Those that read `undefined` are left out. */
export type Fields<T> = { readonly [K in keyof T]-?: Decode<T[K] | undefined> }

/** An object with these members; others are ignored, as on the wire. */
export function objectOf<T extends object>(fields: Fields<T>): Decode<T> {
  const decoders = Object.entries<Decode<unknown>>(fields)
  return (value) => {
    if (!isPlainObject(value)) return refuse('an object', value)
    const members: Record<string, unknown> = {}
    for (const [name, decode] of decoders) {
      try {
        const member = decode(value[name])
        if (member !== undefined) members[name] = member
      } catch (error) {
        throw refusalBelow(error, name)
      }
    }
    // The decoders are those of T, member by member.
    return members as T
  }
}

/** An object with these members and no others: of options and queries, a key that is mistyped would be ignored in silence. */
export function exactly<T extends object>(fields: Fields<T>): Decode<T> {
  const decode = objectOf<T>(fields)
  return (value) => {
    const decoded = decode(value)
    for (const key of Object.keys(Object(value))) {
      if (Object.hasOwn(fields, key)) continue
      const nearest = nearestWord(key, Object.keys(fields))
      const expected = nearest === undefined ? 'no such key' : `"${nearest}"`
      throw new Refusal(expected, 'a key that means nothing here').below(key)
    }
    return decoded
  }
}

/** An object whose `type` says by which of these it is read. */
export function byType<T>(decoders: { readonly [type: string]: Decode<T> }): Decode<T> {
  const type = oneOf(Object.keys(decoders))
  const typed = objectOf<{ type: string }>({ type })
  return (value) => (decoders[typed(value).type] ?? refuse('an object', value))(value)
}

/** A function. Its parameters and its answer are trusted. */
export function functionLike<T>(what: string): Decode<T> {
  // A function is all that can be told of it.
  return (value) => (typeof value === 'function' ? (value as T) : refuse(what, value))
}

/** A port that is a function, or an object of optional parts. */
export function functionOrObject<T>(value: unknown): T {
  const isEither = typeof value === 'function' || (typeof value === 'object' && value !== null)
  // Nothing more can be told of it before it is called.
  return isEither ? (value as T) : refuse('a function or an object', value)
}

/** An object with these methods, as a port is; the object itself, not a copy. */
export function having<T extends object>(
  what: string,
  ...methods: (keyof T & string)[]
): Decode<T> {
  return (value) => {
    if (typeof value !== 'object' || value === null) return refuse(what, value)
    const candidate = value as Partial<Record<string, unknown>>
    for (const method of methods) {
      if (typeof candidate[method] !== 'function')
        throw new Refusal(what, `one without ${method}()`)
    }
    // It has every method that the service calls.
    return value as T
  }
}

/** A storage keeps a hundred, with all that is around a value. */
const deepest = 90
const mostValues = 100_000

/** A value that JSON can write: without `undefined`, instances of classes, holes or circles. */
export const json: Decode<Json> = (value) => jsonWithin(value, deepest, { left: mostValues })

/** A circle that branches would take for ever with a bound for its depth alone. */
function jsonWithin(value: unknown, depthLeft: number, values: { left: number }): Json {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value
  if (typeof value === 'number' && Number.isFinite(value)) return value
  if (depthLeft === 0) return refuse(`at most ${deepest} levels`, value)
  if (--values.left < 0) return refuse(`at most ${mostValues} lists and objects`, value)
  const inner: Decode<Json> = (member) => jsonWithin(member, depthLeft - 1, values)
  if (Array.isArray(value)) return listOf(inner)(value)
  return isPlainObject(value)
    ? recordOf(inner)(withoutUndefined(value))
    : refuse('a value of JSON', value)
}

/** As `JSON.stringify` has it. */
function withoutUndefined(value: object): object {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined))
}

/** Whether a value is a plain object: no list, no function, no instance of a class. */
export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  // Also the objects of another realm, whose prototype is not this one's Object.prototype.
  return prototype === null || Object.getPrototypeOf(prototype) === null
}
