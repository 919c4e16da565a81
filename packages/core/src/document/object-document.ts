import type { GatehouseError } from '../errors.ts'
import { decodeInput, isPlainObject } from '../input/decode.ts'
import type { ConfigNode } from './config-document.ts'
import { invalidDocument } from './problem.ts'

const maxDepth = 256
const maxNodes = 1_000_000

/**
 * Converts values of a program to the nodes of a document. The nodes have no lines, but keep their order; a property that is
 * `undefined` is absent.
 *
 * @throws {GatehouseError} `InvalidInput` if a value throws when it is read; `InvalidConfig` with one problem, `syntax`, for
 *   more than 256 levels and more than a million nodes.
 */
export function objectDocument(value: unknown): ConfigNode {
  let nodes = 0
  const convert = (given: unknown, depth: number): ConfigNode => {
    if (depth > maxDepth) throw refused(`nested deeper than ${maxDepth} levels`)
    if (nodes > maxNodes) throw refused(`more than ${maxNodes} values`)
    const order = nodes++
    const place = { line: 0, column: 0, start: order, end: order }
    if (Array.isArray(given)) {
      return { kind: 'sequence', items: given.map((item) => convert(item, depth + 1)), ...place }
    }
    if (isPlainObject(given)) {
      const entries = Object.entries(given)
        .filter(([, member]) => member !== undefined)
        .map(([key, member]) => ({ key: convert(key, depth), value: convert(member, depth + 1) }))
      return { kind: 'mapping', entries, ...place }
    }
    return { kind: 'scalar', ...scalarOf(given), ...place }
  }
  return decodeInput('config', (given) => convert(given, 0), value)
}

const refused = (message: string): GatehouseError =>
  invalidDocument([{ path: '', code: 'syntax', message }])

function scalarOf(value: unknown): { text: string; isPlain: boolean; tag?: string } {
  if (typeof value === 'string') return { text: value, isPlain: false }
  if (typeof value === 'boolean' || value === null) return { text: String(value), isPlain: true }
  if (typeof value === 'number') return { text: numberText(value), isPlain: true }
  return { text: '', isPlain: true, tag: `!${typeof value}` }
}

function numberText(value: number): string {
  if (Number.isNaN(value)) return '.nan'
  return Number.isFinite(value) ? String(value) : `${value < 0 ? '-' : ''}.inf`
}
