import { invalidMatcher } from './invalid-matcher.ts'
import { createMatcher, type Matcher, type MatchOperator } from './matcher.ts'

const nameAndOperator =
  /^[\t\n\f\r ]*([a-zA-Z_:][a-zA-Z0-9_:]*)[\t\n\f\r ]*(=~|=|!=|!~)[\t\n\f\r ]*/
const escapes: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['"', '"'],
  ['\\', '\\'],
])
const blanks = '\t\n\f\r '

/**
 * Parses a matcher in the classic grammar: a value needs no quotes.
 *
 * @throws {GatehouseError} `InvalidMatcher`
 */
export function parseClassicMatcher(input: string): Matcher {
  const start = nameAndOperator.exec(input)
  const [head, name, operator] = start ?? []
  if (head === undefined || name === undefined || !isOperator(operator)) {
    throw invalidMatcher(`bad matcher format: ${input}`)
  }
  let end = input.length
  while (end > head.length && blanks.includes(input.charAt(end - 1))) end--
  return createMatcher(name, operator, unescapeValue(input.slice(head.length, end)))
}

function isOperator(text: string | undefined): text is MatchOperator {
  return text === '=' || text === '!=' || text === '=~' || text === '!~'
}

/** Removes quotes and escapes of a value; a backslash before any other character is literal. */
function unescapeValue(raw: string): string {
  if (!raw.isWellFormed()) throw invalidMatcher(`matcher value not valid UTF-8: ${raw}`)
  const unescapedQuote = `matcher value contains unescaped double quote: ${raw}`
  const isQuoted = raw.startsWith('"')
  let isClosed = !isQuoted
  let value = ''
  for (let i = isQuoted ? 1 : 0; i < raw.length; i++) {
    const character = raw.charAt(i)
    const escaped = character === '\\' ? escapes.get(raw.charAt(i + 1)) : undefined
    if (escaped !== undefined) {
      value += escaped
      i++
    } else if (character !== '"') {
      value += character
    } else {
      if (isClosed || i < raw.length - 1) throw invalidMatcher(unescapedQuote)
      isClosed = true
    }
  }
  if (!isClosed) throw invalidMatcher(unescapedQuote)
  return value
}

/**
 * Parses a list of matchers in the classic grammar, with or without braces, which need not balance.
 *
 * @throws {GatehouseError} `InvalidMatcher`
 */
export function parseClassicMatchers(input: string): readonly Matcher[] {
  const inner = input.replace(/^\{/, '').replace(/\}$/, '')
  return splitAtCommas(inner).map(parseClassicMatcher)
}

/** Splits at commas outside quotes; a comma at the end adds no empty piece. */
function splitAtCommas(text: string): string[] {
  const pieces: string[] = []
  let isQuoted = false
  let start = 0
  for (let i = 0; i < text.length; i++) {
    const character = text.charAt(i)
    if (character === '"') isQuoted = !isQuoted
    else if (character === '\\' && text.charAt(i + 1) !== ',') i++
    else if (character === ',' && !isQuoted) {
      pieces.push(text.slice(start, i))
      start = i + 1
    }
  }
  if (start < text.length) pieces.push(text.slice(start))
  return pieces
}
