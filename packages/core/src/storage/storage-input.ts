import type { Collection, FieldType, Json, Query, Write } from './storage.ts'

const collectionPattern = /^[a-z][a-z0-9_]{0,39}$/
const fieldPattern = /^[a-zA-Z][a-zA-Z0-9_]{0,39}$/

/** Characters that a key cannot hold because databases cannot: NUL and lone surrogates. */
const unfitPattern = /[\0\p{Surrogate}]/u
const loneSurrogates = /\p{Surrogate}/gu

const maxIdBytes = 512
/** PostgreSQL limits an index entry to 2,704 bytes, including the id. */
const maxTextKeyBytes = 1_024
const maxDepth = 100
const maxLimit = 10_000

/**
 * Checks the declaration of a collection. Stores call it before a name becomes a table name.
 *
 * @param known the collection that the store already has under this name.
 * @throws {TypeError} if the name or a field is not valid, or `known` was declared differently.
 */
export function checkCollection(collection: Collection, known?: Collection): void {
  const { name, fields } = collection
  if (!collectionPattern.test(name)) throw new TypeError(`"${name}" is not a valid collection name`)
  const seen = new Set<string>(['id'])
  for (const [field, type] of Object.entries(fields)) {
    if (!fieldPattern.test(field) || seen.has(field.toLowerCase())) {
      throw new TypeError(`"${field}" is not a valid field name of ${name}, or is already used`)
    }
    if (type !== 'text' && type !== 'number') {
      throw new TypeError(`the field "${field}" of ${name} must be text or number`)
    }
    seen.add(field.toLowerCase())
  }
  if (known !== undefined && describe(known) !== describe(collection)) {
    throw new TypeError(`two collections are named ${name}, but have different fields or feeds`)
  }
}

const describe = ({ fields, feed }: Collection): string =>
  JSON.stringify([feed, Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1))])

/**
 * Checks the arguments of {@link Storage.commit}, except its collections. Stores call it before anything is written.
 *
 * @throws {TypeError} for each reason that the method names.
 */
export function checkWrites(writes: readonly Write[]): void {
  const taken = new Map<string, Set<string>>()
  for (const write of writes) {
    const { collection, id } = write
    if (!canBeId(id)) throw new TypeError(`a record of ${collection.name} cannot have this id`)
    if (writes.length > 1) {
      const ids = taken.get(collection.name) ?? new Set()
      if (ids.has(id))
        throw new TypeError(`two writes name the record "${id}" of ${collection.name}`)
      taken.set(collection.name, ids.add(id))
    }
    if ('check' in write || write.value === undefined) continue
    checkValue(write)
    if (write.expiresAt !== undefined && !Number.isFinite(write.expiresAt)) {
      throw new TypeError(`expiresAt of "${id}" of ${collection.name} must be an instant`)
    }
  }
}

/** Whether a text can be the id of a record. */
export function canBeId(id: unknown): id is string {
  return typeof id === 'string' && id !== '' && !unfitPattern.test(id) && fits(id, maxIdBytes)
}

/** Whether a text has at most this many bytes in UTF-8. */
function fits(text: string, maxBytes: number): boolean {
  if (text.length * 3 <= maxBytes) return true
  return text.length <= maxBytes && new TextEncoder().encode(text).length <= maxBytes
}

function checkValue({ collection, id, value, changed }: PutWrite): void {
  // Properties that did not change were checked when they were written.
  const isValid =
    changed === undefined ? isJson(value, maxDepth) : areJsonProperties(value, changed)
  if (!isValid) throw new TypeError(`the value of "${id}" of ${collection.name} must be JSON`)
  for (const field in collection.fields) {
    const key = propertyOf(value, field)
    if (key === undefined || key === null) continue
    const type = collection.fields[field]
    const fits = type === 'number' ? isNumberKey(key) : isTextKey(key)
    if (!fits)
      throw new TypeError(`"${field}" of "${id}" of ${collection.name} must be a valid ${type} key`)
  }
}

type PutWrite = Extract<Write, { readonly value: Json }>

