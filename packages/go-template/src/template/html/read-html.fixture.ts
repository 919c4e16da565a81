/** A piece of HTML as a browser parses it. */
export type HtmlPiece =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'tag'
      readonly name: string
      readonly attributes: ReadonlyMap<string, string>
    }

/** Elements with text content. In the first two even character references are not decoded. */
const textElements = ['script', 'style', 'textarea', 'title']

const tag = /<(\/?[a-zA-Z][^\t\n\f\r />]*)([^"'>]*(?:"[^"]*"[^"'>]*|'[^']*'[^"'>]*)*)>/y
const attribute =
  /[\t\n\f\r /]*([^\t\n\f\r />=]+)(?:[\t\n\f\r ]*=[\t\n\f\r ]*(?:"([^"]*)"|'([^']*)'|([^\t\n\f\r >"']+)))?/y
const names: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['gt', '>'],
  ['lt', '<'],
  ['quot', '"'],
])

/**
 * Parses HTML as far as the tests need it: tags, attributes, text, and no errors.
 *
 * @see https://html.spec.whatwg.org/multipage/parsing.html#tokenization
 */
export function readHtml(html: string): HtmlPiece[] {
  const pieces: HtmlPiece[] = []
  let text = ''
  let at = 0
  const endText = (): void => {
    if (text !== '') pieces.push({ kind: 'text', text: decodeReferences(text) })
    text = ''
  }
  while (at < html.length) {
    tag.lastIndex = at
    const [whole, name = '', attributes = ''] = tag.exec(html) ?? []
    if (whole === undefined) {
      text += html.charAt(at)
      at += 1
      continue
    }
    endText()
    pieces.push({ kind: 'tag', name: name.toLowerCase(), attributes: readAttributes(attributes) })
    at += whole.length
    if (!textElements.includes(name)) continue
    const end = html.indexOf(`</${name}>`, at)
    const content = html.slice(at, end < 0 ? html.length : end)
    const isRaw = name === 'script' || name === 'style'
    pieces.push({ kind: 'text', text: isRaw ? content : decodeReferences(content) })
    at += content.length
  }
  endText()
  return pieces
}

function readAttributes(text: string): Map<string, string> {
  const attributes = new Map<string, string>()
  attribute.lastIndex = 0
  for (let found = attribute.exec(text); found !== null; found = attribute.exec(text)) {
    const [, name = '', double, single, bare = ''] = found
    attributes.set(name.toLowerCase(), decodeReferences(double ?? single ?? bare))
  }
  return attributes
}

/** Decodes character references. */
export function decodeReferences(text: string): string {
  return text.replace(/&(?:#(\d+)|#x([\da-f]+)|([a-z]+));/g, (_, decimal, hex, name) => {
    if (name !== undefined) return names.get(name) ?? `&${name};`
    return String.fromCodePoint(decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal))
  })
}
