import { isGatehouseError } from '../../errors.ts'
import { goJsonString } from '../../go/json.ts'
import { toJson } from '../format/to-json.ts'
import { objectOf } from '../read-value.ts'
import type { Run, Value } from '../value.ts'
import { type Content, typedContentOf } from './content.ts'

const controls: ReadonlyMap<string, string> = new Map([
  ['\t', '\\t'],
  ['\n', '\\n'],
  ['\f', '\\f'],
  ['\r', '\\r'],
])
// What is outside of blank to U+FFFF are the control characters.
const specialOfString = /["&'+/<>\\`\u2028\u2029]|[^ -\uffff]/g
/** Without the backslash, which begins an escape. */
const specialOfEscapedString = /["&'+/<>`\u2028\u2029]|[^ -\uffff]/g
const specialOfTemplate = /["$&'+/<>\\`{}\u2028\u2029]|[^ -\uffff]/g
const specialOfRegexp = /["$&'()*+\-./<>?[\\\]^{|}\u2028\u2029]|[^ -\uffff]/g

/** Escapes a text within a string of JavaScript. */
export function escapeJsString({ text, type }: Content): string {
  const pattern = type === 'jsString' ? specialOfEscapedString : specialOfString
  return text.replace(pattern, (character) => escapeCharacter(character, '/\\'))
}

/** Escapes a text within a template literal. */
export function escapeJsTemplate({ text }: Content): string {
  return text.replace(specialOfTemplate, (character) => escapeCharacter(character, '/\\'))
}

/** Escapes a text within a regular expression, where it stands for itself. */
export function escapeJsRegexp({ text }: Content): string {
  // Two slashes in a row would begin a comment.
  if (text === '') return '(?:)'
  return text.replace(specialOfRegexp, (character) => {
    return escapeCharacter(character, '$()*-./?[\\]^{|}')
  })
}

/** What is dangerous in HTML becomes a number, also where a backslash would do for JavaScript. */
function escapeCharacter(character: string, backslashed: string): string {
  if (backslashed.includes(character)) return `\\${character}`
  const code = character.charCodeAt(0).toString(16).padStart(4, '0')
  return controls.get(character) ?? `\\u${code}`
}

/** Writes a value as an expression of JavaScript. */
export function escapeJsValue(value: Value, run: Run): string {
  const typed = typedContentOf(value)
  if (typed?.type === 'js') return typed.text
  if (typed?.type === 'jsString') return `"${typed.text}"`
  const json = jsonOf(value, run)
  // Blanks keep it from running into the words around it.
  const isWord = /^[$\w]/.test(json) || /[$\w]$/.test(json)
  return isWord ? ` ${json} ` : json
}

/** A value as JSON; what is a number with a text of its own, as a duration, is that text. */
function jsonOf(value: Value, run: Run): string {
  const object = objectOf(value)
  if (object?.integer !== undefined) return goJsonString(object.toText())
  try {
    return toJson(run, value)
  } catch (error) {
    if (!isGatehouseError(error) || error.reason !== 'TemplateFunction') throw error
    // Not even the message may end the comment, or the script.
    const problem = error.message
      .replace(/<(script|\/script|!--)/gi, '\\x3C$1')
      .replaceAll('*/', '* /')
    return ` /* ${problem} */null `
  }
}
