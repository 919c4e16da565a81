import { isExpectedError } from '../../../go-error.ts'
import { goJsonString } from '../../../json/json.ts'
import { toJson } from '../../format/to-json.ts'
import { objectOf } from '../../read-value.ts'
import type { Run, Value } from '../../value.ts'
import { type Content, typedContentOf } from './content.ts'

const controls: ReadonlyMap<string, string> = new Map([
  ['\t', '\\t'],
  ['\n', '\\n'],
  ['\f', '\\f'],
  ['\r', '\\r'],
])
// Outside of blank to U+FFFF there are only control characters.
const specialOfString = /["&'+/<>\\`\u2028\u2029]|[^ -\uffff]/g
/** Without the backslash, which begins an escape. */
const specialOfEscapedString = /["&'+/<>`\u2028\u2029]|[^ -\uffff]/g
const specialOfTemplate = /["$&'+/<>\\`{}\u2028\u2029]|[^ -\uffff]/g
const specialOfRegexp = /["$&'()*+\-./<>?[\\\]^{|}\u2028\u2029]|[^ -\uffff]/g

/** Escapes a text for a JavaScript string. */
export function escapeJsString({ text, type }: Content): string {
  const pattern = type === 'jsString' ? specialOfEscapedString : specialOfString
  return text.replace(pattern, (character) => escapeCharacter(character, '/\\'))
}

/** Escapes a text for a template literal. */
export function escapeJsTemplate({ text }: Content): string {
  return text.replace(specialOfTemplate, (character) => escapeCharacter(character, '/\\'))
}

/** Escapes a text for a regular expression, so that it matches itself. */
export function escapeJsRegexp({ text }: Content): string {
  // Two adjacent slashes would begin a comment.
  if (text === '') return '(?:)'
  return text.replace(specialOfRegexp, (character) => {
    return escapeCharacter(character, '$()*-./?[\\]^{|}')
  })
}

/** Characters that are dangerous in HTML become numeric escapes, even where JavaScript needs only a backslash. */
function escapeCharacter(character: string, backslashed: string): string {
  if (backslashed.includes(character)) return `\\${character}`
  const code = character.charCodeAt(0).toString(16).padStart(4, '0')
  return controls.get(character) ?? `\\u${code}`
}

/** Formats a value as a JavaScript expression. */
export function escapeJsValue(value: Value, run: Run): string {
  const typed = typedContentOf(value)
  if (typed?.type === 'js') return typed.text
  if (typed?.type === 'jsString') return `"${typed.text}"`
  const json = jsonOf(value, run)
  // Blanks separate it from adjacent words.
  const isWord = /^[$\w]/.test(json) || /[$\w]$/.test(json)
  return isWord ? ` ${json} ` : json
}

/** Formats a value as JSON. A number with its own text, such as a duration, becomes that text. */
function jsonOf(value: Value, run: Run): string {
  const object = objectOf(value)
  if (object?.integer !== undefined) return goJsonString(object.toText())
  try {
    return toJson(run, value)
  } catch (error) {
    if (!isExpectedError(error) || error.reason !== 'TemplateFunction') throw error
    // The message must not end the comment or the script either.
    const problem = error.message
      .replace(/<(script|\/script|!--)/gi, '\\x3C$1')
      .replaceAll('*/', '* /')
    return ` /* ${problem} */null `
  }
}
