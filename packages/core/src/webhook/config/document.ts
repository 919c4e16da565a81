import type { ConfigNode } from '../../document/config-document.ts'
import { type DocumentText, parseDocument } from '../../document/parse-document.ts'

/** The text of a configuration, and where it came from. */
export interface WebhooksConfigSource extends DocumentText {
  /** Absolute path of the folder that relative paths start from (default: the working directory). */
  readonly directory?: string
}

/**
 * Reads the text of a configuration into nodes with their places, without looking at what they mean. For a program
 * that keeps other things in the same file: it takes its own keys out before it calls {@link decodeWebhooksConfig}.
 *
 * @throws {GatehouseError} `InvalidConfig` with one problem, `syntax`.
 */
export function parseWebhooksDocument(source: WebhooksConfigSource): ConfigNode {
  return parseDocument(source)
}
