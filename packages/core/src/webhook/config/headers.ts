import { plainOutsideText } from '../../document/outside-text.ts'
import { quoteKey } from '../../document/problem.ts'
import { built, checked, keyOf, mapOf, type Schema, textLike } from '../../document/schema.ts'

/** Headers of the HTTP framing, which only the server sets. */
const framingHeaders: ReadonlySet<string> = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'date',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** Whether a text is the name of a header. @see RFC 9110, section 5.6.2 */
export function isHeaderName(name: string): boolean {
  return /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)
}

/** The name of a header of an answer. */
export const answerHeader: Schema<string> = keyOf((name, report) => {
  if (!isHeaderName(name)) {
    return report('out_of_range', `${quoteKey(name)} must be the name of a header`)
  }
  if (framingHeaders.has(name.toLowerCase())) {
    return report('conflict', 'the server sets this header itself')
  }
  return name
})

/** Whether a header can hold a text. */
export const isHeaderText = (value: string): boolean => /^[\t\x20-\x7e\xa0-\xff]*$/.test(value)

const headerValue = textLike(
  isHeaderText,
  'text of one line that a header can hold',
  plainOutsideText,
)

/** Headers that are added to answers. */
export const responseHeaders: Schema<Readonly<Record<string, string>>> = built(
  checked(mapOf(answerHeader, headerValue), ({ value, reportKey }) => {
    const names = new Set<string>()
    for (const name of value.keys()) {
      const lower = name.toLowerCase()
      if (names.has(lower)) reportKey([name], 'conflict', 'this header is set twice')
      names.add(lower)
    }
  }),
  (headers) => Object.fromEntries(headers),
)
