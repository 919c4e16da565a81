import { RE2JS, RE2JSSyntaxException } from 're2js'
import { GatehouseError, isGatehouseError } from '../errors.ts'
import { createEngineCache } from './engine-cache.ts'
import { type RegexShape, shapeOf } from './regex-shape.ts'
import { regexSize } from './regex-size.ts'
import { type RegexToken, tokenizeRegex } from './regex-tokens.ts'

/** A compiled regular expression that matches whole texts, in time linear in their length. */
export interface Pattern {
  /** The expression as it was given. */
  readonly source: string
  /** Whether the expression matches the whole of `value`. One that is longer than `longest` does not. */
  test(value: string): boolean
  /** The only texts that match, where these are few and known; no two are equal. */
  readonly literals?: readonly string[]
  /** What every text that matches starts with, where that is known and not empty. */
  readonly prefix?: string
  /** The most characters of a value that it is compared with; a longer one does not match. */
  readonly longest: number
  /** Whether a comparison may take long: up to some 60 ms, and as much again to compile the expression. */
  readonly isCostly: boolean
}

/** The longest expression the engine is given: some take it a time that grows with their square. */
const mostCharacters = 20_000

/**
 * How many instructions an expression may have at least, and for each of its characters. An instruction
 * costs 3 µs and 400 bytes to compile, and up to 30 ns for each character of a text; so counts like
 * `a{0,1000}b{0,1000}`, which make much out of little, are what is limited.
 */
const leastInstructions = 10_000
const instructionsPerCharacter = 2

/**
 * A comparison takes up to 30 ns for each instruction and character, and cannot be interrupted: a value that is too long for
 * an expression of this size is not matched.
 */
const mostSteps = 2_000_000

/** All compiled expressions of the process. */
const engines = createEngineCache(64 * 1024 * 1024)

/** How much is remembered: expressions, and the characters of all of them. */
const mostRemembered = 1_000
const mostRememberedCharacters = 200_000

const remembered = new Map<string, Pattern>()
let rememberedCharacters = 0

/**
 * Compiles an expression in RE2 syntax that has to match whole texts. Expressions made of literal text,
 * bars and a leading or trailing `.*` are matched without the engine. The last used ones are kept.
 *
 * @throws {GatehouseError} `InvalidRegex`, with Go's text; where the whole expression is at fault it is
 *   quoted as it is compiled, between `^(?:` and `)$`.
 * @see https://github.com/google/re2/wiki/Syntax
 */
export function compilePattern(source: string): Pattern {
  const known = remembered.get(source)
  if (known !== undefined) {
    remembered.delete(source)
    remembered.set(source, known)
    return known
  }
  const tokens = tokensOf(source, wholeText)
  const shape = shapeOf(tokens)
  const engine = shape.test === undefined ? compile(source, tokens, wholeText) : undefined
  const pattern = patternOf(source, shape, regexSize(tokens), engine)
  remember(pattern)
  return pattern
}

/**
 * The same for an expression that was checked before, as one that was stored: it is compiled when it is first needed. One
 * that cannot be compiled matches nothing.
 */
export function deferPattern(source: string): Pattern {
  const known = remembered.get(source)
  if (known !== undefined) return known
  const tokens = tokenizeRegex(source) ?? [{ kind: 'class' }]
  return patternOf(source, shapeOf(tokens), regexSize(tokens))
}

function patternOf(
  source: string,
  { test, ...shape }: RegexShape,
  size: number,
  compiled?: RE2JS,
): Pattern {
  if (test !== undefined)
    return { source, test, longest: Number.POSITIVE_INFINITY, isCostly: false, ...shape }
  const prefix = shape.prefix ?? ''
  const longest = mostSteps / size
  const engine = engines.add({ compile: () => compileAgain(source), size, engine: compiled })
  return {
    source,
    test: (value) =>
      value.startsWith(prefix) && value.length <= longest && engine.test(value) === true,
    longest,
    isCostly: true,
    ...shape,
  }
}

/** Compiles what was checked before; `undefined` for a text that was not, and is no expression. */
function compileAgain(source: string): RE2JS | undefined {
  try {
    return compile(source, tokensOf(source, wholeText), wholeText)
  } catch (error) {
    if (!isGatehouseError(error)) throw error
    return undefined
  }
}

/**
 * Checks that a text is an expression in RE2 syntax by itself, as the API does before it stores one.
 *
 * @throws {GatehouseError} `InvalidRegex`, with Go's text, which quotes the bare expression.
 */
export function checkPattern(source: string): void {
  const tokens = tokensOf(source, bare)
  if (shapeOf(tokens).test === undefined) compile(source, tokens, bare)
}

const wholeText = (source: string): string => `^(?:${source})$`
const bare = (source: string): string => source

/** Forgets what was used longest ago when there is too much. */
function remember(pattern: Pattern): void {
  const { source } = pattern
  if (source.length > mostRememberedCharacters / 10) return
  remembered.set(source, pattern)
  rememberedCharacters += source.length
  for (const oldest of remembered.keys()) {
    if (remembered.size <= mostRemembered && rememberedCharacters <= mostRememberedCharacters)
      return
    remembered.delete(oldest)
    rememberedCharacters -= oldest.length
  }
}

/** The tokens of an expression; one that says nothing where the engine is bound to refuse it. */
function tokensOf(source: string, wrap: (source: string) => string): readonly RegexToken[] {
  if (!source.isWellFormed()) throw invalidRegex('invalid UTF-8', wrap(source))
  return tokenizeRegex(source) ?? [{ kind: 'class' }]
}

function compile(
  source: string,
  tokens: readonly RegexToken[],
  wrap: (source: string) => string,
): RE2JS {
  const size = regexSize(tokens)
  const mostSize = Math.max(leastInstructions, source.length * instructionsPerCharacter)
  // Counts that multiply to Infinity are left to the engine, which refuses them in its own words.
  const isTooLarge = size > mostSize && size !== Number.POSITIVE_INFINITY
  if (isTooLarge || source.length > mostCharacters) {
    throw invalidRegex('expression too large', wrap(source))
  }
  try {
    return RE2JS.compile(wrap(source))
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error
    // Go takes a group name that comes twice, the engine does not; nobody asks for groups here.
    const nameless = withoutGroupNames(source, tokens)
    if (error.getDescription() === 'duplicate capture group name' && nameless !== source) {
      return compile(nameless, [], wrap)
    }
    throw invalidRegex(error.getDescription(), fragmentOf(error, wrap(source)), error)
  }
}

function withoutGroupNames(source: string, tokens: readonly RegexToken[]): string {
  let nameless = ''
  let at = 0
  for (const token of tokens) {
    if (token.kind !== 'open' || token.name === undefined) continue
    nameless += source.slice(at, token.name.at)
    at = token.name.at + token.name.length
  }
  return nameless + source.slice(at)
}

/** Go quotes nothing for a trailing backslash, and the whole expression where the engine quotes nothing. */
function fragmentOf(error: RE2JSSyntaxException, whole: string): string {
  const isBackslash = error.getDescription() === 'trailing backslash at end of expression'
  return error.getPattern() ?? (isBackslash ? '' : whole)
}

function invalidRegex(reason: string, fragment: string, cause?: unknown): GatehouseError {
  const message = `error parsing regexp: ${reason}: \`${fragment}\``
  return new GatehouseError('BadRequest', 'InvalidRegex', message, { cause })
}