const isTextKey = (key: Json): boolean =>
  typeof key === 'string' && !unfitPattern.test(key) && fits(key, maxTextKeyBytes)

/** Beyond that, databases read a JSON number as a whole number that JavaScript cannot represent. */
const isNumberKey = (key: Json): boolean =>
  typeof key === 'number' && Math.abs(key) <= Number.MAX_SAFE_INTEGER

/** Runs for every value written: `for in` takes half the time of `Object.keys`. */
function isJson(value: unknown, depthLeft: number): boolean {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return true
    case 'number':
      return Number.isFinite(value)
    case 'object':
      break
    default:
      return false
  }
  if (value === null) return true
  if (depthLeft === 0) return false
  if (Array.isArray(value)) return areJson(value, depthLeft - 1)
  const prototype: unknown = Object.getPrototypeOf(value)
  // A plain object, also from another realm, but not a Date, a Map or a class instance.
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) return false
  const properties = value as Readonly<Record<string, unknown>>
  for (const name in properties) {
    const property = properties[name]
    if (property !== undefined && !isJson(property, depthLeft - 1)) return false
  }
  return true
}

function areJsonProperties(value: Json, names: readonly string[]): boolean {
  if (typeof value !== 'object' || value === null) return isJson(value, maxDepth)
  const properties = value as Readonly<Record<string, unknown>>
  for (const name of names) {
    const property = properties[name]
    if (property !== undefined && !isJson(property, maxDepth - 1)) return false
  }
  return true
}

/** Not `every`, which skips holes that JSON would turn into null. */
function areJson(items: readonly unknown[], depthLeft: number): boolean {
  for (let index = 0; index < items.length; index++) {
    if (!isJson(items[index], depthLeft)) return false
  }
  return true
}

function propertyOf(value: Json, name: string): Json | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  return Object.hasOwn(value, name) ? (value as { [key: string]: Json })[name] : undefined
}

/** The key of a value in a declared field, or `undefined` if it has none. For stores. */
export function fieldKey(value: Json, field: string): string | number | undefined {
  const key = propertyOf(value, field)
  return typeof key === 'string' || typeof key === 'number' ? key : undefined
}

/**
 * Checks a query and normalizes its texts for comparison. Stores call it before anything is read.
 *
 * @throws {TypeError} for each reason that {@link Storage.find} names.
 */
export function checkQuery(collection: Collection, query: Query): Query {
  const { by, limit, equals, from, to, after, order = 'asc' } = query
  const type = by === 'id' ? 'text' : Object.hasOwn(collection.fields, by) && collection.fields[by]
  if (!type) throw new TypeError(`${collection.name} cannot be searched by "${by}"`)
  if (!Number.isInteger(limit) || limit < 1 || limit > maxLimit) {
    throw new TypeError(`limit must be a whole number from 1 to ${maxLimit}, got ${limit}`)
  }
  if (order !== 'asc' && order !== 'desc') throw new TypeError('order must be asc or desc')
  if (equals !== undefined && (from !== undefined || to !== undefined)) {
    throw new TypeError('equals cannot be combined with from or to')
  }
  if (equals !== undefined && after !== undefined && after.key !== equals) {
    throw new TypeError('the key of after must equal equals')
  }
  const key = (given: string | number): string | number => compareKey(type, given)
  return {
    by,
    limit,
    order,
    ...(equals === undefined ? {} : { equals: key(equals) }),
    ...(from === undefined ? {} : { from: key(from) }),
    ...(to === undefined ? {} : { to: key(to) }),
    ...(after === undefined
      ? {}
      : { after: { key: key(after.key), id: String(compareKey('text', after.id)) } }),
  }
}

function compareKey(type: FieldType, key: string | number): string | number {
  if (type === 'number' && typeof key === 'number' && !Number.isNaN(key)) return key
  if (type === 'text' && typeof key === 'string') return key.replace(loneSurrogates, '\ufffd')
  throw new TypeError(`the key must be a ${type}`)
}

/** The error of {@link Storage.changes} for a collection without a feed. For stores. */
export const withoutFeed = ({ name }: Collection): TypeError =>
  new TypeError(`${name} has no change feed`)
