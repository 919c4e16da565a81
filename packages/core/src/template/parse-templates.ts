import {
  type Functions,
  parseHtmlTemplates as parseHtml,
  parseTemplates as parseText,
  type Source,
  type TemplateLimits,
  type TemplateSet,
  type TemplateSetOptions,
} from '@gatehouse/go-template'
import {
  type Decode,
  decodeInput,
  exactly,
  functionLike,
  listOf,
  numberFrom,
  objectOf,
  oneOf,
  optional,
  rawText,
} from '../input/decode.ts'
import { refuse } from '../input/refusal.ts'

const sourceList = listOf(objectOf<Source>({ name: rawText, text: rawText }))

const functionMap: Decode<Functions> = (value) =>
  value instanceof Map ? value : refuse('a Map of functions', value)

const most = optional(numberFrom(0))

const templateSetOptions: Decode<TemplateSetOptions> = exactly<TemplateSetOptions>({
  functions: optional(functionMap),
  missingKey: optional(oneOf(['default', 'zero', 'error'])),
  limits: optional(
    exactly<Partial<TemplateLimits>>({
      maxSource: most,
      maxNesting: most,
      maxDepth: most,
      maxSteps: most,
      maxOutput: most,
    }),
  ),
  rewrite: optional(functionLike('a function that rewrites templates')),
})

/**
 * Parses templates. Among several definitions of a name the last one wins, but a definition of only white space does not replace
 * another. The text outside of definitions is the template with the source's own name.
 *
 * @throws {GatehouseError} `TemplateSyntax`, with Go's text; `InvalidInput`.
 * @see https://pkg.go.dev/text/template
 */
export function parseTemplates(
  given: readonly Source[],
  how: TemplateSetOptions = {},
): TemplateSet {
  const sources = decodeInput('sources', sourceList, given)
  return parseText(sources, decodeInput('options', templateSetOptions, how))
}

/**
 * Parses HTML templates. Whatever values they print, a value stays text at the place of its action.
 *
 * @throws {GatehouseError} `TemplateSyntax`, with Go's text; `InvalidInput`. A template that cannot be made safe fails when it
 * runs: `TemplateUnsafe`.
 * @see https://pkg.go.dev/html/template
 */
export function parseHtmlTemplates(
  given: readonly Source[],
  how: Omit<TemplateSetOptions, 'rewrite'> = {},
): TemplateSet {
  const options = decodeInput('options', templateSetOptions, how)
  return parseHtml(decodeInput('sources', sourceList, given), options)
}
