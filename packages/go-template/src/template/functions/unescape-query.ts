import { goQuote } from '../../text/quote.ts'
import { functionFailed } from '../errors.ts'

const badEscape = /%(?![\da-fA-F]{2})(.{0,2})/su
const escapes = /(?:%[\da-fA-F]{2})+/g
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/**
 * Decodes a query: percent-escapes, and plus signs as blanks.
 *
 * @throws {GoError} `TemplateFunction` if an escape is incomplete.
 * @see https://pkg.go.dev/net/url#QueryUnescape
 */
export function unescapeQuery(text: string): string {
  const bad = badEscape.exec(text)
  if (bad !== null) throw functionFailed(`invalid URL escape ${goQuote(bad[0])}`)
  return text.replaceAll('+', ' ').replace(escapes, (found) => {
    const bytes = found.slice(1).split('%')
    return decoder.decode(Uint8Array.from(bytes, (hex) => Number.parseInt(hex, 16)))
  })
}
