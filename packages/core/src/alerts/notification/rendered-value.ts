import { compareBytes } from '@gatehouse/go-template/text'
import {
  createDecoding,
  type DecodePlace,
  mappingEntries,
  problemCount,
  resolveScalar,
  scalarText,
  type WholeNumber,
} from '@gatehouse/go-template/yaml'
import { type ConfigNode, parseConfigDocument } from '../../document/config-document.ts'
import { GatehouseError, isGatehouseError } from '../../errors.ts'
import type { AnyValue } from '../fields/any-value.ts'

/** A JSON value. Integers keep all their digits. */
export type RenderedValue =
  | string
  | WholeNumber
  | boolean
  | null
  | readonly RenderedValue[]
  | RenderedObject

/** Names are in byte order, except integers, which come first. */
export interface RenderedObject {
  readonly [name: string]: RenderedValue
}

/**
 * Renders every string in a configured value of any shape, including names. A rendered string that is YAML of another type
 * becomes that value: `{{ len .Alerts }}` a number, `{{ toJson .Alerts }}` a list.
 *
 * @param render turns a template into text.
 * @throws the errors of `render`.
 * @throws {GatehouseError} `UnwritableNumber` for `.inf` and `.nan`, which JSON does not have.
 * @see Alertmanager configuration, `payload` of `<webhook_config>`
 */
export function renderedValue(
  value: ReadonlyMap<string, AnyValue>,
  render: (template: string) => string,
): RenderedObject
export function renderedValue(value: AnyValue, render: (template: string) => string): RenderedValue
export function renderedValue(
  value: AnyValue,
  render: (template: string) => string,
): RenderedValue {
  if (typeof value === 'string') return readText(render(value))
  if (typeof value === 'number') return writable(value)
  if (typeof value !== 'object' || value === null) return value
  if (isMap(value)) {
    return toObject(
      Array.from(value, ([name, item]) => [render(name), renderedValue(item, render)]),
    )
  }
  return value.map((item) => renderedValue(item, render))
}

const isMap = (
  value: readonly AnyValue[] | ReadonlyMap<string, AnyValue>,
): value is ReadonlyMap<string, AnyValue> => value instanceof Map

const toObject = (entries: readonly (readonly [string, RenderedValue])[]): RenderedObject =>
  Object.fromEntries(entries.toSorted(([a], [b]) => compareBytes(a, b)))

function writable(value: number): number {
  if (Number.isFinite(value)) return value
  throw new GatehouseError(
    'Invalid',
    'UnwritableNumber',
    `JSON cannot represent the number ${value}`,
  )
}

/** Parses a text as YAML; returns the text itself if that is a string or not YAML. */
function readText(text: string): RenderedValue {
  const decoding = createDecoding()
  let node: ConfigNode
  try {
    node = parseConfigDocument(text)
  } catch (error) {
    if (isGatehouseError(error)) return text
    throw error
  }
  // A text such as `#channel` is only a comment in YAML, but meant as text.
  if (node.kind === 'scalar' && node.text === '' && text.trim() !== '') return text
  const value = readNode({ decoding, node, path: '' })
  return typeof value === 'string' || problemCount(decoding) > 0 ? text : value
}

function readNode(place: DecodePlace): RenderedValue {
  const { node } = place
  if (node.kind === 'scalar') {
    const { tag, value } = resolveScalar(node)
    if (tag === '!!binary') return scalarText(place, node)
    return typeof value === 'number' ? writable(value) : value
  }
  if (node.kind === 'sequence') return node.items.map((item) => readNode({ ...place, node: item }))
  const entries = mappingEntries(place, node).filter(({ keyPlace }) => isText(keyPlace.node))
  return toObject(entries.map(({ key, valuePlace }) => [key, readNode(valuePlace)]))
}

/** Whether a name is a string: others, such as in `1: a`, are left out. */
const isText = (node: ConfigNode): boolean =>
  node.kind === 'scalar' && typeof resolveScalar(node).value === 'string'
