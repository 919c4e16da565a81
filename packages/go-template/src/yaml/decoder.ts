import { isExpectedError } from '../go-error.ts'
import type { DecodeProblem, YamlMapping, YamlNode, YamlScalarNode } from './node.ts'
import { resolveYamlScalar, type YamlScalar } from './scalar.ts'
import type { YamlValue } from './text.ts'

/** A piece of the source text that contains a secret, and the text to show in its place. */
export interface SecretSpan {
  readonly start: number
  readonly end: number
  readonly mask: string
}

/** The state of decoding one document. Created by {@link createDecoding}. */
export interface Decoding {
  /** Structural problems: unknown or duplicate keys, wrong types. Decoding goes on after them. */
  readonly structure: DecodeProblem[]
  /** Invalid values, in the order in which they were found: by position in the document, a block after its contents. */
  readonly checks: DecodeProblem[]
  readonly secrets: SecretSpan[]
  /** The nodes from which blocks were decoded. */
  readonly origins: Map<object, DecodePlace>
  /** The base of relative paths. */
  readonly directory?: string
  /** Resolves the references in secrets and URLs (default: they are ordinary text). */
  readonly expand?: Expand
}

/** Returns a text with its references resolved; `undefined` if it has none. */
export type Expand = (written: string) => Expanded | undefined

/** The value of a text with references, the problems with them, or nothing where they are not looked up. */
export type Expanded =
  | { readonly value: string }
  | { readonly problems: readonly string[] }
  | { readonly isUnknown: true }

/** Options of {@link createDecoding}. */
export type DecodingOptions = Pick<Decoding, 'directory' | 'expand'>

/** Creates the state for decoding a document. */
export function createDecoding(options: DecodingOptions = {}): Decoding {
  return { structure: [], checks: [], secrets: [], origins: new Map(), ...options }
}

/** A node that is being decoded. */
export interface DecodePlace {
  readonly decoding: Decoding
  readonly node: YamlNode
  /** As in {@link DecodeProblem}. */
  readonly path: string
}

/**
 * Reads one kind of value from YAML and writes it back. Decoding never throws for user input: it reports a problem and returns
 * the zero value.
 */
export interface ConfigKind<T> {
  /** The name of the type in messages, as in the reference. */
  readonly typeName: string
  decode(place: DecodePlace): T
  /** The value for null, and for input that could not be decoded. */
  readonly zero: T
  encode(value: T): YamlValue | undefined
  /** Whether any value that is present is written. Otherwise empty values are left out. */
  readonly isOptional?: true
}

/** The place of a node below another one. */
export function childPlace(place: DecodePlace, node: YamlNode, key: string | number): DecodePlace {
  const step = typeof key === 'number' ? `[${key}]` : place.path === '' ? key : `.${key}`
  return { decoding: place.decoding, node, path: place.path + step }
}

/** The number of problems so far. */
export function problemCount({ structure, checks }: Decoding): number {
  return structure.length + checks.length
}

function problemAt({ node, path }: DecodePlace, message: string): DecodeProblem {
  return { path, line: node.line, column: node.column, message }
}

/** Reports an invalid value. */
export function reportCheck(place: DecodePlace, message: string): void {
  place.decoding.checks.push(problemAt(place, message))
}

/** Reports a structural problem. The message is shown after `line N: `. */
export function reportStructure(place: DecodePlace, message: string): void {
  place.decoding.structure.push(problemAt(place, message))
}

/** Reports a node of the wrong type. `hint` follows the message. */
export function reportType(place: DecodePlace, typeName: string, hint = ''): void {
  reportStructure(place, `cannot unmarshal ${describeNode(place.node)} into ${typeName}${hint}`)
}

function describeNode(node: YamlNode): string {
  if (node.kind === 'mapping') return '!!map'
  if (node.kind === 'sequence') return '!!seq'
  const bytes = new TextEncoder().encode(node.text)
  const short =
    bytes.length > 10 ? `${new TextDecoder().decode(bytes.subarray(0, 7))}...` : node.text
  return `${node.tag ?? resolveScalar(node).tag} \`${short}\``
}

