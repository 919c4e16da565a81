import { valueStates } from './attribute-kind.ts'
import { type Context, formatContext, isSameContext } from './context.ts'
import { EscapeProblem, type Place } from './problem.ts'

/** The context of an action: where a name or a value must begin, it begins with the action. */
export function nudge(context: Context): Context {
  switch (context.state) {
    case 'stateTag':
      return { ...context, state: 'stateAttrName' }
    case 'stateBeforeValue': {
      const state = valueStates[context.attr]
      return { ...context, state, delim: 'delimSpaceOrTagEnd', attr: 'attrNone' }
    }
    case 'stateAfterName':
      return { ...context, state: 'stateAttrName', attr: 'attrNone' }
    default:
      return context
  }
}

/** The names of statements with branches. */
export type BranchKind = 'if' | 'range' | 'with'

/**
 * Joins the contexts at the ends of two branches.
 *
 * @throws {EscapeProblem} if they are incompatible.
 */
export function joinContexts(a: Context, b: Context, kind: BranchKind, place: Place): Context {
  const joined = tryJoin(a, b)
  if (joined !== undefined) return joined
  const contexts = `${formatContext(a)}, ${formatContext(b)}`
  throw new EscapeProblem(`{{${kind}}} branches end in different contexts: ${contexts}`, place)
}

function tryJoin(a: Context, b: Context): Context | undefined {
  if (a.state === 'stateDead') return b
  if (b.state === 'stateDead' || isSameContext(a, b)) return a
  if (isSameContext({ ...a, urlPart: b.urlPart }, b)) return { ...a, urlPart: 'urlPartUnknown' }
  if (isSameContext({ ...a, jsCtx: b.jsCtx }, b)) return { ...a, jsCtx: 'jsCtxUnknown' }
  // Allows `<p title={{if .X}}{{.X}}{{end}}>`, which may write nothing.
  const nudgedA = nudge(a)
  const nudgedB = nudge(b)
  const isNudged = !isSameContext(nudgedA, a) || !isSameContext(nudgedB, b)
  return isNudged ? tryJoin(nudgedA, nudgedB) : undefined
}
