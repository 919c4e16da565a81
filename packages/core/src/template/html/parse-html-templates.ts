import { decodeInput } from '../../input/decode.ts'
import type { Source } from '../node.ts'
import {
  parseTemplates,
  type TemplateSet,
  type TemplateSetOptions,
  templateSetOptions,
} from '../template-set.ts'
import { escapeTemplates } from './escape-templates.ts'
import { escaperFunctions } from './escaper-functions.ts'

/**
 * Reads templates of HTML: whatever values they print, these stay text where the author wrote an action.
 *
 * @throws {GatehouseError} `TemplateSyntax`, with Go's text. A template that cannot be made safe fails when
 *   it is run: `TemplateUnsafe`.
 * @see https://pkg.go.dev/html/template
 */
export function parseHtmlTemplates(
  sources: readonly Source[],
  given: Omit<TemplateSetOptions, 'rewrite'> = {},
): TemplateSet {
  const options = decodeInput('options', templateSetOptions, given)
  const functions = new Map([...(options.functions ?? []), ...escaperFunctions])
  return parseTemplates(sources, { ...options, functions, rewrite: escapeTemplates })
}
