import { goQuote } from '../../text/quote.ts'
import { firstRunes } from '../byte-text.ts'
import { attrOf, valueStates } from './attribute-kind.ts'
import { type Context, type Element, errorContext, type State, textContext } from './context.ts'
import type { Step } from './step.ts'

const elements: ReadonlyMap<string, Element> = new Map<string, Element>([
  ['script', 'elementScript'],
  ['style', 'elementStyle'],
  ['textarea', 'elementTextarea'],
  ['title', 'elementTitle'],
  ['meta', 'elementMeta'],
])

/** The state at the beginning of the content of an element. */
const contentStates: Readonly<Record<Element, State>> = {
  elementNone: 'stateText',
  elementScript: 'stateJS',
  elementStyle: 'stateCSS',
  elementTextarea: 'stateRCDATA',
  elementTitle: 'stateRCDATA',
  elementMeta: 'stateText',
}

// `x-y` and `x:y` are names, `x-` is a one-letter name and other text.
const tagStart = /<(?:!--|(\/?)([a-zA-Z](?:[a-zA-Z0-9]|[:-][a-zA-Z0-9])*))/g
const blanks = /[ \t\n\f\r]*/y
const nameEnd = /[ \t\n\f\r=>'"<]/g

/** Reads text up to the end of the next tag name, or into the next comment. */
export function readText(context: Context, text: string): Step {
  tagStart.lastIndex = 0
  const found = tagStart.exec(text)
  if (found === null) return { context, length: text.length }
  const [, slash, name] = found
  const length = tagStart.lastIndex
  if (name === undefined) return { context: { ...textContext, state: 'stateHTMLCmt' }, length }
  const isEnd = slash !== ''
  const element = isEnd ? undefined : elements.get(name.toLowerCase())
  return {
    context: { ...textContext, state: 'stateTag', element: element ?? 'elementNone' },
    length,
  }
}

/** Reads the next attribute name, or the end of the tag. */
export function readTag(context: Context, text: string): Step {
  const start = blanksIn(text)
  const { element } = context
  if (start === text.length) return { context, length: start }
  if (text.charAt(start) === '>') {
    const content: Context = {
      ...textContext,
      state: contentStates[element],
      element: element === 'elementMeta' ? 'elementNone' : element,
    }
    return { context: content, length: start + 1 }
  }
  const end = attributeNameEnd(text, start)
  if (typeof end === 'string') return { context: errorContext(end), length: text.length }
  if (end === start) {
    const rest = goQuote(text.slice(start))
    const problem = `expected space, attr name, or end of tag, but got ${rest}`
    return { context: errorContext(problem), length: text.length }
  }
  const attr = attrOf(text.slice(start, end).toLowerCase(), element)
  const state = end === text.length ? 'stateAttrName' : 'stateAfterName'
  return { context: { ...textContext, state, attr, element }, length: end }
}

/** Reads the rest of an attribute name. */
export function readAttributeName(context: Context, text: string): Step {
  const end = attributeNameEnd(text, 0)
  if (typeof end === 'string') return { context: errorContext(end), length: text.length }
  const isWhole = end < text.length
  return { context: isWhole ? { ...context, state: 'stateAfterName' } : context, length: end }
}

/** Reads the equals sign of an attribute with a value. */
export function readAfterName(context: Context, text: string): Step {
  const start = blanksIn(text)
  if (start === text.length) return { context, length: start }
  if (text.charAt(start) !== '=')
    return { context: { ...context, state: 'stateTag' }, length: start }
  return { context: { ...context, state: 'stateBeforeValue' }, length: start + 1 }
}

/** Reads the quote of an attribute value, if any. */
export function readBeforeValue(context: Context, text: string): Step {
  const start = blanksIn(text)
  if (start === text.length) return { context, length: start }
  const state = valueStates[context.attr]
  switch (text.charAt(start)) {
    case '"':
      return { context: { ...context, state, delim: 'delimDoubleQuote' }, length: start + 1 }
    case "'":
      return { context: { ...context, state, delim: 'delimSingleQuote' }, length: start + 1 }
    default:
      return { context: { ...context, state, delim: 'delimSpaceOrTagEnd' }, length: start }
  }
}

/** Reads a comment up to its end. */
export function readHtmlComment(context: Context, text: string): Step {
  const end = text.indexOf('-->')
  return end < 0 ? { context, length: text.length } : { context: textContext, length: end + 3 }
}

function blanksIn(text: string): number {
  blanks.lastIndex = 0
  blanks.test(text)
  return blanks.lastIndex
}

/** The end of the attribute name at `start`, or the problem with it. */
function attributeNameEnd(text: string, start: number): number | string {
  nameEnd.lastIndex = start
  const found = nameEnd.exec(text)
  if (found === null) return text.length
  const [character] = found
  if (!/['"<]/.test(character)) return found.index
  return `${goQuote(character)} in attribute name: ${goQuote(firstRunes(text, 32))}`
}
