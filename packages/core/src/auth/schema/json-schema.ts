import { parseUrl } from '../../http/parse-url.ts'
import { instant } from '../../input/instant.ts'
import { isJsonObject, type Json } from '../../storage/storage.ts'
import type { ValidationCause } from '../errors.ts'

/** A scalar value. */
type Plain = string | number | boolean | null

type JsonType = 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean' | 'null'

/** A schema of a JSON value: the part of JSON Schema that the protocol's errors use. */
export interface JsonSchema {
  readonly type?: JsonType
  readonly required?: readonly string[]
  readonly properties?: { readonly [name: string]: JsonSchema }
  readonly items?: JsonSchema
  readonly const?: Plain
  readonly enum?: readonly Plain[]
  readonly format?: keyof typeof formats
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly minimum?: number
  readonly maximum?: number
  /** At least one element must match. */
  readonly contains?: JsonSchema
  readonly allOf?: readonly JsonSchema[]
  /** At least one must match. */
  readonly anyOf?: readonly JsonSchema[]
  /** Exactly one must match. */
  readonly oneOf?: readonly JsonSchema[]
}

const formats = {
  /** An absolute URI. */
  uri: (text: string): boolean => /^[a-z][a-z0-9+.-]*:/i.test(text) && parseUrl(text) !== undefined,
  /** An instant as operations take it. */
  'date-time': (text: string): boolean => {
    try {
      instant(text)
      return true
    } catch {
      return false
    }
  },
}

/** The limit on the parts of a client's input in an error: causes of one list, names, characters of one string. */
const maxCauses = 100
const maxNames = 100
const maxTextLength = 200

/**
 * Validates a value. The causes are sorted by location. They are the innermost ones: a part that fails because of its members is
 * not listed, only these members.
 *
 * @see Authgear, `ValidationFailed`
 */
export function validateJson(schema: JsonSchema, value: Json): readonly ValidationCause[] {
  const causes = check(schema, value, '')
  return causes.sort((a, b) => (a.location < b.location ? -1 : Number(a.location > b.location)))
}

/** Whether a value matches a schema. */
export function fits(schema: JsonSchema, value: Json): boolean {
  return check(schema, value, '').length === 0
}

function check(schema: JsonSchema, value: Json, location: string): ValidationCause[] {
  const cause = (kind: string, details: { readonly [name: string]: Json }): ValidationCause => ({
    location,
    kind,
    details,
  })
  if (schema.type !== undefined && !typesOf(value).includes(schema.type)) {
    return [cause('type', { expected: [schema.type], actual: typesOf(value) })]
  }
  const causes: ValidationCause[] = []
  if (schema.const !== undefined && !isEqual(schema.const, value)) {
    causes.push(cause('const', { expected: schema.const, ...actualOf(value) }))
  }
  if (schema.enum !== undefined && !schema.enum.some((one) => isEqual(one, value))) {
    causes.push(cause('enum', { expected: schema.enum, ...actualOf(value) }))
  }
  if (typeof value === 'string') causes.push(...checkText(schema, value, cause))
  if (typeof value === 'number') causes.push(...checkNumber(schema, value, cause))
  if (Array.isArray(value)) causes.push(...checkArray(schema, value, location, cause))
  else if (isJsonObject(value)) causes.push(...checkObject(schema, value, location, cause))
  for (const part of schema.allOf ?? []) causes.push(...check(part, value, location))
  if (schema.anyOf !== undefined) causes.push(...checkAnyOf(schema.anyOf, value, location))
  if (schema.oneOf !== undefined) causes.push(...checkOneOf(schema.oneOf, value, location))
  return causes
}

type MakeCause = (kind: string, details: { readonly [name: string]: Json }) => ValidationCause

/** The value for an error; omitted if it is large or has members. */
function actualOf(value: Json): { readonly actual?: Json } {
  const isLarge = typeof value === 'string' && value.length > maxTextLength
  return isLarge || (typeof value === 'object' && value !== null) ? {} : { actual: value }
}

