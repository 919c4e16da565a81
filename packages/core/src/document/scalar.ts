import type { ScalarNode } from './config-document.ts'

/** The value of a scalar in a document. */
export type CoreScalar =
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'flag'; readonly value: boolean }
  | { readonly kind: 'null' }
  /** A value that no key accepts. */
  | { readonly kind: 'other' }

const integer = /^(?:[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)$/
const float = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/
const infinity = /^[-+]?\.(?:inf|Inf|INF)$/
const notANumber = /^\.(?:nan|NaN|NAN)$/
const kindOfTag: ReadonlyMap<string, CoreScalar['kind']> = new Map([
  ['!!int', 'number'],
  ['!!float', 'number'],
  ['!!bool', 'flag'],
  ['!!null', 'null'],
])

/**
 * Reads a scalar by the rules of the core schema, which include those of JSON.
 *
 * @see YAML 1.2.2, section 10.3.2
 */
export function resolveCoreScalar({ text, isPlain, tag }: ScalarNode): CoreScalar {
  if (tag === undefined) return isPlain ? resolvePlain(text) : { kind: 'text', value: text }
  if (tag === '!' || tag === '!!str') return { kind: 'text', value: text }
  const scalar = resolvePlain(text)
  return scalar.kind === kindOfTag.get(tag) ? scalar : { kind: 'other' }
}

function resolvePlain(text: string): CoreScalar {
  if (/^(?:~|null|Null|NULL|)$/.test(text)) return { kind: 'null' }
  if (/^(?:true|True|TRUE)$/.test(text)) return { kind: 'flag', value: true }
  if (/^(?:false|False|FALSE)$/.test(text)) return { kind: 'flag', value: false }
  if (integer.test(text) || float.test(text)) return { kind: 'number', value: Number(text) }
  if (infinity.test(text)) {
    const sign = text.startsWith('-') ? -1 : 1
    return { kind: 'number', value: sign * Number.POSITIVE_INFINITY }
  }
  if (notANumber.test(text)) return { kind: 'number', value: Number.NaN }
  return { kind: 'text', value: text }
}
