import { compareBytes } from '../crypto/byte-order.ts'
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

/** What sort of value it is, whatever its type is called. */
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

// The guards of the language do not narrow to types that are read-only.
const isPlainList = (value: object): value is readonly Value[] => Array.isArray(value)
const isPlainMap = (value: object): value is ReadonlyMap<string, Value> => value instanceof Map

/** The values that say themselves what they are. */
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

/** The name of a value's type, as Go writes it. */
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

/** A whole number, of whatever type; `undefined` for every other value. */
export function integerOf(value: Value): number | bigint | undefined {
  if (typeof value === 'bigint') return value
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : undefined
  const own = ownKind(value)
  if (own?.kind === 'number') return own.type === 'float64' ? undefined : own.value
  return own?.kind === 'object' ? own.integer : undefined
}

/** A `float64`; `undefined` for every other value. */
export function floatOf(value: Value): number | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? undefined : value
  const own = ownKind(value)
  return own?.kind === 'number' && own.type === 'float64' ? Number(own.value) : undefined
}

/** A text, of whatever type; `undefined` for every other value. */
export function textOf(value: Value): string | undefined {
  if (typeof value === 'string') return value
  const own = ownKind(value)
  return own?.kind === 'text' ? own.text : undefined
}

/** A list, of whatever type; `undefined` for every other value. */
export function listOf(value: Value): GoList | undefined {
  if (typeof value !== 'object' || value === null || isPlainMap(value)) return undefined
  if (isPlainList(value)) return { kind: 'list', type: anyListType, items: value }
  return value.kind === 'list' ? value : undefined
}

/** A map, of whatever type; `undefined` for every other value. */
export function mapOf(value: Value): GoMap | undefined {
  if (typeof value !== 'object' || value === null || isPlainList(value)) return undefined
  if (isPlainMap(value)) return { kind: 'map', type: anyMapType, entries: value }
  return value.kind === 'map' ? value : undefined
}

/** A struct; `undefined` for every other value. */
export function structOf(value: Value): GoStruct | undefined {
  const own = ownKind(value)
  return own?.kind === 'struct' ? own : undefined
}

/** A value that knows by itself what may be done with it; `undefined` for every other value. */
export function objectOf(value: Value): GoObject | undefined {
  const own = ownKind(value)
  return own?.kind === 'object' ? own : undefined
}

/** A function; `undefined` for every other value. */
export function functionOf(value: Value): GoFunction | undefined {
  const own = ownKind(value)
  return own?.kind === 'function' ? own : undefined
}

/** The entries of a map in the order of their keys' bytes. */
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

/** How many elements a list or map has, or bytes a text; `undefined` for every other value. */
export function lengthOf(value: Value): number | undefined {
  const text = textOf(value)
  if (text !== undefined) return byteLength(text)
  return listOf(value)?.items.length ?? mapOf(value)?.entries.size
}

/** Whether `if` takes a value for true: it is neither nil, nor false, nor zero, nor empty. */
export function isTrue(value: Value): boolean {
  if (typeof value === 'string') return value !== ''
  if (typeof value === 'boolean') return value
  if (value === null) return false
  const number = integerOf(value) ?? floatOf(value)
  // NaN is true, as it is not zero.
  if (number !== undefined) return number !== 0 && number !== 0n
  if (textOf(value) === '') return false
  return (listOf(value)?.items.length ?? mapOf(value)?.entries.size) !== 0
}

/** The method of a value that has this name, bound to it. */
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

/** The text of a value that has its own way to be printed. */
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
