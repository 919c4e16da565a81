import { byteAt, byteLength, sliceBytes } from '../byte-text.ts'
import { functionFailed } from '../errors.ts'
import { anyParameter, templateFunction, variadicFunction } from '../make-function.ts'
import { integerOf, lengthOf, listOf, mapOf, textOf, typeNameOf } from '../read-value.ts'
import type { Functions, GoMap, Run, Value } from '../value.ts'

/**
 * `len`, `index` and `slice`. For texts they count and cut bytes.
 *
 * @see https://pkg.go.dev/text/template#hdr-Functions
 */
export const indexFunctions: Functions = new Map([
  ['len', templateFunction([anyParameter], ([value]) => lengthFor(value))],
  [
    'index',
    variadicFunction([anyParameter], anyParameter, ([value], indexes) => {
      if (value === null) throw functionFailed('index of untyped nil')
      return indexes.reduce(elementAt, value)
    }),
  ],
  [
    'slice',
    variadicFunction([anyParameter], anyParameter, ([value], bounds, run) =>
      slice(value, bounds, run),
    ),
  ],
])

function lengthFor(value: Value): number {
  if (value === null) {
    throw functionFailed('reflect: call of reflect.Value.Type on zero Value')
  }
  const length = lengthOf(value)
  if (length === undefined) throw functionFailed(`len of type ${typeNameOf(value)}`)
  return length
}

function elementAt(value: Value, index: Value): Value {
  if (value === null) throw functionFailed('index of nil pointer')
  const list = listOf(value)
  if (list !== undefined) {
    const element = list.items[position(index, list.items.length)]
    if (element === undefined) throw functionFailed('reflect: slice index out of range')
    return element
  }
  const text = textOf(value)
  if (text !== undefined) return textElement(text, index)
  const map = mapOf(value)
  if (map === undefined) throw functionFailed(`can't index item of type ${typeNameOf(value)}`)
  return entryOf(map, index)
}

function textElement(text: string, index: Value): Value {
  const byte = byteAt(text, position(index, byteLength(text)))
  if (byte === undefined) throw functionFailed('reflect: string index out of range')
  return { kind: 'number', type: 'uint8', value: byte }
}

function entryOf({ entries, type }: GoMap, key: Value): Value {
  if (key === null) throw functionFailed('value is nil; should be of type string')
  if (typeof key !== 'string') {
    throw functionFailed(`value has type ${typeNameOf(key)}; should be string`)
  }
  return entries.get(key) ?? type.zero
}

/** Converts an index to a number from 0 to `most`. */
function position(index: Value, most: number): number {
  if (index === null) throw functionFailed('cannot index slice/array with nil')
  const number = integerOf(index)
  if (number === undefined) {
    throw functionFailed(`cannot index slice/array with type ${typeNameOf(index)}`)
  }
  if (number < 0 || number > most) throw functionFailed(`index out of range: ${number}`)
  return Number(number)
}

function slice(value: Value, bounds: readonly Value[], run: Run): Value {
  if (value === null) throw functionFailed('slice of untyped nil')
  if (bounds.length > 3) throw functionFailed(`too many slice indexes: ${bounds.length}`)
  const text = textOf(value)
  if (text !== undefined) {
    if (bounds.length === 3) throw functionFailed('cannot 3-index slice a string')
    const [from, to] = range(bounds, byteLength(text))
    const cut = sliceBytes(text, from, to)
    return typeof value === 'string'
      ? cut
      : { kind: 'text', typeName: typeNameOf(value), text: cut }
  }
  const list = listOf(value)
  if (list === undefined) throw functionFailed(`can't slice item of type ${typeNameOf(value)}`)
  const [from, to] = range(bounds, list.items.length)
  run.spend(to - from)
  return { ...list, items: list.items.slice(from, to) }
}

/** The start and end of a slice. The later bounds are optional. */
function range(bounds: readonly Value[], length: number): readonly [number, number] {
  const [from = 0, to = length, capacity = length] = bounds.map((bound) => position(bound, length))
  if (from > to) throw functionFailed(`invalid slice index: ${from} > ${to}`)
  if (to > capacity) throw functionFailed(`invalid slice index: ${to} > ${capacity}`)
  return [from, to]
}
