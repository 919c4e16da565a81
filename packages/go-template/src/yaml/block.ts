import {
  type ConfigKind,
  childPlace,
  type DecodePlace,
  isNull,
  mappingEntries,
  problemCount,
  reportCheck,
  reportStructure,
  reportType,
} from './decoder.ts'
import type { YamlMap, YamlValue } from './text.ts'

/** One key of a block. */
export interface BlockField<T> {
  readonly kind: ConfigKind<T>
  /** The value of a missing key (default: the zero value of the kind). */
  readonly default?: T
  /**
   * When the key is written: `set` (default) if the value is not empty, `always`, or `changed` if it is not the default, for keys
   * that older readers do not know.
   */
  readonly print?: 'set' | 'always' | 'changed'
  /** Whether a list or mapping is written on one line. */
  readonly inFlow?: true
}

/** Reports a problem with a block, or with one of its keys. */
export type Report = (message: string, key?: string) => void

/**
 * The complete description of a configuration block: its keys in output order, their kinds and defaults, and the checks of their
 * combination.
 */
export interface BlockTable<T> {
  /** The name of the type in messages, as in the reference. */
  readonly typeName: string
  readonly fields: { readonly [Key in keyof T]-?: BlockField<T[Key]> }
  /** Checks a block after every key decoded. Its first report must be the one that the reference gives. */
  check?(value: T, report: Report, place: DecodePlace): void
  /** Completes a value that passed the checks. */
  complete?(value: T, place: DecodePlace): T
}

/** Turns the table of a block into a kind, so that blocks can nest. */
export function block<T extends object>(table: BlockTable<T>): ConfigKind<T> {
  const fields = fieldsOf(table)
  return {
    typeName: table.typeName,
    zero: build<T>(fields, new Map()),
    decode: (place) => decodeBlock(table, fields, place),
    encode: (value) => encodeBlock(fields, value),
  }
}

type AnyField = BlockField<unknown>
type AnyFields = ReadonlyMap<string, AnyField>

function fieldsOf<T extends object>(table: BlockTable<T>): AnyFields {
  const fields: [string, unknown][] = Object.entries(table.fields)
  // The mapped type of `fields` guarantees that these are fields, whatever T is.
  return new Map(fields as [string, AnyField][])
}

/** Returns the given keys and the defaults of the others, leaving out `undefined`. */
function build<T extends object>(fields: AnyFields, given: ReadonlyMap<string, unknown>): T {
  const value: Record<string, unknown> = {}
  for (const [key, field] of fields) {
    const fallback = 'default' in field ? field.default : field.kind.zero
    const entry = given.has(key) ? given.get(key) : fallback
    if (entry !== undefined) value[key] = entry
  }
  // The table has a field for every key of T, and an optional key has an optional kind.
  return value as T
}

function decodeBlock<T extends object>(
  table: BlockTable<T>,
  fields: AnyFields,
  place: DecodePlace,
): T {
  const { node, decoding } = place
  if (node.kind !== 'mapping') {
    if (!isNull(node)) reportType(place, table.typeName)
    return build<T>(fields, new Map())
  }
  const before = problemCount(decoding)
  const given = new Map<string, unknown>()
  for (const { key, keyPlace, valuePlace, isRepeated } of mappingEntries(place, node)) {
    const field = fields.get(key)
    if (field === undefined) {
      reportStructure(keyPlace, `field ${key} not found in type ${table.typeName}`)
    } else if (isRepeated) {
      reportStructure(keyPlace, `field ${key} already set in type ${table.typeName}`)
    } else {
      const isUnset = isNull(valuePlace.node)
      given.set(key, isUnset ? field.kind.zero : field.kind.decode(valuePlace))
    }
  }
  let value = build<T>(fields, given)
  if (problemCount(decoding) === before) {
    table.check?.(value, (message, key) => reportCheck(keyPlaceOf(place, key), message), place)
  }
  if (problemCount(decoding) === before) value = table.complete?.(value, place) ?? value
  decoding.origins.set(value, place)
  return value
}

/** The place of a key's value in a block, or of the block itself if the key is missing. */
export function keyPlaceOf(place: DecodePlace, key?: string): DecodePlace {
  const { node } = place
  if (key === undefined || node.kind !== 'mapping') return place
  const entry = node.entries.find(
    (candidate) => candidate.key.kind === 'scalar' && candidate.key.text === key,
  )
  return entry === undefined ? place : childPlace(place, entry.value, key)
}

function encodeBlock(fields: AnyFields, value: object): YamlMap {
  const entries = new Map<string, YamlValue>()
  const values = new Map<string, unknown>(Object.entries(value))
  for (const [key, field] of fields) {
    const present = values.get(key)
    const encoded = field.kind.encode(present ?? field.kind.zero)
    if (encoded === undefined || !isPrinted(field, present, encoded)) continue
    entries.set(key, field.inFlow === true ? inFlow(encoded) : encoded)
  }
  return entries
}

function inFlow(value: YamlValue): YamlValue {
  const canBe = typeof value === 'string' || (typeof value === 'object' && value !== null)
  return canBe && !(typeof value === 'object' && 'flow' in value) ? { flow: value } : value
}

function isPrinted(field: AnyField, value: unknown, encoded: YamlValue): boolean {
  if (field.print === 'always') return true
  if (field.print === 'changed' && value === field.default) return false
  return field.kind.isOptional === true ? value !== undefined : !isEmpty(encoded)
}

function isEmpty(value: YamlValue): boolean {
  if (typeof value !== 'object' || value === null) return !value
  if (value instanceof Map) return value.size === 0
  return Array.isArray(value) && value.length === 0
}
