import type { Context, State } from './context.ts'
import type { Step } from './step.ts'

/** Reads a URL or a list of them. */
export function readUrl(context: Context, text: string): Step {
  return { context: afterUrlText(context, text), length: text.length }
}

/** The context after a piece of a URL. Only its beginning may contain a scheme, only its end a query. */
export function afterUrlText(context: Context, text: string): Context {
  if (/[#?]/.test(text)) return { ...context, urlPart: 'urlPartQueryOrFrag' }
  const isBegun = context.urlPart === 'urlPartNone' && /[^ \t\n\f\r]/.test(text)
  return isBegun ? { ...context, urlPart: 'urlPartPreQuery' } : context
}

/** Reads the content for `http-equiv`, which may contain a URL to go to. */
export function readMetaContent(context: Context, text: string): Step {
  const start = text.search(/url=/i)
  if (start < 0) return { context, length: text.length }
  const state: State = 'stateMetaContentURL'
  return { context: { ...context, state }, length: start + 'url='.length }
}

/** Reads that URL, up to a semicolon. */
export function readMetaUrl(context: Context, text: string): Step {
  const end = text.indexOf(';')
  if (end < 0) return { context, length: text.length }
  return { context: { ...context, state: 'stateMetaContent' }, length: end + 1 }
}
