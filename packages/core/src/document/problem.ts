import { GatehouseError } from '../errors.ts'
import type { ScalarNode } from './config-document.ts'

/** What can be wrong with a value of any document. A service may have codes of its own beside these. */
export type DocumentCode =
  | 'syntax'
  | 'wrong_type'
  | 'required'
  | 'empty'
  | 'out_of_range'
  | 'unknown_key'
  | 'bad_duration'
  | 'bad_pattern'
  | 'unresolved_reference'
  | 'conflict'

/** One thing that is wrong with a document. Quotes no value of it. */
export interface DocumentProblem<Code extends string = DocumentCode> {
  /** Where in the values, as `webhooks[0].token`; empty for the whole document. */
  readonly path: string
  readonly code: Code
  readonly message: string
  /** From 1; absent where the document is no text. */
  readonly line?: number
  /** From 1, in UTF-16 units. */
  readonly column?: number
}

/** A problem as a line for people: `FILE:LINE:COL PATH: text`, with as much of it as is known. */
export function formatDocumentProblem(
  { path, line, column, message }: DocumentProblem<string>,
  filename?: string,
): string {
  const position = line === undefined || column === undefined ? [] : [line, column]
  const place = [...(filename === undefined ? [] : [filename]), ...position].join(':')
  const subject = [place, path].filter((part) => part !== '').join(' ')
  return subject === '' ? message : `${subject}: ${message}`
}

/** The error for a refused document; `info.problems` are all the problems. */
export function invalidDocument(
  problems: readonly DocumentProblem<string>[],
  filename?: string,
): GatehouseError {
  const [first, ...others] = problems
  const line = first === undefined ? '' : formatDocumentProblem(first, filename)
  const count = others.length === 1 ? '1 more problem' : `${others.length} more problems`
  const message = others.length === 0 ? line : `${line} (and ${count})`
  return new GatehouseError('Invalid', 'InvalidConfig', message, {
    info: filename === undefined ? { problems } : { problems, filename },
  })
}

/** The error for a text that is no document. */
export function syntaxError(
  message: string,
  { line, column }: { readonly line: number; readonly column: number },
  filename?: string,
): GatehouseError {
  return invalidDocument([{ path: '', code: 'syntax', message, line, column }], filename)
}

/** The error for a mapping that has a key twice. */
export function repeatedKey(key: ScalarNode, filename?: string): GatehouseError {
  return syntaxError(`the key ${quoteKey(key.text)} stands here twice`, key, filename)
}

const longestKey = 64

/** A key or a name for people: quoted, without control characters, and not long. */
export function quoteKey(key: string, longest: number = longestKey): string {
  return JSON.stringify(key.length > longest ? `${key.slice(0, longest)}…` : key)
}
