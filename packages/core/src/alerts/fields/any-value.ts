import {
  type ConfigKind,
  compareYamlKeys,
  type DecodePlace,
  mappingEntries,
  resolveScalar,
  scalarText,
  type WholeNumber,
  type YamlValue,
} from '@gatehouse/go-template/yaml'

/** A value of any shape, for fields whose strings are templates. */
export type AnyValue =
  | string
  | WholeNumber
  | boolean
  | null
  | readonly AnyValue[]
  | ReadonlyMap<string, AnyValue>

/** Any YAML value; an unquoted scalar has the type that YAML gives it. */
export const anyValue: ConfigKind<AnyValue> = {
  typeName: 'interface {}',
  zero: null,
  decode: decodeAny,
  encode: encodeAny,
}

function decodeAny(place: DecodePlace): AnyValue {
  const { node } = place
  if (node.kind === 'scalar') {
    const { tag, value } = resolveScalar(node)
    return tag === '!!binary' ? scalarText(place, node) : value
  }
  if (node.kind === 'sequence') return node.items.map((item) => decodeAny({ ...place, node: item }))
  const entries = mappingEntries(place, node)
  return new Map(entries.map(({ key, valuePlace }) => [key, decodeAny(valuePlace)]))
}

function encodeAny(value: AnyValue): YamlValue {
  if (typeof value !== 'object' || value === null) return value
  if (isList(value)) return value.map(encodeAny)
  const sorted = [...value].sort(([a], [b]) => compareYamlKeys(a, b))
  return new Map(sorted.map(([key, item]) => [key, encodeAny(item)]))
}

function isList(
  value: readonly AnyValue[] | ReadonlyMap<string, AnyValue>,
): value is readonly AnyValue[] {
  return Array.isArray(value)
}
