import { isGatehouseError } from '../../errors.ts'
import { decodeInput, oneOf, rawText } from '../../input/decode.ts'
import type { Logger } from '../../logger.ts'
import { parseClassicMatcher, parseClassicMatchers } from './classic-matcher-syntax.ts'
import { invalidMatcher } from './invalid-matcher.ts'
import type { Matcher } from './matcher.ts'
import { parseUtf8Matchers } from './utf8-matcher-syntax.ts'

/**
 * The grammar of matchers, and with it the valid label names: `fallback` tries both and prefers the classic result where they
 * differ, `utf8` allows any UTF-8 name, `classic` only `[a-zA-Z_][a-zA-Z0-9_]*`.
 *
 * @see Alertmanager, feature flags `classic-mode` and `utf8-strict-mode`
 */
export type MatcherMode = 'fallback' | 'utf8' | 'classic'

const matcherMode = oneOf<MatcherMode>(['fallback', 'utf8', 'classic'])

/**
 * Parses a matcher such as `team="a"`: the form of the API's `filter`. Modes `fallback` and `utf8` refuse an input that starts
 * with `{` or ends with `}`.
 *
 * @param log gets a warning if the two grammars disagree in mode `fallback`.
 * @throws {GatehouseError} `InvalidInput`; `InvalidMatcher`
 * @example
 * const matcher = parseMatcher('instance=~"db-.*"', 'utf8')
 * @see Alertmanager documentation, "Configuration", `<matcher>`
 */
export function parseMatcher(text: string, given: MatcherMode, log?: Logger): Matcher {
  const input = decodeInput('input', rawText, text)
  const mode = decodeInput('mode', matcherMode, given)
  if (mode === 'classic') return parseClassicMatcher(input)
  if (input.startsWith('{') || input.endsWith('}')) {
    throw invalidMatcher(`unexpected open or close brace: ${input}`)
  }
  if (mode === 'utf8') return parseSingleUtf8Matcher(input)
  const utf8 = attempt(() => [parseSingleUtf8Matcher(input)])
  const classic = attempt(() => [parseClassicMatcher(input)])
  const [matcher] = choose(input, utf8, classic, log)
  if (matcher === undefined) throw invalidMatcher('no matchers')
  return matcher
}

/**
 * Parses a list of matchers such as `{team="a",severity=~"critical|page"}`, with or without its braces: the form of `matchers` in
 * the configuration file. Keeps the order of the input.
 *
 * @param log gets a warning if the two grammars disagree in mode `fallback`.
 * @throws {GatehouseError} `InvalidInput`; `InvalidMatcher`
 * @see Alertmanager documentation, "Configuration", `<matcher>`
 */
export function parseMatchers(text: string, given: MatcherMode, log?: Logger): readonly Matcher[] {
  const input = decodeInput('input', rawText, text)
  const mode = decodeInput('mode', matcherMode, given)
  if (mode === 'classic') return parseClassicMatchers(input)
  if (mode === 'utf8') return parseUtf8Matchers(input)
  const utf8 = attempt(() => parseUtf8Matchers(input))
  const classic = attempt(() => parseClassicMatchers(input))
  return choose(input, utf8, classic, log)
}

function parseSingleUtf8Matcher(input: string): Matcher {
  const matchers = parseUtf8Matchers(input)
  const [matcher] = matchers
  if (matcher === undefined) throw invalidMatcher('no matchers')
  if (matchers.length > 1) throw invalidMatcher(`expected 1 matcher, found ${matchers.length}`)
  return matcher
}

type Attempt = { readonly matchers: readonly Matcher[] } | { readonly error: unknown }

function attempt(parse: () => readonly Matcher[]): Attempt {
  try {
    return { matchers: parse() }
  } catch (error) {
    if (!isGatehouseError(error)) throw error
    return { error }
  }
}

/** Chooses between the results of the two grammars in mode `fallback`. */
function choose(
  input: string,
  utf8: Attempt,
  classic: Attempt,
  log: Logger | undefined,
): readonly Matcher[] {
  if ('error' in classic) {
    if ('error' in utf8) throw classic.error
    return utf8.matchers
  }
  if ('error' in utf8) {
    log?.warn({ input }, 'matchers are not valid in the UTF-8 grammar: quote the values')
  } else if (!sameMatchers(utf8.matchers, classic.matchers)) {
    log?.warn(
      { input },
      'matchers mean different things in the two grammars: using the classic grammar',
    )
  }
  return classic.matchers
}

function sameMatchers(a: readonly Matcher[], b: readonly Matcher[]): boolean {
  return (
    a.length === b.length &&
    a.every((matcher, i) => {
      const other = b[i]
      return (
        matcher.name === other?.name &&
        matcher.operator === other.operator &&
        matcher.value === other.value
      )
    })
  )
}
