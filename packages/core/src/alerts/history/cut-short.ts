import type { Labels } from '../alert/alert.ts'

/** The most characters that are kept of the labels, and of the annotations, of an alert. */
const maxPairsLength = 8_192

/**
 * The first of these pairs that fit in a record: clients may send a whole request of labels, and history would store them many
 * times.
 */
export function cutPairs(pairs: Labels): Labels {
  const entries = Object.entries(pairs)
  let length = 0
  const count = entries.findIndex(([name, value]) => {
    length += name.length + value.length
    return length > maxPairsLength
  })
  return count < 0 ? pairs : Object.fromEntries(entries.slice(0, count))
}

/** The first characters of a text. */
export const cutText = (text: string, length: number): string =>
  text.length <= length ? text : text.slice(0, length)
