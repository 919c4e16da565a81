/** The position of a text in an HTML document. The names are those in Go's error messages. */
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

/** The character that ends the current attribute value. */
export type Delim = 'delimNone' | 'delimDoubleQuote' | 'delimSingleQuote' | 'delimSpaceOrTagEnd'

/** The part of a URL that was reached. */
export type UrlPart = 'urlPartNone' | 'urlPartPreQuery' | 'urlPartQueryOrFrag' | 'urlPartUnknown'

/** The meaning of the next slash in JavaScript. */
export type JsCtx = 'jsCtxRegexp' | 'jsCtxDivOp' | 'jsCtxUnknown'

/** The element of the current tag or content, if it matters. */
export type Element =
  | 'elementNone'
  | 'elementScript'
  | 'elementStyle'
  | 'elementTextarea'
  | 'elementTitle'
  | 'elementMeta'

/** The type of the current attribute. */
export type Attr =
  | 'attrNone'
  | 'attrScript'
  | 'attrScriptType'
  | 'attrStyle'
  | 'attrURL'
  | 'attrSrcset'
  | 'attrMetaContent'

/**
 * The context of a position in an HTML document. It decides how a value is escaped there.
 *
 * @see https://pkg.go.dev/html/template#hdr-Contexts
 */
export interface Context {
  readonly state: State
  readonly delim: Delim
  readonly urlPart: UrlPart
  readonly jsCtx: JsCtx
  /** For each enclosing JavaScript template literal, the number of open braces within its `${`. */
  readonly jsBraceDepth: readonly number[]
  readonly attr: Attr
  readonly element: Element
  /** The problem, in `stateError`. */
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

/** After `break` and `continue`, where nothing is ever written. */
export const deadContext: Context = { ...textContext, state: 'stateDead' }

/** The context after invalid text. */
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

/** Formats a context as error messages do. */
export function formatContext(context: Context): string {
  const { state, delim, urlPart, jsCtx, attr, element } = context
  return `{${[state, delim, urlPart, jsCtx, attr, element].join(' ')} <nil>}`
}

/** The name of a template called in a context; unchanged in plain text. */
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

/** Whether the text is in a comment, which is dropped from the output. */
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

/** Whether the text is in a tag, but not in an attribute value with its own language. */
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

/** Whether the text is in a string, a template literal or a regular expression of JavaScript. */
export function isJsLiteral(state: State): boolean {
  return jsLiterals.has(state)
}

const jsLiterals: ReadonlySet<State> = new Set<State>([
  'stateJSDqStr',
  'stateJSSqStr',
  'stateJSTmplLit',
  'stateJSRegexp',
])
