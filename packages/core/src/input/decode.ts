import { isGatehouseError } from '../errors.ts'
import type { Json } from '../storage/storage.ts'
import { canBeId } from '../storage/storage-input.ts'
import { asRefusal, Refusal, refusalBelow, refuse, refuseShown } from './refusal.ts'
import { nearestWord } from './suggestion.ts'

/** Decodes a value of one type that a program passed: returns a copy of it, or throws. */
export type Decode<T> = (value: unknown) => T

/**
 * Decodes an argument of an operation or a factory. Everything is read once and copied, so that nothing can change or throw
 * later.
 *
 * @param name the name of the argument, for messages.
 * @throws {GatehouseError} `InvalidInput`, with `path`, `expected` and `given` in `info`. A text that might be a secret is never
 * quoted.
 */
export function decodeInput<T>(name: string, decode: Decode<T>, value: unknown): T {
  try {
    return decode(value)
  } catch (error) {
    throw isGatehouseError(error) ? error : asRefusal(error).toError(name)
  }
}

/** Accepts any text, even if UTF-8 cannot represent it, for later checks with their own messages. */
export const rawText: Decode<string> = (value) =>
  typeof value === 'string' ? value : refuse('a string', value)

/** Accepts any text that UTF-8 can represent, including the empty one. */
export const anyText: Decode<string> = (given) => {
  const value = rawText(given)
  if (!value.isWellFormed()) throw new Refusal('a string', 'one with a lone surrogate')
  return value
}

/** Accepts a non-empty text. */
export const filledText: Decode<string> = (value) =>
  anyText(value) || refuse('a non-empty string', value)

/** Accepts 1 to `most` characters on one line. Spaces at its ends are dropped. */
export const lineOfText =
  (most: number): Decode<string> =>
  (value) => {
    const text = filledText(value).trim()
    const { length } = [...text]
    return length > 0 && length <= most && !/\p{Cc}/u.test(text)
      ? text
      : refuse(`1 to ${most} characters on one line`, value)
  }

/** Accepts a text that can be the id of a record. */
export const recordId: Decode<string> = (value) =>
  canBeId(rawText(value)) ? rawText(value) : refuse('a valid record id', value)

/** Accepts a boolean. */
export const flag: Decode<boolean> = (value) =>
  typeof value === 'boolean' ? value : refuse('true or false', value)

/** Accepts a finite number from `least` to `most`. */
export function numberFrom(least: number, most: number = Number.POSITIVE_INFINITY): Decode<number> {
  const range =
    most === Number.POSITIVE_INFINITY ? `of at least ${least}` : `from ${least} to ${most}`
  return (value) =>
    typeof value === 'number' && Number.isFinite(value) && value >= least && value <= most
      ? value
      : refuseShown(`a number ${range}`, value)
}

