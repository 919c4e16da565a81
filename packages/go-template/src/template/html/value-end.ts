import type { Delim } from './context.ts'

/** The character that ends an attribute value. */
export type ValueDelim = Exclude<Delim, 'delimNone'>

/** The end of an attribute value, and the start of the text after it. */
export interface ValueEnd {
  readonly value: string
  readonly after: number
  /** Whether the value ends in this text. */
  readonly isFound: boolean
}

const ends: Readonly<Record<ValueDelim, RegExp>> = {
  delimDoubleQuote: /"/g,
  delimSingleQuote: /'/g,
  delimSpaceOrTagEnd: /[ \t\n\f\r>]/g,
}

/** Finds the end of the attribute value at the start of a text. Quotes belong to the value. */
export function findValueEnd(text: string, delim: ValueDelim): ValueEnd {
  const pattern = ends[delim]
  pattern.lastIndex = 0
  const found = pattern.exec(text)
  if (found === null) return { value: text, after: text.length, isFound: false }
  const isQuoted = delim !== 'delimSpaceOrTagEnd'
  const after = isQuoted ? pattern.lastIndex : found.index
  return { value: text.slice(0, found.index), after, isFound: true }
}