/** The value of a scalar: by its tag, else a text if it is quoted, else by its form. */
export function resolveScalar(node: YamlScalarNode): YamlScalar {
  const { tag, text, isPlain } = node
  if (tag === '!!binary') return { tag, value: textOfBinary(text) ?? text }
  const isText = tag === undefined ? !isPlain : !/^!!(?:int|float|bool|null)$/.test(tag)
  if (isText) return { tag: '!!str', value: text }
  const scalar = resolveYamlScalar(text)
  const isFloat = tag === '!!float' && scalar.tag === '!!int'
  return isFloat ? { tag, value: Number(scalar.value) } : scalar
}

/** The text that `!!binary` encodes; `undefined` if it is not base64. */
function textOfBinary(text: string): string | undefined {
  const digits = text.replace(/[\r\n]/g, '')
  const isBase64 = /^(?:[\w+/]{4})*(?:[\w+/]{2}==|[\w+/]{3}=)?$/.test(digits)
  return isBase64 && !digits.includes('_') ? Buffer.from(digits, 'base64').toString() : undefined
}

/** The text of a scalar: its source text, decoded if it is `!!binary`. Reports a problem if that is not possible. */
export function scalarText(place: DecodePlace, { tag, text }: YamlScalarNode): string {
  if (tag !== '!!binary') return text
  const decoded = textOfBinary(text)
  if (decoded === undefined) {
    reportCheck(place, 'yaml: !!binary value contains invalid base64 data')
  }
  return decoded ?? ''
}

/** Whether the node is null: `~`, `null` or nothing at all. */
export function isNull(node: YamlNode): boolean {
  return node.kind === 'scalar' && resolveScalar(node).tag === '!!null'
}

/** Runs a parser. If it throws an expected error, reports that as a problem at `place`. */
export function decodeWith<T>(place: DecodePlace, parse: () => T, zero: T): T {
  try {
    return parse()
  } catch (error) {
    if (!isExpectedError(error)) throw error
    reportCheck(place, error.message)
    return zero
  }
}

/** An entry of a mapping after merge keys are applied. */
export interface MappingEntry {
  readonly key: string
  readonly keyPlace: DecodePlace
  readonly valuePlace: DecodePlace
  /** Whether the same mapping already had this key. */
  readonly isRepeated: boolean
}

/** The entries of a mapping in document order. Entries of merged mappings take the position of the merge key. */
export function mappingEntries(place: DecodePlace, node: YamlMapping): readonly MappingEntry[] {
  const entries: MappingEntry[] = []
  collectEntries(place, node, entries, new Set([node]))
  return entries
}

function collectEntries(
  place: DecodePlace,
  node: YamlMapping,
  entries: MappingEntry[],
  open: Set<YamlNode>,
): void {
  const seen = new Set<string>()
  for (const { key: keyNode, value } of node.entries) {
    if (isMergeKey(keyNode)) {
      for (const merged of mergedMappings(place, value)) {
        if (open.has(merged)) continue
        open.add(merged)
        collectEntries(place, merged, entries, open)
        open.delete(merged)
      }
      continue
    }
    const key = readKey({ ...place, node: keyNode })
    if (key === undefined) continue
    const valuePlace = childPlace(place, value, key)
    const keyPlace = { ...valuePlace, node: keyNode }
    entries.push({ key, keyPlace, valuePlace, isRepeated: seen.has(key) })
    seen.add(key)
  }
}

function isMergeKey(node: YamlNode): boolean {
  if (node.kind !== 'scalar' || node.text !== '<<') return false
  return node.tag === undefined ? node.isPlain : node.tag === '!!merge'
}

function mergedMappings(place: DecodePlace, node: YamlNode): readonly YamlMapping[] {
  if (node.kind === 'mapping') return [node]
  // The first of several mappings wins, so it is applied last.
  const items = node.kind === 'sequence' ? node.items.toReversed() : [node]
  const mappings = items.filter((item) => item.kind === 'mapping')
  if (mappings.length < items.length) {
    reportCheck({ ...place, node }, 'yaml: map merge requires map or sequence of maps as the value')
  }
  return mappings
}

function readKey(place: DecodePlace): string | undefined {
  const { node } = place
  if (node.kind === 'scalar') return isNull(node) ? '' : scalarText(place, node)
  reportType(place, 'string')
  return undefined
}