/** Accepts a whole number from `least` to `most`. */
export function wholeFrom(least: number, most: number = Number.MAX_SAFE_INTEGER): Decode<number> {
  const range =
    most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`
  return (value) =>
    typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most
      ? value
      : refuseShown(`a whole number ${range}`, value)
}

/** Accepts one of a few words. */
export function oneOf<const W extends string>(words: readonly W[]): Decode<W> {
  const expected = words.map((word) => `"${word}"`).join(' or ')
  return (value) => words.find((word) => word === value) ?? refuseShown(expected, value)
}

/** Accepts `undefined`, and values for `decode`. */
export function optional<T>(decode: Decode<T>): Decode<T | undefined> {
  return (value) => (value === undefined ? undefined : decode(value))
}

/** Accepts `null`, and values for `decode`. */
export function nullable<T>(decode: Decode<T>): Decode<T | null> {
  return (value) => (value === null ? null : decode(value))
}

const maxItems = 1_000_000

/** Accepts an array. */
export function listOf<T>(decode: Decode<T>): Decode<T[]> {
  return (value) => {
    if (!Array.isArray(value)) return refuse('a list', value)
    const { length } = value
    if (length > maxItems) return refuse(`a list of at most ${maxItems}`, value)
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

/** Accepts a plain object or a `Map` with any names. Every name becomes an own property, even `__proto__`. */
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
  return isPlainObject(value) ? Object.entries(value) : refuse('an object of strings', value)
}

/** Accepts environment variables. `process.env` is not a plain object, so it is not copied. */
export const environmentInput: Decode<Readonly<Record<string, string | undefined>>> = (value) => {
  if (typeof value !== 'object' || value === null) return refuse('an object of strings', value)
  for (const [name, text] of Object.entries(value)) {
    if (text !== undefined && typeof text !== 'string')
      throw new Refusal('a string', typeof text).below(name)
  }
  // Every variable was checked.
  return value as Readonly<Record<string, string | undefined>>
}

/** The decoders of an object's members. Members decoded to `undefined` are left out. */
export type Fields<T> = { readonly [K in keyof T]-?: Decode<T[K] | undefined> }

/** Accepts an object with these members; ignores others, as on the wire. */
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
    // The decoders match the members of T one by one.
    return members as T
  }
}

/**
 * Accepts an object with these members and no others. Use it for options and queries, so that a misspelled key is not silently
 * ignored.
 */
export function exactly<T extends object>(fields: Fields<T>): Decode<T> {
  const decode = objectOf<T>(fields)
  return (value) => {
    const decoded = decode(value)
    refuseOtherKeys(value, fields)
    return decoded
  }
}

/** Refuses an object with a key that `known` does not have. */
export function refuseOtherKeys(value: unknown, known: object): void {
  for (const key of Object.keys(Object(value))) {
    if (Object.hasOwn(known, key)) continue
    const nearest = nearestWord(key, Object.keys(known))
    const expected = nearest === undefined ? 'no such key' : `"${nearest}"`
    throw new Refusal(expected, 'an unknown key').below(key)
  }
}

/** Accepts `true` and `false` for a part that runs or not, and its options. */
export function partOf<T extends object>(options: Decode<T>): Decode<boolean | T> {
  return (value) => (isPlainObject(value) ? options(value) : flag(value))
}

/** Accepts an object whose `type` selects its decoder. */
export function byType<T>(decoders: { readonly [type: string]: Decode<T> }): Decode<T> {
  const type = oneOf(Object.keys(decoders))
  const typed = objectOf<{ type: string }>({ type })
  return (value) => (decoders[typed(value).type] ?? refuse('an object', value))(value)
}

/** Accepts a function. Its parameters and results are trusted. */
export function functionLike<T>(what: string): Decode<T> {
  // Nothing more can be checked.
  return (value) => (typeof value === 'function' ? (value as T) : refuse(what, value))
}

/** Accepts a port that is a function, or an object of optional parts. */
export function functionOrObject<T>(value: unknown): T {
  const isEither = typeof value === 'function' || (typeof value === 'object' && value !== null)
  // More can only be checked when it is called.
  return isEither ? (value as T) : refuse('a function or an object', value)
}

/** Accepts an object with these methods, such as a port. Returns the object itself, not a copy. */
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

/** A storage accepts 100 levels, including those around a value. */
const deepest = 90
const maxValues = 100_000

/** Accepts a value that JSON can represent: no `undefined`, class instances, holes or cycles. */
export const json: Decode<Json> = (value) =>
  jsonWithin<Json>(value, deepest, { left: maxValues, scalar: jsonScalar })

/** A JSON value; an integer that is not exact as a number may be a bigint. */
export type ExactJson =
  | JsonScalar
  | bigint
  | readonly ExactJson[]
  | { readonly [name: string]: ExactJson }

/** Accepts what {@link json} accepts, and bigints. */
export const exactJson: Decode<ExactJson> = (value) =>
  jsonWithin<ExactJson>(value, deepest, {
    left: maxValues,
    scalar: (given) => (typeof given === 'bigint' ? given : jsonScalar(given)),
  })

type JsonScalar = string | number | boolean | null

function jsonScalar(value: unknown): JsonScalar | undefined {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

interface JsonRules<T> {
  /** The total number of values is limited too. Within a depth limit alone, a branching cycle would take practically forever. */
  left: number
  /** Returns `undefined` for any other value. */
  scalar(value: unknown): T | undefined
}

function jsonWithin<T>(
  value: unknown,
  depthLeft: number,
  rules: JsonRules<T>,
): T | readonly T[] | Readonly<Record<string, T>> {
  const scalar = rules.scalar(value)
  if (scalar !== undefined) return scalar
  if (depthLeft === 0) return refuse(`at most ${deepest} levels`, value)
  if (--rules.left < 0) return refuse(`at most ${maxValues} lists and objects`, value)
  // A list or an object of T is a T.
  const inner: Decode<T> = (member) => jsonWithin(member, depthLeft - 1, rules) as T
  if (Array.isArray(value)) return listOf(inner)(value)
  return isPlainObject(value)
    ? recordOf(inner)(withoutUndefined(value))
    : refuse('a JSON value', value)
}

/** Drops `undefined` as `JSON.stringify` does. */
function withoutUndefined(value: object): object {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined))
}

/** Whether a value is a plain object: not a list, function or class instance. */
export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  // Includes objects of another realm, whose prototype is not this realm's Object.prototype.
  return prototype === null || Object.getPrototypeOf(prototype) === null
}
