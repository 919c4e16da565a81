import type { Source } from '../node.ts'
import { parseTemplates, type TemplateSet, type TemplateSetOptions } from '../template-set.ts'
import { escapeTemplates } from './escape-templates.ts'
import { escaperFunctions } from './escaper-functions.ts'

/**
 * Parses HTML templates. Whatever values they print, a value stays text at the place of its action.
 *
 * @throws {GoError} `TemplateSyntax`, with Go's text. A template that cannot be made safe fails when it runs:
 * `TemplateUnsafe`.
 * @see https://pkg.go.dev/html/template
 */
export function parseHtmlTemplates(
  sources: readonly Source[],
  options: Omit<TemplateSetOptions, 'rewrite'> = {},
): TemplateSet {
  const functions = new Map([...(options.functions ?? []), ...escaperFunctions])
  return parseTemplates(sources, { ...options, functions, rewrite: escapeTemplates })
}
