import { decodeInput, objectOf, oneOf, optional, rawText } from '../input/decode.ts'
import type { ConfigNode } from './config-document.ts'
import { parseJsonDocument } from './json-document.ts'
import { syntaxError } from './problem.ts'
import { parseYamlDocument } from './yaml-document.ts'

/** The text of a document, and its source. */
export interface DocumentText {
  readonly text: string
  /** The name of the file, for messages and for its format. */
  readonly filename?: string
  /** Default: by the extension of `filename`; otherwise `json` if the first non-blank character is `{`, else `yaml`. */
  readonly format?: 'yaml' | 'json'
}

const documentText = objectOf<DocumentText>({
  text: rawText,
  filename: optional(rawText),
  format: optional(oneOf(['yaml', 'json'])),
})

const maxBytes = 4 * 1024 * 1024

/**
 * Reads a text of at most 4 MiB into nodes with their places, without interpreting them.
 *
 * @throws {GatehouseError} `InvalidInput`; `InvalidConfig` with one problem, `syntax`.
 */
export function parseDocument(given: DocumentText): ConfigNode {
  const source = decodeInput('config', documentText, given)
  const { filename } = source
  const text = source.text.startsWith('\ufeff') ? source.text.slice(1) : source.text
  if (text.length > maxBytes || Buffer.byteLength(text) > maxBytes) {
    throw syntaxError('larger than 4 MiB', { line: 1, column: 1 }, filename)
  }
  const isJson = (source.format ?? formatOf(text, filename)) === 'json'
  return isJson ? parseJsonDocument(text, filename) : parseYamlDocument(text, filename)
}

function formatOf(text: string, filename: string | undefined): 'yaml' | 'json' {
  const [, ending] = /\.(json|ya?ml)$/i.exec(filename ?? '') ?? []
  if (ending !== undefined) return ending.toLowerCase() === 'json' ? 'json' : 'yaml'
  return /^\s*\{/.test(text) ? 'json' : 'yaml'
}
