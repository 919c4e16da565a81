import { goQuote } from '../../text/quote.ts'
import { contentEnd } from './content-end.ts'
import {
  type Context,
  type Element,
  errorContext,
  isComment,
  isJsLiteral,
  type State,
  textContext,
} from './context.ts'
import { readCss, readCssBlockComment, readCssLineComment, readCssString } from './css-steps.ts'
import { decodeEntities } from './entities.ts'
import {
  readJs,
  readJsBlockComment,
  readJsLineComment,
  readJsRegexp,
  readJsString,
  readJsTemplate,
} from './js-steps.ts'
import { isJsType } from './js-type.ts'
import type { Step, Transition } from './step.ts'
import {
  readAfterName,
  readAttributeName,
  readBeforeValue,
  readHtmlComment,
  readTag,
  readText,
} from './tag-steps.ts'
import { readMetaContent, readMetaUrl, readUrl } from './url-steps.ts'
import { findValueEnd, type ValueDelim } from './value-end.ts'

const readAll: Transition = (context, text) => ({ context, length: text.length })

const transitions: Readonly<Record<State, Transition>> = {
  stateText: readText,
  stateTag: readTag,
  stateAttrName: readAttributeName,
  stateAfterName: readAfterName,
  stateBeforeValue: readBeforeValue,
  stateHTMLCmt: readHtmlComment,
  stateRCDATA: readAll,
  stateAttr: readAll,
  stateURL: readUrl,
  stateMetaContent: readMetaContent,
  stateMetaContentURL: readMetaUrl,
  stateSrcset: readUrl,
  stateJS: readJs,
  stateJSDqStr: readJsString,
  stateJSSqStr: readJsString,
  stateJSTmplLit: readJsTemplate,
  stateJSRegexp: readJsRegexp,
  stateJSBlockCmt: readJsBlockComment,
  stateJSLineCmt: readJsLineComment,
  stateJSHTMLOpenCmt: readJsLineComment,
  stateJSHTMLCloseCmt: readJsLineComment,
  stateCSS: readCss,
  stateCSSDqStr: readCssString,
  stateCSSSqStr: readCssString,
  stateCSSDqURL: readCssString,
  stateCSSSqURL: readCssString,
  stateCSSURL: readCssString,
  stateCSSBlockCmt: readCssBlockComment,
  stateCSSLineCmt: readCssLineComment,
  stateError: readAll,
  stateDead: readAll,
}

/** Reads a template text piece by piece, as HTML. */
export class HtmlReader {
  readonly #text: string
  /** The ends of element contents, so that no text is searched twice. */
  readonly #contentEnds = new Map<Element, number>()

  constructor(text: string) {
    this.#text = text
  }

  /** Returns the effect on the context of the text at an index, up to the next change of state. */
  read(context: Context, at: number): Step {
    const { delim } = context
    if (delim !== 'delimNone') return readValue(context, delim, this.#text.slice(at))
    const end = this.#contentEnd(context, at)
    // The end tag belongs to the surrounding content.
    if (end === at) return { context: textContext, length: 0 }
    return transitions[context.state](context, this.#text.slice(at, end))
  }

  #contentEnd({ state, element }: Context, at: number): number {
    // In a script, an end tag within a string is escaped, and one in a comment is dropped.
    const isHidden = element === 'elementScript' && (isJsLiteral(state) || isComment(state))
    if (isHidden || element === 'elementNone') return this.#text.length
    const known = this.#contentEnds.get(element)
    if (known !== undefined && known >= at) return known
    const end = contentEnd(element, this.#text, at)
    this.#contentEnds.set(element, end)
    return end
  }
}

/** Reads an attribute value up to its end. After it, only the element of the context remains. */
function readValue(context: Context, delim: ValueDelim, text: string): Step {
  const { value, after, isFound } = findValueEnd(text, delim)
  // Parsers disagree on these characters in an unquoted value.
  const unclear = delim === 'delimSpaceOrTagEnd' ? /["'<=`]/.exec(value)?.[0] : undefined
  if (unclear !== undefined) {
    const problem = `${goQuote(unclear)} in unquoted attr: ${goQuote(value)}`
    return { context: errorContext(problem), length: text.length }
  }
  if (!isFound) return { context: withinValue(context, text), length: text.length }
  const { state, attr, element } = context
  const isType = state === 'stateAttr' && attr === 'attrScriptType'
  const isOtherScript = isType && element === 'elementScript' && !isJsType(value)
  const behind: Element = isOtherScript ? 'elementNone' : element
  return { context: { ...textContext, state: 'stateTag', element: behind }, length: after }
}

/** The context inside a value that continues after this text. */
function withinValue(context: Context, text: string): Context {
  const value = decodeEntities(text)
  let within = context
  for (let at = 0; at < value.length; ) {
    const step = transitions[within.state](within, value.slice(at))
    within = step.context
    at += step.length
  }
  return within
}
