import { RE2JS, RE2JSSyntaxException } from 're2js'
import { GoError, isExpectedError } from '../go-error.ts'
import { createEngineCache } from './engine-cache.ts'
import { type RegexShape, shapeOf } from './regex-shape.ts'
import { regexSize } from './regex-size.ts'
import { type RegexToken, tokenizeRegex } from './regex-tokens.ts'

/** A compiled regular expression that matches whole texts, in time linear in their length. */
export interface Pattern {
  /** The original expression. */
  readonly source: string
  /** Whether the expression matches the whole of `value`. A value longer than `longest` does not match. */
  test(value: string): boolean
  /** The only texts that match, if they are few and known. They are distinct. */
  readonly literals?: readonly string[]
  /** The common prefix of all matching texts, if known and not empty. */
  readonly prefix?: string
  /** The greatest length of a value in characters. A longer value does not match. */
  readonly longest: number
  /** Whether a test may take long: up to about 60 ms, and as much again to compile the expression. */
  readonly isCostly: boolean
}

/** The longest expression passed to the engine. For some, compiling takes time quadratic in their length. */
const maxCharacters = 20_000

/**
 * The allowed number of instructions: a minimum, and more for each character of the expression. An instruction costs 3 µs and 400
 * bytes to compile, and up to 30 ns for each character of a text. This limits counts such as `a{0,1000}b{0,1000}`, which expand
 * to much code.
 */
const leastInstructions = 10_000
const instructionsPerCharacter = 2

/**
 * A test takes up to 30 ns for each instruction and character, and cannot be interrupted. A value that is too long for an
 * expression of this size does not match.
 */
const maxSteps = 2_000_000

/** All compiled expressions of the process. */
const engines = createEngineCache(64 * 1024 * 1024)

/** The size of the pattern cache: expressions, and characters of all expressions. */
const maxRemembered = 1_000
const maxRememberedCharacters = 200_000

const remembered = new Map<string, Pattern>()
let rememberedCharacters = 0

/**
 * Compiles an expression in RE2 syntax that must match whole texts. Expressions of literal text, bars and a leading or trailing
 * `.*` are matched without the engine. The most recent patterns are cached.
 *
 * @throws {GoError} `InvalidRegex`, with Go's text. If the whole expression is at fault, the text quotes it as it is
 * compiled, between `^(?:` and `)$`.
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
 * The same for an expression that was checked before, such as a stored one. It is compiled at its first use. An invalid
 * expression matches nothing.
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
  const longest = maxSteps / size
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

/** Compiles an expression that was checked before; `undefined` for an unchecked text that is invalid. */
function compileAgain(source: string): RE2JS | undefined {
  try {
    return compile(source, tokensOf(source, wholeText), wholeText)
  } catch (error) {
    if (!isExpectedError(error)) throw error
    return undefined
  }
}

/**
 * Checks that a text by itself is an expression in RE2 syntax, as the API does before storing it.
 *
 * @throws {GoError} `InvalidRegex`, with Go's text, which quotes the bare expression.
 */
export function checkPattern(source: string): void {
  const tokens = tokensOf(source, bare)
  if (shapeOf(tokens).test === undefined) compile(source, tokens, bare)
}

const wholeText = (source: string): string => `^(?:${source})$`
const bare = (source: string): string => source

/** Adds to the cache, and drops the least recently used patterns above its limit. */
function remember(pattern: Pattern): void {
  const { source } = pattern
  if (source.length > maxRememberedCharacters / 10) return
  remembered.set(source, pattern)
  rememberedCharacters += source.length
  for (const oldest of remembered.keys()) {
    if (remembered.size <= maxRemembered && rememberedCharacters <= maxRememberedCharacters) return
    remembered.delete(oldest)
    rememberedCharacters -= oldest.length
  }
}

/** The tokens of an expression; a token that means nothing if the engine is certain to refuse it. */
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
  const maxSize = Math.max(leastInstructions, source.length * instructionsPerCharacter)
  // If counts multiply to Infinity, the engine refuses them with its own message.
  const isTooLarge = size > maxSize && size !== Number.POSITIVE_INFINITY
  if (isTooLarge || source.length > maxCharacters) {
    throw invalidRegex('expression too large', wrap(source))
  }
  try {
    return RE2JS.compile(wrap(source))
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error
    // Go accepts a duplicate group name, the engine does not. Groups are not used here.
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

/** Go quotes nothing for a trailing backslash, and the whole expression if the engine quotes nothing. */
function fragmentOf(error: RE2JSSyntaxException, whole: string): string {
  const isBackslash = error.getDescription() === 'trailing backslash at end of expression'
  return error.getPattern() ?? (isBackslash ? '' : whole)
}

function invalidRegex(reason: string, fragment: string, cause?: unknown): GoError {
  const message = `error parsing regexp: ${reason}: \`${fragment}\``
  return new GoError('BadRequest', 'InvalidRegex', message, { cause })
}
