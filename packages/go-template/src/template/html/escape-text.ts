import { HtmlReader } from './after-text.ts'
import { type Context, isComment, isJsLiteral, type State } from './context.ts'
import { EscapeProblem } from './problem.ts'

/** A template text for the output, and the context after it. */
export interface EscapedText {
  readonly text: string
  readonly context: Context
}

const doctype = '<!DOCTYPE'
const lineEnd = /[\n\r\u2028\u2029]/
/** Texts that would end or change a script, even within a string. */
const scriptTag = /<(script|\/script|!--)/gi
/** The lengths of the comment openers. */
const commentStarts: Readonly<Partial<Record<State, number>>> = {
  stateHTMLCmt: 4,
  stateJSHTMLOpenCmt: 4,
  stateJSHTMLCloseCmt: 3,
}

/**
 * Removes the comments from a template text, and writes a `<` that begins no tag as `&lt;`.
 *
 * @throws {EscapeProblem} if programs could interpret the HTML differently.
 */
export function escapeText(context: Context, text: string): EscapedText {
  const reader = new HtmlReader(text)
  const written: string[] = []
  let before = context
  let at = 0
  while (at < text.length) {
    const step = reader.read(before, at)
    const { context: after, length } = step
    if (after.state === 'stateError') throw new EscapeProblem(after.problem ?? '')
    written.push(escapePiece(text.slice(at, at + length), before, after))
    at += length
    before = after
  }
  return { text: written.join(''), context: before }
}

/** The output for a piece of text between two contexts. */
function escapePiece(piece: string, before: Context, after: Context): string {
  if (isComment(before.state) && before.delim === 'delimNone') return commentText(piece, before)
  const isOpening = before.state !== after.state && isComment(after.state)
  const kept =
    isOpening && after.delim === 'delimNone'
      ? piece.slice(0, piece.length - (commentStarts[after.state] ?? 2))
      : piece
  if (before.state === 'stateText' || before.state === 'stateRCDATA') {
    const isTag = before.state !== after.state && !isOpening
    return escapeAngles(kept, isTag ? kept.lastIndexOf('<') : -1)
  }
  return isJsLiteral(before.state) ? kept.replace(scriptTag, '\\x3C$1') : kept
}

/** The rest of a comment, which separates the words around it. */
function commentText(comment: string, { state }: Context): string {
  if (state === 'stateCSSBlockCmt') return ' '
  if (state !== 'stateJSBlockCmt') return ''
  // A line end in a comment may end a statement.
  return lineEnd.test(comment) ? '\n' : ' '
}

/** Escapes every `<` in a text, except the one at `tag` and those of document types. */
function escapeAngles(text: string, tag: number): string {
  if (!text.includes('<')) return text
  return text.replace(/</g, (angle, at: number) => {
    const isDoctype = text.slice(at, at + doctype.length).toUpperCase() === doctype
    return at === tag || isDoctype ? angle : '&lt;'
  })
}
