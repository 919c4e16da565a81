import { invalidRequest } from '../errors.ts'
import { type JsonText, parseJsonText } from './json-text.ts'

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part.replaceAll('+', ' '))
  } catch {
    throw invalidRequest([{ path: '', problem: 'the form has an escape that is not valid UTF-8' }])
  }
}

/**
 * Decodes a urlencoded form to an object of strings. The first value of a repeated name counts.
 *
 * @throws {GatehouseError} `invalid_request` if an escape is not valid UTF-8.
 * @see https://url.spec.whatwg.org/#urlencoded-parsing
 */
export function decodeForm(form: string, maxDepth: number): JsonText {
  const values = new Map<string, string>()
  for (const pair of form.split('&')) {
    if (pair === '') continue
    const equals = pair.indexOf('=')
    const name = decodePart(equals < 0 ? pair : pair.slice(0, equals))
    if (!values.has(name)) values.set(name, equals < 0 ? '' : decodePart(pair.slice(equals + 1)))
  }
  const members = [...values].map(
    ([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`,
  )
  return parseJsonText(`{${members.join(',')}}`, maxDepth)
}
