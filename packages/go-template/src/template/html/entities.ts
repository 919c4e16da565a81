/** Names of ASCII characters. No other character matters to the engine. */
const names: ReadonlyMap<string, string> = new Map([
  ['AMP', '&'],
  ['DiacriticalGrave', '`'],
  ['GT', '>'],
  ['Hat', '^'],
  ['LT', '<'],
  ['NewLine', '\n'],
  ['QUOT', '"'],
  ['Tab', '\t'],
  ['UnderBar', '_'],
  ['VerticalLine', '|'],
  ['amp', '&'],
  ['apos', "'"],
  ['ast', '*'],
  ['bsol', '\\'],
  ['colon', ':'],
  ['comma', ','],
  ['commat', '@'],
  ['dollar', '$'],
  ['equals', '='],
  ['excl', '!'],
  ['fjlig', 'fj'],
  ['grave', '`'],
  ['gt', '>'],
  ['lbrace', '{'],
  ['lbrack', '['],
  ['lcub', '{'],
  ['lowbar', '_'],
  ['lpar', '('],
  ['lsqb', '['],
  ['lt', '<'],
  ['midast', '*'],
  ['num', '#'],
  ['percnt', '%'],
  ['period', '.'],
  ['plus', '+'],
  ['quest', '?'],
  ['quot', '"'],
  ['rbrace', '}'],
  ['rbrack', ']'],
  ['rcub', '}'],
  ['rpar', ')'],
  ['rsqb', ']'],
  ['semi', ';'],
  ['sol', '/'],
  ['verbar', '|'],
  ['vert', '|'],
])
const reference =
  /&(?:#(\d+);?|#[xX]([\da-fA-F]+);?|([a-zA-Z][\da-zA-Z]{0,31});|(AMP|GT|LT|QUOT|amp|gt|lt|quot))/g

/**
 * Decodes the character references in a piece of HTML. A reference to a non-ASCII character becomes an arbitrary letter, because
 * callers do not care which.
 *
 * @see https://html.spec.whatwg.org/multipage/named-characters.html
 */
export function decodeEntities(html: string): string {
  if (!html.includes('&')) return html
  return html.replace(reference, (_, decimal?: string, hex?: string, name = '', prefix = '') => {
    if (decimal !== undefined) return characterOf(Number.parseInt(decimal, 10))
    if (hex !== undefined) return characterOf(Number.parseInt(hex, 16))
    return names.get(name || prefix) ?? '\u00e9'
  })
}

function characterOf(codePoint: number): string {
  const isCharacter = codePoint > 0 && codePoint <= 0x10ffff
  const isSurrogate = codePoint >= 0xd800 && codePoint <= 0xdfff
  return isCharacter && !isSurrogate ? String.fromCodePoint(codePoint) : '\ufffd'
}
