import { goQuote } from '../../text/quote.ts'
import { type Context, errorContext, type State } from './context.ts'
import { decodeCss, isCssBlank, isCssNameCharacter } from './escapers/css-text.ts'
import type { Step } from './step.ts'
import { afterUrlText } from './url-steps.ts'

const specials = /["'(]|\/[/*]/g
const lineEnd = /[\n\f\r]/g

const starts: ReadonlyMap<string, State> = new Map<string, State>([
  ['"', 'stateCSSDqStr'],
  ["'", 'stateCSSSqStr'],
  ['//', 'stateCSSLineCmt'],
  ['/*', 'stateCSSBlockCmt'],
])

/** Reads a style sheet up to the next string, comment or URL. */
export function readCss(context: Context, text: string): Step {
  specials.lastIndex = 0
  for (let found = specials.exec(text); found !== null; found = specials.exec(text)) {
    const state = starts.get(found[0])
    if (state !== undefined) return { context: { ...context, state }, length: specials.lastIndex }
    if (endsWithUrl(text, found.index)) return readUrlStart(context, text, specials.lastIndex)
  }
  return { context, length: text.length }
}

/** Whether `url` and optional blanks come before an index. */
function endsWithUrl(text: string, before: number): boolean {
  let end = before
  while (end > 0 && isCssBlank(text.charAt(end - 1))) end--
  if (text.slice(Math.max(end - 3, 0), end).toLowerCase() !== 'url') return false
  return end === 3 || !isCssNameCharacter(text.charCodeAt(end - 4))
}

/** Reads the blanks and the quote of a URL after its parenthesis. */
function readUrlStart(context: Context, text: string, at: number): Step {
  let start = at
  while (isCssBlank(text.charAt(start))) start++
  switch (text.charAt(start)) {
    case '"':
      return { context: { ...context, state: 'stateCSSDqURL' }, length: start + 1 }
    case "'":
      return { context: { ...context, state: 'stateCSSSqURL' }, length: start + 1 }
    default:
      return { context: { ...context, state: 'stateCSSURL' }, length: start }
  }
}

const doubleQuoted = /["\\]/g
const singleQuoted = /['\\]/g
const unquoted = /[\t\n\f\r )\\]/g

const stringEnds: ReadonlyMap<State, RegExp> = new Map<State, RegExp>([
  ['stateCSSDqStr', doubleQuoted],
  ['stateCSSDqURL', doubleQuoted],
  ['stateCSSSqStr', singleQuoted],
  ['stateCSSSqURL', singleQuoted],
])

/** Reads a string, which may be a URL, or an unquoted URL, up to its end. */
export function readCssString(context: Context, text: string): Step {
  const pattern = stringEnds.get(context.state) ?? unquoted
  pattern.lastIndex = 0
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    if (found[0] !== '\\') {
      // The next URL starts over, independent of this one.
      const css: Context = { ...context, state: 'stateCSS', urlPart: 'urlPartNone' }
      return { context: css, length: pattern.lastIndex }
    }
    if (pattern.lastIndex === text.length) {
      const problem = `unfinished escape sequence in CSS string: ${goQuote(text)}`
      return { context: errorContext(problem), length: text.length }
    }
    pattern.lastIndex += 1
  }
  return { context: afterUrlText(context, decodeCss(text)), length: text.length }
}

/** Reads a comment up to the end of its line, which is not part of it. */
export function readCssLineComment(context: Context, text: string): Step {
  lineEnd.lastIndex = 0
  const found = lineEnd.exec(text)
  if (found === null) return { context, length: text.length }
  return { context: { ...context, state: 'stateCSS' }, length: found.index }
}

/** Reads a comment up to its end. */
export function readCssBlockComment(context: Context, text: string): Step {
  const end = text.indexOf('*/')
  if (end < 0) return { context, length: text.length }
  return { context: { ...context, state: 'stateCSS' }, length: end + 2 }
}
