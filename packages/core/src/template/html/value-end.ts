import type { Delim } from './context.ts'

/** What ends the value of an attribute. */
export type ValueDelim = Exclude<Delim, 'delimNone'>

/** Where the value of an attribute ends, and where the text behind it begins. */
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

/** Finds the end of the attribute value that a text begins with. A quote belongs to the value. */
export function findValueEnd(text: string, delim: ValueDelim): ValueEnd {
  const pattern = ends[delim]
  pattern.lastIndex = 0
  const found = pattern.exec(text)
  if (found === null) return { value: text, after: text.length, isFound: false }
  const isQuoted = delim !== 'delimSpaceOrTagEnd'
  const after = isQuoted ? pattern.lastIndex : found.index
  return { value: text.slice(0, found.index), after, isFound: true }
}
