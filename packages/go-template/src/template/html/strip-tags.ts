import { contentEnd } from './content-end.ts'
import { type Context, isInTag, type State, textContext } from './context.ts'
import type { Step, Transition } from './step.ts'
import {
  readAfterName,
  readAttributeName,
  readBeforeValue,
  readHtmlComment,
  readTag,
  readText,
} from './tag-steps.ts'
import { findValueEnd } from './value-end.ts'

const transitions: Readonly<Partial<Record<State, Transition>>> = {
  stateText: readText,
  stateTag: readTag,
  stateAttrName: readAttributeName,
  stateAfterName: readAfterName,
  stateBeforeValue: readBeforeValue,
  stateHTMLCmt: readHtmlComment,
}

/** The text of a piece of HTML, without tags, comments and scripts. Character references stay encoded. */
export function stripTags(html: string): string {
  const kept: string[] = []
  let context = textContext
  let at = 0
  while (at < html.length) {
    const step = readPiece(context, html, at)
    const { state } = context
    if (state === 'stateText' || state === 'stateRCDATA') {
      const piece = html.slice(at, at + step.length)
      const isAtTag = step.context.state !== state && piece.includes('<')
      kept.push(isAtTag ? piece.slice(0, piece.lastIndexOf('<')) : piece)
    }
    at += step.length
    context = step.context
  }
  return kept.join('')
}

function readPiece(context: Context, html: string, at: number): Step {
  const { state, delim, element } = context
  const rest = html.slice(at)
  if (delim !== 'delimNone') {
    const { after } = findValueEnd(rest, delim)
    return { context: { ...textContext, state: 'stateTag', element }, length: after }
  }
  if (element !== 'elementNone' && !isInTag(state)) {
    const length = contentEnd(element, html, at) - at
    return { context: length < rest.length ? textContext : context, length }
  }
  return transitions[state]?.(context, rest) ?? { context, length: rest.length }
}
