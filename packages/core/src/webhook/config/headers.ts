import { membersOf, report } from '../../document/place.ts'
import { quoteKey } from '../../document/problem.ts'
import { mapOf, text } from '../../document/values.ts'
import type { Decode, Member } from './place.ts'

/** Headers that say how an answer is sent, which only the server knows. */
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

function readName({ key, keyPlace }: Member): string | undefined {
  if (!isHeaderName(key)) {
    return report(keyPlace, 'out_of_range', `${quoteKey(key)} must be the name of a header`)
  }
  if (framingHeaders.has(key.toLowerCase())) {
    return report(keyPlace, 'conflict', 'the server sets this header by itself')
  }
  return key
}

const headerValue: Decode<string> = (place) => {
  const value = text(place)
  if (value === undefined || /^[\t\x20-\x7e\xa0-\xff]*$/.test(value)) return value
  return report(place, 'out_of_range', 'must be text of one line that a header can hold')
}

const headerMap = mapOf(readName, headerValue)

/** Headers that are added to answers. */
export const responseHeaders: Decode<Readonly<Record<string, string>>> = (place) => {
  const headers = headerMap(place)
  if (headers === undefined) return undefined
  const names = new Set<string>()
  for (const { key, keyPlace } of membersOf(place)) {
    const name = key.toLowerCase()
    if (names.has(name)) report(keyPlace, 'conflict', 'this header is here already')
    names.add(name)
  }
  return Object.fromEntries(headers)
}
