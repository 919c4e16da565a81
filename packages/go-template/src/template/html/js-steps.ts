import { goQuote } from '../../text/quote.ts'
import { firstRunes } from '../byte-text.ts'
import { type Context, errorContext, type JsCtx, type State } from './context.ts'
import type { Step } from './step.ts'

const specials = /["'`/{}]|<!--|-->|#!/g
const lineEnd = /[\n\r\u2028\u2029]/g
const blanks =
  '\f\n\r\t\v\u0020\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff'

/** Keywords before an expression. */
const keywordsBeforeExpression: ReadonlySet<string> = new Set([
  'break',
  'case',
  'continue',
  'delete',
  'do',
  'else',
  'finally',
  'in',
  'instanceof',
  'return',
  'throw',
  'try',
  'typeof',
  'void',
])

/** States that begin with one or two characters. */
const starts: ReadonlyMap<string, State> = new Map<string, State>([
  ['"', 'stateJSDqStr'],
  ["'", 'stateJSSqStr'],
  ['`', 'stateJSTmplLit'],
  ['<!--', 'stateJSHTMLOpenCmt'],
  ['-->', 'stateJSHTMLCloseCmt'],
  ['#!', 'stateJSLineCmt'],
])

/** Reads JavaScript up to the next string, comment or regular expression. */
export function readJs(context: Context, text: string): Step {
  specials.lastIndex = 0
  const found = specials.exec(text)
  const before = found === null ? text : text.slice(0, found.index)
  const jsCtx = jsCtxAfter(before, context.jsCtx)
  if (found === null) return { context: { ...context, jsCtx }, length: text.length }
  const [special] = found
  const length = specials.lastIndex
  const state = starts.get(special)
  if (state !== undefined) {
    const isLiteral = special.length === 1
    return { context: { ...context, state, jsCtx: isLiteral ? 'jsCtxRegexp' : jsCtx }, length }
  }
  if (special === '/') return readSlash({ ...context, jsCtx }, text, found.index)
  return { context: afterBrace({ ...context, jsCtx: 'jsCtxRegexp' }, special), length }
}

/** Reads the start of a comment, a regular expression or a division. */
function readSlash(context: Context, text: string, at: number): Step {
  const next = text.charAt(at + 1)
  if (next === '/') return { context: { ...context, state: 'stateJSLineCmt' }, length: at + 2 }
  if (next === '*') return { context: { ...context, state: 'stateJSBlockCmt' }, length: at + 2 }
  switch (context.jsCtx) {
    case 'jsCtxRegexp':
      return { context: { ...context, state: 'stateJSRegexp' }, length: at + 1 }
    case 'jsCtxDivOp':
      return { context: { ...context, jsCtx: 'jsCtxRegexp' }, length: at + 1 }
    default: {
      const rest = goQuote(firstRunes(text.slice(at), 32))
      const problem = `'/' could start a division or regexp: ${rest}`
      return { context: errorContext(problem), length: text.length }
    }
  }
}

/** Counts braces only within template literals, to find the end of an expression in one. */
function afterBrace(context: Context, brace: string): Context {
  const outer = context.jsBraceDepth.slice(0, -1)
  const depth = context.jsBraceDepth.at(-1)
  if (depth === undefined) return context
  if (brace === '{') return { ...context, jsBraceDepth: [...outer, depth + 1] }
  if (depth > 0) return { ...context, jsBraceDepth: [...outer, depth - 1] }
  return { ...context, state: 'stateJSTmplLit', jsBraceDepth: outer }
}

/** The meaning of a slash after this text. */
function jsCtxAfter(text: string, before: JsCtx): JsCtx {
  let end = text.length
  while (end > 0 && blanks.includes(text.charAt(end - 1))) end--
  if (end === 0) return before
  const last = text.charAt(end - 1)
  switch (last) {
    case '+':
    case '-': {
      // In `x++ /` the slash divides, in `x + /` it does not. `+++` ends in a single plus.
      let start = end - 1
      while (start > 0 && text.charAt(start - 1) === last) start--
      return (end - start) % 2 === 1 ? 'jsCtxRegexp' : 'jsCtxDivOp'
    }
    case '.':
      return /\d/.test(text.charAt(end - 2)) ? 'jsCtxDivOp' : 'jsCtxRegexp'
    default:
      if (',<>=*%&|^?!~([:;{}'.includes(last)) return 'jsCtxRegexp'
  }
  let start = end
  while (start > 0 && /[$\w]/.test(text.charAt(start - 1))) start--
  return keywordsBeforeExpression.has(text.slice(start, end)) ? 'jsCtxRegexp' : 'jsCtxDivOp'
}

const stringSpecials = { stateJSDqStr: /["\\]/g, stateJSSqStr: /['\\]/g } as const

/** Reads a string up to its end. */
export function readJsString(context: Context, text: string): Step {
  const pattern =
    context.state === 'stateJSDqStr' ? stringSpecials.stateJSDqStr : stringSpecials.stateJSSqStr
  pattern.lastIndex = 0
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    if (found[0] !== '\\') return { context: afterLiteral(context), length: pattern.lastIndex }
    if (pattern.lastIndex === text.length) return unfinishedEscape(text)
    pattern.lastIndex += 1
  }
  return { context, length: text.length }
}

const regexpSpecials = /[\\/[\]]/g

/** Reads a regular expression up to its end. */
export function readJsRegexp(context: Context, text: string): Step {
  let isInSet = false
  regexpSpecials.lastIndex = 0
  for (let found = regexpSpecials.exec(text); found !== null; found = regexpSpecials.exec(text)) {
    const [special] = found
    if (special === '[') isInSet = true
    else if (special === ']') isInSet = false
    else if (special === '/') {
      // The slash of an end tag is written as part of the expression.
      const isEndTag = /^<\/script$/i.test(
        text.slice(Math.max(found.index - 1, 0), found.index + 7),
      )
      if (!isInSet && !isEndTag) {
        return { context: afterLiteral(context), length: regexpSpecials.lastIndex }
      }
    } else if (regexpSpecials.lastIndex === text.length) return unfinishedEscape(text)
    else regexpSpecials.lastIndex += 1
  }
  if (!isInSet) return { context, length: text.length }
  const problem = `unfinished JS regexp charset: ${goQuote(text)}`
  return { context: errorContext(problem), length: text.length }
}

/** The greatest nesting of template literals. */
const deepestTemplate = 100
const templateSpecials = /[`\\]|\$\{/g

/** Reads a template literal up to its end or its next expression. */
export function readJsTemplate(context: Context, text: string): Step {
  const { jsBraceDepth } = context
  templateSpecials.lastIndex = 0
  for (
    let found = templateSpecials.exec(text);
    found !== null;
    found = templateSpecials.exec(text)
  ) {
    const length = templateSpecials.lastIndex
    if (found[0] === '`') return { context: afterLiteral(context), length }
    if (found[0] !== '\\') {
      if (jsBraceDepth.length >= deepestTemplate) return tooDeep(text)
      const inside = { ...context, jsBraceDepth: [...jsBraceDepth, 0] }
      return { context: { ...inside, state: 'stateJS', jsCtx: 'jsCtxRegexp' }, length }
    }
    if (length === text.length) return unfinishedEscape(text)
    templateSpecials.lastIndex += 1
  }
  return { context, length: text.length }
}

function afterLiteral(context: Context): Context {
  return { ...context, state: 'stateJS', jsCtx: 'jsCtxDivOp' }
}

function tooDeep(text: string): Step {
  const problem = `JS template literals nested more than ${deepestTemplate} deep`
  return { context: errorContext(problem), length: text.length }
}

function unfinishedEscape(text: string): Step {
  const problem = `unfinished escape sequence in JS string: ${goQuote(text)}`
  return { context: errorContext(problem), length: text.length }
}

/** Reads a comment up to the end of its line, which is not part of it. */
export function readJsLineComment(context: Context, text: string): Step {
  lineEnd.lastIndex = 0
  const found = lineEnd.exec(text)
  if (found === null) return { context, length: text.length }
  return { context: { ...context, state: 'stateJS' }, length: found.index }
}

/** Reads a comment up to its end. */
export function readJsBlockComment(context: Context, text: string): Step {
  const end = text.indexOf('*/')
  if (end < 0) return { context, length: text.length }
  return { context: { ...context, state: 'stateJS' }, length: end + 2 }
}
