import type { Labels } from '../alert/alert.ts'

/** Of the labels and of the annotations of an alert so many characters are kept each. */
const longestPairs = 8_192

/**
 * As many of these pairs as have room in a record, in their order: what clients send may be as large as a request, and
 * history keeps it many times over.
 */
export function cutPairs(pairs: Labels): Labels {
  const entries = Object.entries(pairs)
  let length = 0
  const count = entries.findIndex(([name, value]) => {
    length += name.length + value.length
    return length > longestPairs
  })
  return count < 0 ? pairs : Object.fromEntries(entries.slice(0, count))
}

/** The beginning of a text. */
export const cutText = (text: string, length: number): string =>
  text.length <= length ? text : text.slice(0, length)
