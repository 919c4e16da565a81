import { compareBytes } from '../text/byte-order.ts'
import { byteLength } from './byte-text.ts'
import type {
  GoFunction,
  GoList,
  GoMap,
  GoObject,
  GoStruct,
  TemplateFunction,
  Value,
} from './value.ts'

/** The kind of a value, independent of the name of its type. */
export type Kind =
  | 'nil'
  | 'bool'
  | 'int'
  | 'uint'
  | 'float'
  | 'string'
  | 'list'
  | 'map'
  | 'struct'
  | 'function'

/** The type of plain arrays. */
const anyListType = { name: '[]interface {}', element: 'interface {}' } as const
/** The type of plain maps. */
const anyMapType = { name: 'map[string]interface {}', element: 'interface {}', zero: null } as const

// The language's type guards do not narrow to read-only types.
const isPlainList = (value: object): value is readonly Value[] => Array.isArray(value)
const isPlainMap = (value: object): value is ReadonlyMap<string, Value> => value instanceof Map

/** The values that carry their kind. */
type OwnKind = Extract<Value, { readonly kind: string }>

function ownKind(value: Value): OwnKind | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  return isPlainList(value) || isPlainMap(value) ? undefined : value
}

/** The kind of a value. */
export function kindOf(value: Value): Kind {
  if (value === null) return 'nil'
  switch (typeof value) {
    case 'string':
      return 'string'
    case 'boolean':
      return 'bool'
    case 'bigint':
      return 'int'
    case 'number':
      return Number.isSafeInteger(value) ? 'int' : 'float'
    default:
      return kindOfObject(value)
  }
}

function kindOfObject(value: Exclude<Value, null | string | boolean | number | bigint>): Kind {
  if (isPlainList(value)) return 'list'
  if (isPlainMap(value)) return 'map'
  switch (value.kind) {
    case 'number':
      if (value.type === 'float64') return 'float'
      return value.type.startsWith('u') ? 'uint' : 'int'
    case 'text':
      return 'string'
    case 'object':
      return value.integer === undefined ? 'struct' : 'int'
    default:
      return value.kind
  }
}

/** The name of a value's type in Go. */
export function typeNameOf(value: Value): string {
  if (value === null) return '<nil>'
  switch (typeof value) {
    case 'string':
      return 'string'
    case 'boolean':
      return 'bool'
    case 'bigint':
      return 'int'
    case 'number':
      return Number.isSafeInteger(value) ? 'int' : 'float64'
    default:
      break
  }
  if (isPlainList(value)) return anyListType.name
  if (isPlainMap(value)) return anyMapType.name
  switch (value.kind) {
    case 'number':
      return value.type
    case 'list':
    case 'map':
    case 'struct':
      return value.type.name
    default:
      return value.typeName
  }
}

/** The value as a whole number of any type; `undefined` for other values. */
export function integerOf(value: Value): number | bigint | undefined {
  if (typeof value === 'bigint') return value
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : undefined
  const own = ownKind(value)
  if (own?.kind === 'number') return own.type === 'float64' ? undefined : own.value
  return own?.kind === 'object' ? own.integer : undefined
}

/** The value as a `float64`; `undefined` for other values. */
export function floatOf(value: Value): number | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? undefined : value
  const own = ownKind(value)
  return own?.kind === 'number' && own.type === 'float64' ? Number(own.value) : undefined
}

/** The value as a text of any type; `undefined` for other values. */
export function textOf(value: Value): string | undefined {
  if (typeof value === 'string') return value
  const own = ownKind(value)
  return own?.kind === 'text' ? own.text : undefined
}

/** The value as a list of any type; `undefined` for other values. */
export function listOf(value: Value): GoList | undefined {
  if (typeof value !== 'object' || value === null || isPlainMap(value)) return undefined
  if (isPlainList(value)) return { kind: 'list', type: anyListType, items: value }
  return value.kind === 'list' ? value : undefined
}

/** The value as a map of any type; `undefined` for other values. */
export function mapOf(value: Value): GoMap | undefined {
  if (typeof value !== 'object' || value === null || isPlainList(value)) return undefined
  if (isPlainMap(value)) return { kind: 'map', type: anyMapType, entries: value }
  return value.kind === 'map' ? value : undefined
}

/** The value as a struct; `undefined` for other values. */
export function structOf(value: Value): GoStruct | undefined {
  const own = ownKind(value)
  return own?.kind === 'struct' ? own : undefined
}

/** The value as an object with its own behaviour; `undefined` for other values. */
export function objectOf(value: Value): GoObject | undefined {
  const own = ownKind(value)
  return own?.kind === 'object' ? own : undefined
}

/** The value as a function; `undefined` for other values. */
export function functionOf(value: Value): GoFunction | undefined {
  const own = ownKind(value)
  return own?.kind === 'function' ? own : undefined
}

/** The entries of a map, sorted by the bytes of their keys. */
export function sortedEntries({ entries }: GoMap): Iterable<readonly [string, Value]> {
  let previous: string | undefined
  for (const key of entries.keys()) {
    if (previous !== undefined && compareBytes(previous, key) > 0) {
      return Array.from(entries).sort((a, b) => compareBytes(a[0], b[0]))
    }
    previous = key
  }
  return entries
}

/** The number of elements of a list or map, or of bytes of a text; `undefined` for other values. */
export function lengthOf(value: Value): number | undefined {
  const text = textOf(value)
  if (text !== undefined) return byteLength(text)
  return listOf(value)?.items.length ?? mapOf(value)?.entries.size
}

/** Whether a value is true for `if`: not nil, false, zero or empty. */
export function isTrue(value: Value): boolean {
  if (typeof value === 'string') return value !== ''
  if (typeof value === 'boolean') return value
  if (value === null) return false
  const number = integerOf(value) ?? floatOf(value)
  // NaN is true, because it is not zero.
  if (number !== undefined) return number !== 0 && number !== 0n
  if (textOf(value) === '') return false
  return (listOf(value)?.items.length ?? mapOf(value)?.entries.size) !== 0
}

/** The method of a value with this name, bound to it. */
export function methodOf(value: Value, name: string): TemplateFunction | undefined {
  const own = ownKind(value)
  switch (own?.kind) {
    case 'list':
      return own.type.methods?.get(name)?.(own)
    case 'map':
      return own.type.methods?.get(name)?.(own)
    case 'struct':
      return own.type.methods?.get(name)?.(own)
    case 'object':
      return own.method(name)
    default:
      return undefined
  }
}

/** The text of a value that has its own format. */
export function ownTextOf(value: Value): string | undefined {
  const own = ownKind(value)
  switch (own?.kind) {
    case 'list':
      return own.type.toText?.(own)
    case 'map':
      return own.type.toText?.(own)
    case 'struct':
      return own.type.toText?.(own)
    case 'object':
      return own.toText()
    default:
      return undefined
  }
}
