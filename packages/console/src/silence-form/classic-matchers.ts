import type { Matcher } from '@gatehouse/client'

const nameAndOperator =
  /^[\t\n\f\r ]*([a-zA-Z_:][a-zA-Z0-9_:]*)[\t\n\f\r ]*(=~|=|!=|!~)[\t\n\f\r ]*/
const blanksAtEnd = /[\t\n\f\r ]+$/
/** With or without quotes. Only a quote in the middle, which may mean anything, is not a value. */
const unquoted = /^(?:[^"\\]|\\[\s\S]|\\$)*$/
const quoted = /^"((?:[^"\\]|\\[\s\S])*)"$/

/**
 * Reads matchers in Alertmanager's classic grammar, where a value needs no quotes: `node=x y`. Old links have it. `undefined` if the
 * text is wrong in that grammar too.
 */
export function readClassicMatchers(input: string): readonly Matcher[] | undefined {
  const inner = input.trim().replace(/^\{/, '').replace(/\}$/, '')
  const matchers: Matcher[] = []
  for (const piece of piecesOf(inner)) {
    const matcher = readMatcher(piece)
    if (matcher === undefined) return undefined
    matchers.push(matcher)
  }
  return matchers
}

function readMatcher(piece: string): Matcher | undefined {
  const [head, name, operator] = nameAndOperator.exec(piece) ?? []
  if (head === undefined || name === undefined || operator === undefined) return undefined
  const written = piece.slice(head.length).replace(blanksAtEnd, '')
  const text = written.startsWith('"') ? quoted.exec(written)?.[1] : unquoted.exec(written)?.[0]
  if (text === undefined) return undefined
  // A backslash before any other character is literal.
  const value = text.replace(/\\([n"\\])/g, (_, escaped) => (escaped === 'n' ? '\n' : escaped))
  return { name, value, isRegex: operator.endsWith('~'), isEqual: operator.startsWith('=') }
}

/** The parts between commas outside of quotes. A comma at the end adds none. */
function piecesOf(text: string): readonly string[] {
  const pieces: string[] = []
  let isQuoted = false
  let start = 0
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at)
    if (character === '"') isQuoted = !isQuoted
    else if (character === '\\' && text.charAt(at + 1) !== ',') at++
    else if (character === ',' && !isQuoted) {
      pieces.push(text.slice(start, at))
      start = at + 1
    }
  }
  return start < text.length ? [...pieces, text.slice(start)] : pieces
}
