import { isGatehouseError } from '../errors.ts'
import { checkPattern, compilePattern, type Pattern } from '../regex/regex.ts'
import { type Decode, type Place, report } from './place.ts'
import { text } from './values.ts'

/**
 * An expression that may match anywhere in a text, in time linear in its length, whoever chose it.
 *
 * @see https://github.com/google/re2/wiki/Syntax
 */
export const searchPattern: Decode<Pattern> = (place) =>
  patternOf(place, (written) => `(?s:.*)(?:${written})(?s:.*)`)

function patternOf(place: Place, wrap: (written: string) => string): Pattern | undefined {
  const written = text(place)
  if (written === undefined) return undefined
  try {
    // By itself first: within brackets even ")(" would be an expression.
    checkPattern(written)
    return compilePattern(wrap(written))
  } catch (error) {
    if (!isGatehouseError(error)) throw error
    return report(place, 'bad_pattern', `is no regular expression: ${reasonOf(error.message)}`)
  }
}

/** What is wrong without the expression, which may say much of a secret. What other engines know is named. */
function reasonOf(message: string): string {
  const [, reason = '', fragment = ''] =
    /^error parsing regexp: (.*?): `(.*)`$/s.exec(message) ?? []
  if (/^\(\?<?[=!]/.test(fragment)) {
    return 'lookahead and lookbehind are not supported, as in RE2'
  }
  if (/^\\[1-9k]/.test(fragment)) return 'backreferences are not supported, as in RE2'
  if (/^\\u/.test(fragment)) return 'a code point is written \\x{1F600}, as in RE2'
  return reason
}
