/** Where in an HTML document a text stands; the names are those of Go's error messages. */
export type State =
  | 'stateText'
  | 'stateTag'
  | 'stateAttrName'
  | 'stateAfterName'
  | 'stateBeforeValue'
  | 'stateHTMLCmt'
  | 'stateRCDATA'
  | 'stateAttr'
  | 'stateURL'
  | 'stateMetaContent'
  | 'stateMetaContentURL'
  | 'stateSrcset'
  | 'stateJS'
  | 'stateJSDqStr'
  | 'stateJSSqStr'
  | 'stateJSTmplLit'
  | 'stateJSRegexp'
  | 'stateJSBlockCmt'
  | 'stateJSLineCmt'
  | 'stateJSHTMLOpenCmt'
  | 'stateJSHTMLCloseCmt'
  | 'stateCSS'
  | 'stateCSSDqStr'
  | 'stateCSSSqStr'
  | 'stateCSSDqURL'
  | 'stateCSSSqURL'
  | 'stateCSSURL'
  | 'stateCSSBlockCmt'
  | 'stateCSSLineCmt'
  | 'stateError'
  | 'stateDead'

/** What ends the attribute value that a text stands in. */
export type Delim = 'delimNone' | 'delimDoubleQuote' | 'delimSingleQuote' | 'delimSpaceOrTagEnd'

/** How far a URL has been written. */
export type UrlPart = 'urlPartNone' | 'urlPartPreQuery' | 'urlPartQueryOrFrag' | 'urlPartUnknown'

/** What a slash would begin in JavaScript. */
export type JsCtx = 'jsCtxRegexp' | 'jsCtxDivOp' | 'jsCtxUnknown'

/** The element whose tag or content a text stands in, where that matters. */
export type Element =
  | 'elementNone'
  | 'elementScript'
  | 'elementStyle'
  | 'elementTextarea'
  | 'elementTitle'
  | 'elementMeta'

/** The kind of the attribute whose name or value a text stands in. */
export type Attr =
  | 'attrNone'
  | 'attrScript'
  | 'attrScriptType'
  | 'attrStyle'
  | 'attrURL'
  | 'attrSrcset'
  | 'attrMetaContent'

/**
 * Everything about a place in an HTML document that decides how a value is escaped there.
 *
 * @see https://pkg.go.dev/html/template#hdr-Contexts
 */
export interface Context {
  readonly state: State
  readonly delim: Delim
  readonly urlPart: UrlPart
  readonly jsCtx: JsCtx
  /** For each JavaScript template literal around, how many braces are open within its `${`. */
  readonly jsBraceDepth: readonly number[]
  readonly attr: Attr
  readonly element: Element
  /** What is wrong, in `stateError`. */
  readonly problem?: string
}

/** Plain text between elements: where every document begins and must end. */
export const textContext: Context = {
  state: 'stateText',
  delim: 'delimNone',
  urlPart: 'urlPartNone',
  jsCtx: 'jsCtxRegexp',
  jsBraceDepth: [],
  attr: 'attrNone',
  element: 'elementNone',
}

/** Behind `break` and `continue`, where nothing is ever written. */
export const deadContext: Context = { ...textContext, state: 'stateDead' }

/** The context behind text that is wrong. */
export function errorContext(problem: string): Context {
  return { ...textContext, state: 'stateError', problem }
}

/** Whether two contexts are the same. */
export function isSameContext(a: Context, b: Context): boolean {
  return (
    a === b ||
    (a.state === b.state &&
      a.delim === b.delim &&
      a.urlPart === b.urlPart &&
      a.jsCtx === b.jsCtx &&
      a.attr === b.attr &&
      a.element === b.element &&
      a.jsBraceDepth.join() === b.jsBraceDepth.join())
  )
}

/** A context as error messages write it. */
export function formatContext(context: Context): string {
  const { state, delim, urlPart, jsCtx, attr, element } = context
  return `{${[state, delim, urlPart, jsCtx, attr, element].join(' ')} <nil>}`
}

/** The name of a template as it is called in a context; as it is where that is plain text. */
export function nameInContext(name: string, context: Context): string {
  if (context.state === 'stateText') return name
  const { state, delim, urlPart, jsCtx, jsBraceDepth, attr, element } = context
  const parts: string[] = [state]
  if (delim !== 'delimNone') parts.push(delim)
  if (urlPart !== 'urlPartNone') parts.push(urlPart)
  if (jsCtx !== 'jsCtxRegexp') parts.push(jsCtx)
  if (jsBraceDepth.length > 0) parts.push(`jsBraceDepth([${jsBraceDepth.join(' ')}])`)
  if (attr !== 'attrNone') parts.push(attr)
  if (element !== 'elementNone') parts.push(element)
  return `${name}$htmltemplate_${parts.join('_')}`
}

/** Whether the text there is a comment, which is left out of the output. */
export function isComment(state: State): boolean {
  return comments.has(state)
}

const comments: ReadonlySet<State> = new Set<State>([
  'stateHTMLCmt',
  'stateJSBlockCmt',
  'stateJSLineCmt',
  'stateJSHTMLOpenCmt',
  'stateJSHTMLCloseCmt',
  'stateCSSBlockCmt',
  'stateCSSLineCmt',
])

/** Whether the text there is part of a tag, but of no attribute value with a meaning of its own. */
export function isInTag(state: State): boolean {
  return tagStates.has(state)
}

const tagStates: ReadonlySet<State> = new Set<State>([
  'stateTag',
  'stateAttrName',
  'stateAfterName',
  'stateBeforeValue',
  'stateAttr',
])

/** Whether the text there is a string, a template or a regular expression of JavaScript. */
export function isJsLiteral(state: State): boolean {
  return jsLiterals.has(state)
}

const jsLiterals: ReadonlySet<State> = new Set<State>([
  'stateJSDqStr',
  'stateJSSqStr',
  'stateJSTmplLit',
  'stateJSRegexp',
])