function checkText(schema: JsonSchema, text: string, cause: MakeCause): ValidationCause[] {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, format } = schema
  const causes: ValidationCause[] = []
  const length = lengthOf(text)
  if (length < minLength) causes.push(cause('minLength', { expected: minLength, actual: length }))
  if (length > maxLength) causes.push(cause('maxLength', { expected: maxLength, actual: length }))
  if (format !== undefined && !formats[format](text)) causes.push(cause('format', { format }))
  return causes
}

/** In code points. */
function lengthOf(text: string): number {
  let length = 0
  for (const _ of text) length++
  return length
}

function checkNumber(schema: JsonSchema, value: number, cause: MakeCause): ValidationCause[] {
  const { minimum, maximum } = schema
  const causes: ValidationCause[] = []
  if (minimum !== undefined && value < minimum) {
    causes.push(cause('minimum', { minimum, actual: value }))
  }
  if (maximum !== undefined && value > maximum) {
    causes.push(cause('maximum', { maximum, actual: value }))
  }
  return causes
}

function checkArray(
  schema: JsonSchema,
  items: readonly Json[],
  location: string,
  cause: MakeCause,
): ValidationCause[] {
  const { minItems, maxItems, contains } = schema
  const actual = items.length
  // The elements of a list that is too long are not checked.
  if (maxItems !== undefined && actual > maxItems) {
    return [cause('maxItems', { expected: maxItems, actual })]
  }
  const causes: ValidationCause[] = []
  if (minItems !== undefined && actual < minItems) {
    causes.push(cause('minItems', { expected: minItems, actual }))
  }
  const { items: each } = schema
  if (each !== undefined) {
    for (const [index, item] of items.entries()) {
      if (causes.length >= maxCauses) break
      causes.push(...check(each, item, `${location}/${index}`))
    }
  }
  if (contains !== undefined && !items.some((item) => fits(contains, item))) {
    causes.push(cause('contains', { actual: 0, min: 1 }))
  }
  return causes
}

function checkObject(
  schema: JsonSchema,
  value: { readonly [name: string]: Json },
  location: string,
  cause: MakeCause,
): ValidationCause[] {
  const causes: ValidationCause[] = []
  const { required = [], properties = {} } = schema
  const missing = required.filter((name) => !Object.hasOwn(value, name))
  if (missing.length > 0) {
    causes.push(
      cause('required', {
        actual: toldNames(value),
        expected: [...required].sort(),
        missing: missing.sort(),
      }),
    )
  }
  for (const [name, property] of Object.entries(properties)) {
    if (!Object.hasOwn(value, name)) continue
    causes.push(...check(property, value[name] ?? null, `${location}/${escapePointer(name)}`))
  }
  return causes
}

function toldNames(value: object): readonly string[] {
  const names = Object.keys(value).filter((name) => name.length <= maxTextLength)
  return names.slice(0, maxNames).sort()
}

function checkOneOf(
  branches: readonly JsonSchema[],
  value: Json,
  location: string,
): ValidationCause[] {
  const found = branches.map((branch) => check(branch, value, location))
  const fitting = found.filter((causes) => causes.length === 0).length
  if (fitting === 1) return []
  return fitting === 0 && found.length > 0 ? found.flat() : [{ location, kind: 'oneOf' }]
}

function typesOf(value: Json): JsonType[] {
  if (value === null) return ['null']
  if (Array.isArray(value)) return ['array']
  if (typeof value === 'number') return Number.isInteger(value) ? ['integer', 'number'] : ['number']
  return [typeof value as 'string' | 'boolean' | 'object']
}

/** Schemas hold only scalars, and objects or lists from a client equal none of them. */
function isEqual(one: Json, other: Json): boolean {
  return one === other
}

function escapePointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}

function checkAnyOf(
  branches: readonly JsonSchema[],
  value: Json,
  location: string,
): ValidationCause[] {
  const found = branches.map((branch) => check(branch, value, location))
  return found.some((causes) => causes.length === 0) ? [] : found.flat()
}
