import { isExpectedError } from '../../go-error.ts'
import { goQuote } from '../../text/quote.ts'
import { functionFailed } from '../errors.ts'
import {
  stringParameter,
  stringsParameter,
  templateFunction,
  textsOf,
  variadicFunction,
} from '../make-function.ts'
import { strings, typedText } from '../make-value.ts'
import type { Functions, Run, TemplateFunction } from '../value.ts'
import { titleCase, toLower, toUpper } from './letter-case.ts'
import { compileSearch, hasMatch, replaceAll, type Search } from './regex-search.ts'
import { unescapeQuery } from './unescape-query.ts'

/**
 * Functions about texts.
 *
 * @see Alertmanager documentation, "Notification template reference"
 */
export const textFunctions: Functions = new Map([
  ['toUpper', textFunction(toUpper)],
  ['toLower', textFunction(toLower)],
  [
    'title',
    templateFunction([stringParameter], ([text], run) => {
      run.spend(text.length / 4)
      return titleCase(text)
    }),
  ],
  ['trimSpace', textFunction(trimSpace)],
  ['urlUnescape', textFunction(unescapeQuery)],
  ['safeHtml', templateFunction([stringParameter], ([text]) => typedText('template.HTML', text))],
  ['safeUrl', templateFunction([stringParameter], ([text]) => typedText('template.URL', text))],
  [
    'join',
    templateFunction([stringParameter, stringsParameter], ([separator, list], run) =>
      join(textsOf(list), separator, run),
    ),
  ],
  ['stringSlice', variadicFunction([], stringParameter, (_, texts) => strings(texts))],
  [
    'match',
    templateFunction([stringParameter, stringParameter], ([pattern, text], run) =>
      hasMatch(compileSearch(pattern, run), text, run),
    ),
  ],
  [
    'reReplaceAll',
    templateFunction(
      [stringParameter, stringParameter, stringParameter],
      ([pattern, replacement, text], run) =>
        replaceAll(mustCompile(pattern, run), text, replacement, run),
    ),
  ],
])

function textFunction(change: (text: string) => string): TemplateFunction {
  return templateFunction([stringParameter], ([text]) => change(text))
}

/** Joins texts with a separator, after checking the length of the result. */
export function join(texts: readonly string[], separator: string, run: Run): string {
  run.spend(texts.length)
  let length = separator.length * Math.max(texts.length - 1, 0)
  for (const text of texts) length += text.length
  run.checkLength(length)
  return texts.join(separator)
}

const isBlank = (character: string): boolean =>
  /[\s\u0085]/.test(character) && character !== '\ufeff'

function trimSpace(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && isBlank(text.charAt(start))) start += 1
  while (start < end && isBlank(text.charAt(end - 1))) end -= 1
  return text.slice(start, end)
}

/** Where Go panics, the message is longer. */
function mustCompile(pattern: string, run: Run): Search {
  try {
    return compileSearch(pattern, run)
  } catch (error) {
    if (!isExpectedError(error) || error.reason !== 'InvalidRegex') throw error
    const quoted = pattern.includes('`') ? goQuote(pattern) : `\`${pattern}\``
    throw functionFailed(`regexp: Compile(${quoted}): ${error.message}`, error)
  }
}
