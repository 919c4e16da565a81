import type {
  GoList,
  GoNumber,
  GoStruct,
  GoText,
  ListType,
  MapType,
  StructType,
  Value,
} from './value.ts'

/** Creates a `float64`, even if the number is whole: `printf "%d"` refuses it. */
export function float(value: number): GoNumber {
  return { kind: 'number', type: 'float64', value }
}

/** Creates an `int64`, which Go uses for seconds and nanoseconds. */
export function int64(value: number | bigint): GoNumber {
  return { kind: 'number', type: 'int64', value }
}

/** Creates a text of a named type, such as `template.HTML`. */
export function typedText(typeName: string, text: string): GoText {
  return { kind: 'text', typeName, text }
}

/** Creates a value with named fields, printed in the given order. */
export function struct(type: StructType, fields: Readonly<Record<string, Value>>): GoStruct {
  return { kind: 'struct', type, fields: new Map(Object.entries(fields)) }
}

const stringsType: ListType = { name: '[]string', element: 'string' }

/** Creates a list of texts (`[]string`), which unlike a plain array is accepted by `join`. */
export function strings(items: readonly string[]): GoList {
  return { kind: 'list', type: stringsType, items }
}

/** The type `map[string]string`. A missing key gives the empty text. */
export const stringMapType: MapType = { name: 'map[string]string', element: 'string', zero: '' }

/**
 * Converts decoded JSON to a value: objects become maps, whole numbers integers, `undefined` becomes nil.
 *
 * @throws {RangeError} if it is nested more than 1,000 deep.
 * @throws {TypeError} if it contains a value that JSON cannot represent.
 */
export function valueFromJson(json: unknown): Value {
  return convert(json, 0)
}

const deepest = 1_000

function convert(json: unknown, depth: number): Value {
  if (depth > deepest) throw new RangeError(`json: nested deeper than ${deepest}`)
  if (json === null || json === undefined) return null
  if (typeof json === 'string' || typeof json === 'boolean' || typeof json === 'number') return json
  if (typeof json !== 'object')
    throw new TypeError(`json: expected a JSON value, got a ${typeof json}`)
  if (Array.isArray(json)) return json.map((item) => convert(item, depth + 1))
  return new Map(Object.entries(json).map(([key, member]) => [key, convert(member, depth + 1)]))
}
