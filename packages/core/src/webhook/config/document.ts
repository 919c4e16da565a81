import type { ConfigNode } from '../../document/config-document.ts'
import { type DocumentText, parseDocument } from '../../document/parse-document.ts'

/** The text of a configuration, and its origin. */
export interface WebhooksConfigSource extends DocumentText {
  /** Absolute path of the folder that relative paths start from (default: the working directory). */
  readonly directory?: string
}

/**
 * Parses the text of a configuration into nodes with positions, without checking their meaning. For a program that keeps other
 * settings in the same file: it removes its own keys before it calls {@link decodeWebhooksConfig}.
 *
 * @throws {GatehouseError} `InvalidConfig` with one problem, `syntax`.
 */
export function parseWebhooksDocument(source: WebhooksConfigSource): ConfigNode {
  return parseDocument(source)
}
