import type { ConfigNode } from '../../document/config-document.ts'
import { type DocumentText, parseDocument } from '../../document/parse-document.ts'
import { syntaxError } from '../../document/problem.ts'
import type { WebhooksConfigPart } from './parts/part.ts'

/** The text of a configuration, and its origin. */
export interface WebhooksConfigSource extends DocumentText {
  /** Absolute path of the folder that relative paths start from (default: the working directory). */
  readonly directory?: string
  /** Further files with webhooks (default: none). A bad one does not make the configuration bad: its own webhooks are missing. */
  readonly parts?: readonly WebhooksConfigPart[]
}

/**
 * Parses the text of a configuration into nodes with positions, without checking their meaning. For a program that keeps other
 * settings in the same file: it removes its own keys before it calls {@link decodeWebhooksConfig}.
 *
 * @throws {GatehouseError} `InvalidConfig` with one problem, `syntax`.
 */
export function parseWebhooksDocument(source: WebhooksConfigSource): ConfigNode {
  const root = parseDocument(source)
  if (isHooksFile(root)) throw syntaxError(hooksFileMessage, root, source.filename)
  return root
}

const hooksFileMessage =
  'this is a hooks file of adnanh/webhook: gatehouse import hooks FILE converts it'

/** Whether a document is a list of hooks as another tool writes it. */
function isHooksFile(root: ConfigNode): boolean {
  if (root.kind !== 'sequence') return false
  const [first] = root.items
  if (first?.kind !== 'mapping') return false
  const keys = first.entries.map(({ key }) => (key.kind === 'scalar' ? key.text : ''))
  return keys.includes('execute-command')
}
