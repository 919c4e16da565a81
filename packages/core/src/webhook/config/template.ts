// biome-ignore-all lint/suspicious/noTemplateCurlyInString: configurations have such texts.
import { expandForeign, type Outside } from '../../document/outside-text.ts'
import type { Report } from '../../document/schema.ts'
import type { Surroundings, Template } from '../webhook.ts'
import { readSource } from './sources.ts'

/** What may stand around a value: the text before it decides, or says why none may stand there. */
type Place = (before: string) => Surroundings | { readonly problem: string }

const places = /\$\$\{|\$\{([^}]*)(\}?)/g

interface Parsing {
  readonly placeOf: Place
  readonly report: Report
  readonly outside: Outside
}

/**
 * Reads a text with places `${data.ref}` for values of a request. `${env:NAME}` and its like are values from outside, and `$${` is
 * `${`. It is one pass, so that a value from outside never becomes a place.
 */
export function parseTemplate(
  written: string,
  { placeOf, report, outside }: Parsing,
): Template | undefined {
  const pieces: Template[number][] = []
  let before = ''
  const add = (literal: string): void => {
    if (literal !== '') pieces.push(literal)
    before += literal
  }
  let at = 0
  for (const match of written.matchAll(places)) {
    const [whole, name = '', end] = match
    add(written.slice(at, match.index))
    at = match.index + whole.length
    if (whole === '$${') add('${')
    else if (end === '') return report('bad_path', '${ is not closed with }')
    else if (/^(?:env|file|cred):/.test(name)) {
      const { value, problems } = expandForeign(whole, outside)
      for (const problem of problems) report('unresolved_reference', problem)
      if (problems.length > 0) return undefined
      add(value)
    } else {
      const source = readSource(name, report)
      if (source === undefined) return undefined
      const within = placeOf(before)
      if (typeof within === 'object') return report('conflict', within.problem)
      pieces.push({ ...source, within })
      before += 'x'
    }
  }
  add(written.slice(at))
  return pieces
}

/** Whether a JSON text ends inside of a string. */
function endsInString(json: string): boolean {
  let isInside = false
  for (let at = 0; at < json.length; at++) {
    if (json[at] === '\\' && isInside) at++
    else if (json[at] === '"') isInside = !isInside
  }
  return isInside
}

/** Elements whose text is not only text to a browser. */
const rawElement = /<(?:script|style|textarea|title|noscript|iframe|xmp|plaintext|svg|math)\b/i

function placeInMarkup(before: string): ReturnType<Place> {
  if (before.lastIndexOf('<') > before.lastIndexOf('>')) {
    return { problem: 'a value must not stand inside of a tag or a comment' }
  }
  return rawElement.test(before)
    ? { problem: 'a value must not stand after an element such as script or style' }
    : 'markup'
}

/** Where values may stand in a text of this media type. */
export function placeInBody(type: string): Place {
  const [plain = ''] = type.toLowerCase().split(';')
  const media = plain.trim()
  if (media === 'text/plain') return () => 'text'
  if (/^application\/(?:json|.+\+json)$/.test(media)) {
    return (before) => (endsInString(before) ? 'json-string' : 'json-value')
  }
  if (/^(?:text\/html|(?:text|application)\/xml|.+\+xml)$/.test(media)) return placeInMarkup
  const problem = `a value must not stand in ${media}: it can be encoded for text/plain, JSON, HTML and XML`
  return () => ({ problem })
}

/** Where values may stand in a header with this name. Others decide what a browser does. */
export function placeInHeader(name: string): Place {
  const lower = name.toLowerCase()
  if (lower.startsWith('x-')) return () => 'header'
  if (lower !== 'location') {
    return () => ({
      problem: 'a value may stand only in Location and in headers that begin with X-',
    })
  }
  return (before) =>
    /^(?:https?:\/\/[^/?#\\]+[/?#]|\/(?![/\\]))/i.test(before)
      ? 'url'
      : { problem: 'a value must not choose where the answer leads: it may stand after a / or ?' }
}

/** Whether a template for JSON is JSON, whatever its values are. */
export function isJsonTemplate(template: Template): boolean {
  const sample = template.map((piece) => {
    if (typeof piece === 'string') return piece
    return piece.within === 'json-value' ? '""' : 'x'
  })
  try {
    JSON.parse(sample.join(''))
    return true
  } catch {
    return false
  }
}
