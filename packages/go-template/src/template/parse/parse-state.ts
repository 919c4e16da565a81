import { templateSyntax } from '../errors.ts'
import type { Source, Template } from '../node.ts'
import { ParseScope } from './parse-scope.ts'
import { formatToken, type Token, type TokenKind } from './token.ts'
import type { TokenReader } from './token-reader.ts'

/** The state while one template of a source is parsed. */
export interface ParseState {
  readonly source: Source
  readonly tokens: TokenReader
  /** Whether a function of this name exists. */
  readonly hasFunction: (name: string) => boolean
  /** Receives the complete templates. */
  readonly templates: Map<string, Template>
  /** The greatest nesting of control structures and parentheses. */
  readonly maxNesting: number
  /** The nesting at this position. */
  nesting: number
  /** The variables in scope. */
  readonly variables: ParseScope
  /** The number of enclosing `range` actions. */
  ranges: number
  /** The line of the current action, for later errors. */
  actionLine: number | undefined
}

/** The initial state for another template of the same source. */
export function startTemplate(outer: ParseState): ParseState {
  return { ...outer, variables: new ParseScope(), ranges: 0, actionLine: undefined }
}

/** Throws an error at the current line. */
export function fail({ source, tokens }: ParseState, message: string): never {
  throw templateSyntax(source, tokens.line, message)
}

/** Throws an error about an unexpected token. */
export function failUnexpected(state: ParseState, token: Token, context: string): never {
  if (token.kind !== 'error') fail(state, `unexpected ${formatToken(token)} in ${context}`)
  const { actionLine, source } = state
  if (actionLine === undefined || actionLine === token.line) fail(state, token.text)
  const started = `started at ${source.name}:${actionLine}`
  fail(state, `${token.text}${token.text.endsWith(' action') ? '' : ' in action'} ${started}`)
}

/** Reads a token of this kind, or fails. */
export function expectToken(state: ParseState, kind: TokenKind, context: string): Token {
  const token = state.tokens.nextNonSpace()
  if (token.kind !== kind) failUnexpected(state, token, context)
  return token
}

/** Runs `read` one level deeper. */
export function nested<T>(state: ParseState, read: () => T): T {
  if (state.nesting >= state.maxNesting)
    fail(state, `nested deeper than ${state.maxNesting} levels`)
  state.nesting += 1
  const result = read()
  state.nesting -= 1
  return result
}
