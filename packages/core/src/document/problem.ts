import { GatehouseError } from '../errors.ts'
import type { ScalarNode } from './config-document.ts'

/** The codes of problems in any document. A service may add its own. */
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

/** A problem of a document. Does not quote its values. */
export interface DocumentProblem<Code extends string = DocumentCode> {
  /** The path in the values, such as `webhooks[0].token`; empty for the whole document. */
  readonly path: string
  readonly code: Code
  readonly message: string
  /** From 1; absent if the document is not a text. */
  readonly line?: number
  /** From 1, in UTF-16 units. */
  readonly column?: number
}

/** Formats a problem as a line: `FILE:LINE:COL PATH: text`, without unknown parts. */
export function formatDocumentProblem(
  { path, line, column, message }: DocumentProblem<string>,
  filename?: string,
): string {
  const position = line === undefined || column === undefined ? [] : [line, column]
  const place = [...(filename === undefined ? [] : [filename]), ...position].join(':')
  const subject = [place, path].filter((part) => part !== '').join(' ')
  return subject === '' ? message : `${subject}: ${message}`
}

/** How many problems a message has. */
const maxShown = 5

/** The error for a refused document, with a line for each of the first problems; `info.problems` are all the problems. */
export function invalidDocument(
  problems: readonly DocumentProblem<string>[],
  filename?: string,
): GatehouseError {
  const lines = problems
    .slice(0, maxShown)
    .map((problem) => formatDocumentProblem(problem, filename))
  const left = problems.length - lines.length
  const more = left === 1 ? ['and 1 more problem'] : [`and ${left} more problems`]
  const message = [...lines, ...(left === 0 ? [] : more)].join('\n')
  return new GatehouseError('Invalid', 'InvalidConfig', message, {
    info: filename === undefined ? { problems } : { problems, filename },
  })
}

/** The error for a text that is not a document. */
export function syntaxError(
  message: string,
  { line, column }: { readonly line: number; readonly column: number },
  filename?: string,
): GatehouseError {
  return invalidDocument([{ path: '', code: 'syntax', message, line, column }], filename)
}

/** The error for a duplicate key in a mapping. */
export function repeatedKey(key: ScalarNode, filename?: string): GatehouseError {
  return syntaxError(`duplicate key ${quoteKey(key.text)}`, key, filename)
}

const maxKeyLength = 64

/** Quotes a key or a name for messages, without control characters and with limited length. */
export function quoteKey(key: string, longest: number = maxKeyLength): string {
  return JSON.stringify(key.length > longest ? `${key.slice(0, longest)}…` : key)
}
