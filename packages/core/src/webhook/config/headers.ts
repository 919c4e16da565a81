import { quoteKey } from '../../document/problem.ts'
import { built, checked, keyOf, mapOf, type Schema, text, textLike } from '../../document/schema.ts'

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

const headerName: Schema<string> = keyOf((name, report) => {
  if (!isHeaderName(name)) {
    return report('out_of_range', `${quoteKey(name)} must be the name of a header`)
  }
  if (framingHeaders.has(name.toLowerCase())) {
    return report('conflict', 'the server sets this header itself')
  }
  return name
})

const headerValue = textLike(
  (value) => /^[\t\x20-\x7e\xa0-\xff]*$/.test(value),
  'text of one line that a header can hold',
  text,
)

/** Headers that are added to answers. */
export const responseHeaders: Schema<Readonly<Record<string, string>>> = built(
  checked(mapOf(headerName, headerValue), ({ value, reportKey }) => {
    const names = new Set<string>()
    for (const name of value.keys()) {
      const lower = name.toLowerCase()
      if (names.has(lower)) reportKey([name], 'conflict', 'this header is set twice')
      names.add(lower)
    }
  }),
  (headers) => Object.fromEntries(headers),
)
