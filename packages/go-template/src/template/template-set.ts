import { checkText } from '../text/arguments.ts'
import { goQuote } from '../text/quote.ts'
import { isEmptyTemplate } from './empty-template.ts'
import { templateExecution } from './errors.ts'
import { execute } from './execute/execute.ts'
import type { MissingKey } from './execute/run-state.ts'
import { builtinFunctions } from './functions/builtin-functions.ts'
import { limitsFrom, type TemplateLimits } from './limits.ts'
import type { Source, Template, Templates } from './node.ts'
import { parseSource } from './parse/parse-source.ts'
import { type PreparedTemplate, PreparedTemplates } from './prepared-templates.ts'
import type { Functions, Value } from './value.ts'

/** Options of {@link parseTemplates}. */
export interface TemplateSetOptions {
  /** Functions beside the builtin ones, which they may override (default none). */
  readonly functions?: Functions
  /** The value of a missing map key (default `default`: no value, printed as `<no value>`). */
  readonly missingKey?: MissingKey
  /** Limits on the cost of templates. Missing ones have their defaults. */
  readonly limits?: Partial<TemplateLimits>
  /**
   * Rewrites templates before they run, as the HTML engine does to escape their output. Receives all templates and the name of
   * the one to run, and returns all templates.
   */
  readonly rewrite?: (templates: Templates, root: string) => Templates
}

/** Templates that may call each other. Created by {@link parseTemplates}. */
export interface TemplateSet {
  readonly templates: Templates
  readonly functions: Functions
  readonly missingKey: MissingKey
  readonly limits: TemplateLimits
  readonly rewrite: ((templates: Templates, root: string) => Templates) | undefined
  readonly prepared: PreparedTemplates
}

/** Options of {@link renderTemplate} and {@link renderText}. */
export interface RenderOptions {
  /** The initial value of dot and `$`. */
  readonly data: Value
  /** Functions of this run only. They override those of the set. */
  readonly functions?: Functions
}

function checkSources(sources: readonly Source[]): void {
  if (!Array.isArray(sources)) throw new TypeError('sources: expected a list')
  for (const [index, source] of sources.entries()) {
    checkText(`sources[${index}].name`, source?.name)
    checkText(`sources[${index}].text`, source?.text)
  }
}

/**
 * Parses templates. Among several definitions of a name the last one wins, but a definition of only white space does not replace
 * another. The text outside of definitions is the template with the source's own name.
 *
 * @throws {GoError} `TemplateSyntax`, with Go's text.
 * @see https://pkg.go.dev/text/template
 */
export function parseTemplates(
  sources: readonly Source[],
  options: TemplateSetOptions = {},
): TemplateSet {
  checkSources(sources)
  const limits = limitsFrom(options.limits)
  const functions = new Map([...builtinFunctions, ...(options.functions ?? [])])
  const templates = new Map<string, Template>()
  for (const source of sources) {
    const hasFunction = (name: string): boolean => functions.has(name)
    addTemplates(templates, parseSource(source, { ...limits, hasFunction }))
  }
  const { missingKey = 'default', rewrite } = options
  return { templates, functions, missingKey, limits, rewrite, prepared: new PreparedTemplates() }
}

function addTemplates(templates: Map<string, Template>, added: Templates): void {
  for (const [name, template] of added) {
    if (!templates.has(name) || !isEmptyTemplate(template)) templates.set(name, template)
  }
}

/**
 * Runs a template of a set.
 *
 * @throws {GoError} `TemplateExecution`, with Go's text; `TemplateLimit`.
 */
export function renderTemplate(set: TemplateSet, name: string, options: RenderOptions): string {
  const prepared = set.prepared.get(`name ${name}`, () => {
    const { templates } = set
    const template = templates.get(name)
    if (template !== undefined) return rewritten(set, templates, template)
    const quoted = goQuote(name)
    throw templateExecution(`template: ${name}: ${quoted} is an incomplete or empty template`)
  })
  return run(set, prepared, options)
}

/**
 * Runs a text as a template without a name, which may call the templates of a set. The most recent texts are cached.
 *
 * @throws {GoError} `TemplateSyntax` or `TemplateExecution`, with Go's text; `TemplateLimit`.
 */
export function renderText(set: TemplateSet, text: string, options: RenderOptions): string {
  if (set.rewrite === undefined && !text.includes('{{')) return text
  const prepared = set.prepared.get(`text ${text}`, () => prepareText(set, text, options))
  return run(set, prepared, options)
}

function prepareText(set: TemplateSet, text: string, options: RenderOptions): PreparedTemplate {
  const source: Source = { name: '', text }
  const hasFunction = (name: string): boolean =>
    set.functions.has(name) || options.functions?.has(name) === true
  const parsed = parseSource(source, { ...set.limits, hasFunction })
  const templates = new Map(set.templates)
  addTemplates(templates, parsed)
  const root: Template = parsed.get('') ?? {
    name: '',
    source,
    root: { kind: 'list', pos: 0, nodes: [] },
  }
  return rewritten(set, templates.set('', root), root)
}

function rewritten(set: TemplateSet, templates: Templates, template: Template): PreparedTemplate {
  const changed = set.rewrite?.(templates, template.name) ?? templates
  return { template: changed.get(template.name) ?? template, templates: changed }
}

function run(set: TemplateSet, prepared: PreparedTemplate, options: RenderOptions): string {
  const { missingKey, limits } = set
  const { data, functions: own } = options
  const functions = own === undefined ? set.functions : new Map([...set.functions, ...own])
  const { template, templates } = prepared
  return execute({ templates, functions, missingKey, limits }, template, data)
}
