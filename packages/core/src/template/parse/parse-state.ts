import { templateSyntax } from '../errors.ts'
import type { Source, Template } from '../node.ts'
import { ParseScope } from './parse-scope.ts'
import { formatToken, type Token, type TokenKind } from './token.ts'
import type { TokenReader } from './token-reader.ts'

/** What is known while one template of a source is read. */
export interface ParseState {
  readonly source: Source
  readonly tokens: TokenReader
  /** Whether a function of this name exists. */
  readonly hasFunction: (name: string) => boolean
  /** Where templates are put when they are complete. */
  readonly templates: Map<string, Template>
  /** How deep control structures and parentheses may be nested. */
  readonly maxNesting: number
  /** How deep they are here. */
  nesting: number
  /** The variables that may be used here. */
  readonly variables: ParseScope
  /** How many `range` there are around this place. */
  ranges: number
  /** The line of the action that is being read, for errors further down. */
  actionLine: number | undefined
}

/** The state in which another template of the same source starts. */
export function startTemplate(outer: ParseState): ParseState {
  return { ...outer, variables: new ParseScope(), ranges: 0, actionLine: undefined }
}

/** Stops with an error at the line that has been read up to. */
export function fail({ source, tokens }: ParseState, message: string): never {
  throw templateSyntax(source, tokens.line, message)
}

/** Stops because of a token that must not stand here. */
export function failUnexpected(state: ParseState, token: Token, context: string): never {
  if (token.kind !== 'error') fail(state, `unexpected ${formatToken(token)} in ${context}`)
  const { actionLine, source } = state
  if (actionLine === undefined || actionLine === token.line) fail(state, token.text)
  const started = `started at ${source.name}:${actionLine}`
  fail(state, `${token.text}${token.text.endsWith(' action') ? '' : ' in action'} ${started}`)
}

/** Takes a token of this kind. */
export function expectToken(state: ParseState, kind: TokenKind, context: string): Token {
  const token = state.tokens.nextNonSpace()
  if (token.kind !== kind) failUnexpected(state, token, context)
  return token
}

/** Reads what is nested one level deeper. */
export function nested<T>(state: ParseState, read: () => T): T {
  if (state.nesting >= state.maxNesting)
    fail(state, `nested deeper than ${state.maxNesting} levels`)
  state.nesting += 1
  const result = read()
  state.nesting -= 1
  return result
}
