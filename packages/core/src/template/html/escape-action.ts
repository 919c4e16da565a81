import { goQuote } from '../../go/quote.ts'
import { formatNode } from '../format-node.ts'
import type { ActionNode, Source } from '../node.ts'
import { type Context, isComment, type State } from './context.ts'
import { escapePipe, predefinedEscaper } from './escape-pipe.ts'
import type { EscaperName } from './escaper-name.ts'
import { nudge } from './join-contexts.ts'
import { EscapeProblem } from './problem.ts'

/** An action whose value is made safe, and the context behind it. */
interface EscapedAction {
  readonly node: ActionNode
  readonly context: Context
}

/** States in which a value may be a URL. */
const urlStates: ReadonlySet<State> = new Set<State>([
  'stateURL',
  'stateCSSDqStr',
  'stateCSSSqStr',
  'stateCSSDqURL',
  'stateCSSSqURL',
  'stateCSSURL',
])

/** What makes a value safe in states where one escaper does it. */
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
 * Puts what makes a value safe in its context at the end of an action.
 *
 * @throws {EscapeProblem} where no value would be safe.
 */
export function escapeAction(before: Context, node: ActionNode, source: Source): EscapedAction {
  // What sets a variable prints nothing.
  if (node.pipe.variables.length > 0) return { node, context: before }
  const context = nudge(before)
  const problem = findProblem(context, node)
  if (problem !== undefined) throw new EscapeProblem(problem, { source, pos: node.pos })
  const pipe = escapePipe(node.pipe, [...contentEscapers(context), ...valueEscapers(context)])
  // A slash behind a value divides it.
  const isJs = context.state === 'stateJS'
  return { node: { ...node, pipe }, context: isJs ? { ...context, jsCtx: 'jsCtxDivOp' } : context }
}

function findProblem(context: Context, node: ActionNode): string | undefined {
  const { state, delim, urlPart } = context
  const { commands } = node.pipe
  for (const [i, command] of commands.entries()) {
    const name = predefinedEscaper(command)
    if (name === undefined) continue
    // What comes after it would work on escaped text; and it leaves the blanks that end such a value.
    const isUnquoted = state === 'stateAttr' && delim === 'delimSpaceOrTagEnd' && name === 'html'
    if (i < commands.length - 1 || isUnquoted) {
      return `predefined escaper ${goQuote(name)} disallowed in template`
    }
  }
  if (!urlStates.has(state) || urlPart !== 'urlPartUnknown') return undefined
  return `${formatNode(node)} appears in an ambiguous context within a URL`
}

/** What makes a value safe in the language that it stands in. */
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

/** What keeps a value within its attribute. */
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
