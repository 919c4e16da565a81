import { goQuote } from '../../text/quote.ts'
import { formatNode } from '../format-node.ts'
import type { ActionNode, Source } from '../node.ts'
import { type Context, isComment, type State } from './context.ts'
import { escapePipe, predefinedEscaper } from './escape-pipe.ts'
import type { EscaperName } from './escaper-name.ts'
import { nudge } from './join-contexts.ts'
import { EscapeProblem } from './problem.ts'

/** An action with its escapers, and the context after it. */
interface EscapedAction {
  readonly node: ActionNode
  readonly context: Context
}

/** The states in which a value may be a URL. */
const urlStates: ReadonlySet<State> = new Set<State>([
  'stateURL',
  'stateCSSDqStr',
  'stateCSSSqStr',
  'stateCSSDqURL',
  'stateCSSSqURL',
  'stateCSSURL',
])

/** The escaper for states that need only one. */
const escapersByState: Readonly<Partial<Record<State, EscaperName>>> = {
  stateText: '_html_template_htmlescaper',
  stateRCDATA: '_html_template_rcdataescaper',
  stateAttrName: '_html_template_htmlnamefilter',
  stateSrcset: '_html_template_srcsetescaper',
  stateMetaContentURL: '_html_template_urlfilter',
  stateJS: '_html_template_jsvalescaper',
  stateJSDqStr: '_html_template_jsstrescaper',
  stateJSSqStr: '_html_template_jsstrescaper',
  stateJSTmplLit: '_html_template_jstmpllitescaper',
  stateJSRegexp: '_html_template_jsregexpescaper',
  stateCSS: '_html_template_cssvaluefilter',
}

/**
 * Appends the escapers that make a value safe in its context to an action.
 *
 * @throws {EscapeProblem} if no value would be safe.
 */
export function escapeAction(before: Context, node: ActionNode, source: Source): EscapedAction {
  // An action that sets a variable prints nothing.
  if (node.pipe.variables.length > 0) return { node, context: before }
  const context = nudge(before)
  const problem = findProblem(context, node)
  if (problem !== undefined) throw new EscapeProblem(problem, { source, pos: node.pos })
  const pipe = escapePipe(node.pipe, [...contentEscapers(context), ...valueEscapers(context)])
  // After a value, a slash is a division.
  const isJs = context.state === 'stateJS'
  return { node: { ...node, pipe }, context: isJs ? { ...context, jsCtx: 'jsCtxDivOp' } : context }
}

function findProblem(context: Context, node: ActionNode): string | undefined {
  const { state, delim, urlPart } = context
  const { commands } = node.pipe
  for (const [i, command] of commands.entries()) {
    const name = predefinedEscaper(command)
    if (name === undefined) continue
    // Later functions would get escaped text. Also, `html` does not escape the blanks that end an unquoted value.
    const isUnquoted = state === 'stateAttr' && delim === 'delimSpaceOrTagEnd' && name === 'html'
    if (i < commands.length - 1 || isUnquoted) {
      return `predefined escaper ${goQuote(name)} disallowed in template`
    }
  }
  if (!urlStates.has(state) || urlPart !== 'urlPartUnknown') return undefined
  return `${formatNode(node)} appears in an ambiguous context within a URL`
}

/** The escapers that make a value safe in the language of the context. */
function contentEscapers({ state, urlPart }: Context): readonly EscaperName[] {
  if (isComment(state)) return ['_html_template_commentescaper']
  if (!urlStates.has(state)) {
    const escaper = escapersByState[state]
    return escaper === undefined ? [] : [escaper]
  }
  if (urlPart === 'urlPartQueryOrFrag') return ['_html_template_urlescaper']
  const isCssString = state === 'stateCSSDqStr' || state === 'stateCSSSqStr'
  const escaper = isCssString ? '_html_template_cssescaper' : '_html_template_urlnormalizer'
  return urlPart === 'urlPartNone' ? ['_html_template_urlfilter', escaper] : [escaper]
}

/** The escapers that keep a value inside its attribute. */
function valueEscapers({ delim }: Context): readonly EscaperName[] {
  switch (delim) {
    case 'delimNone':
      return []
    case 'delimSpaceOrTagEnd':
      return ['_html_template_nospaceescaper']
    default:
      return ['_html_template_attrescaper']
  }
}
