import { goUnquote } from '@gatehouse/go-template/text'
import type { GatehouseError } from '../../errors.ts'
import { invalidMatcher } from './invalid-matcher.ts'
import { createMatcher, type Matcher, type MatchOperator } from './matcher.ts'
import { scanTokens, type Token, type TokenScanner } from './utf8-matcher-tokens.ts'

/**
 * Parses a list of matchers in the UTF-8 grammar: names and values may be quoted, braces must balance.
 *
 * @throws {GatehouseError} `InvalidMatcher`, with the columns of the error
 */
export function parseUtf8Matchers(input: string): readonly Matcher[] {
  const tokens = scanTokens(input)
  const isOpened = tokens.peek().kind === 'open'
  if (isOpened) tokens.next()
  const matchers = isAtEnd(tokens) ? [] : parseSequence(tokens)
  const { kind, end } = tokens.peek()
  if (isOpened && kind === 'end') {
    throw invalidMatcher(`0:${end}: end of input: expected close brace`)
  }
  if (!isOpened && kind === 'close') throw invalidMatcher(`0:${end}: }: expected opening brace`)
  if (isOpened) tokens.next()
  const rest = tokens.next()
  if (rest.kind === 'invalid') throw unexpected(rest, 'expected end of input')
  if (rest.kind !== 'end') {
    throw invalidMatcher(`${rest.start}:${rest.end}: ${rest.text}: expected end of input`)
  }
  return matchers
}

function isAtEnd(tokens: TokenScanner): boolean {
  const { kind } = tokens.peek()
  return kind === 'close' || kind === 'end'
}

function parseSequence(tokens: TokenScanner): Matcher[] {
  const matchers = [parseOne(tokens)]
  while (!isAtEnd(tokens)) {
    const comma = tokens.next()
    if (comma.kind !== 'comma') throw unexpected(comma, 'expected a comma or close brace')
    if (isAtEnd(tokens)) break
    if (!isText(tokens.peek())) {
      throw unexpected(tokens.peek(), 'expected a matcher or close brace after comma')
    }
    matchers.push(parseOne(tokens))
  }
  return matchers
}

function parseOne(tokens: TokenScanner): Matcher {
  const name = readText(tokens.next(), 'expected label name')
  const operator = readOperator(tokens.next())
  return createMatcher(name, operator, readText(tokens.next(), 'expected label value'))
}

function isText(token: Token): boolean {
  return token.kind === 'quoted' || token.kind === 'unquoted'
}

function readText(token: Token, expected: string): string {
  if (!isText(token)) throw unexpected(token, expected)
  if (token.kind === 'unquoted') return token.text
  const text = goUnquote(token.text)
  if (text !== undefined) return text
  throw invalidMatcher(`${token.start}:${token.end}: ${token.text}: invalid input`)
}

function readOperator(token: Token): MatchOperator {
  const { text } = token
  if (
    token.kind === 'operator' &&
    (text === '=' || text === '!=' || text === '=~' || text === '!~')
  )
    return text
  throw unexpected(token, "expected an operator such as '=', '!=', '=~' or '!~'")
}

function unexpected({ kind, text, start, end }: Token, expected: string): GatehouseError {
  if (kind === 'end') return invalidMatcher(`end of input: ${expected}`)
  if (kind === 'invalid') return invalidMatcher(`${text}: ${expected}`)
  return invalidMatcher(`${start}:${end}: unexpected ${text}: ${expected}`)
}
