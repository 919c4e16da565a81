import type { Json } from '@gatehouse/core'

/**
 * PostgreSQL's `jsonb`, which the indexes are made of, knows no NUL and no halves of surrogate pairs, although JSON has
 * them. They are written behind this character, which Unicode keeps free for such inner use.
 */
const mark = '\ufdd0'

/** An escaped backslash, so that what follows it is not taken for an escape; the escapes in question; the mark itself. */
const unfit = /\\\\|\\u0000|\\u(d[89a-f][0-9a-f]{2})|\ufdd0/g
const marked = /\ufdd0(\ufdd0|0|d[89a-f][0-9a-f]{2})/g
const isUnfit = /\\u0000|\\ud|\ufdd0/

/** A value as JSON that PostgreSQL can read. */
export function toJsonText(value: Json): string {
  const text = JSON.stringify(value)
  if (!isUnfit.test(text)) return text
  return text.replace(unfit, (found, surrogate: string | undefined) => {
    if (found === '\\\\') return found
    if (found === mark) return mark + mark
    return mark + (surrogate ?? '0')
  })
}

/** The value that {@link toJsonText} wrote. */
export function fromJsonText(text: string): Json {
  if (!text.includes(mark)) return JSON.parse(text) as Json
  const json = text.replace(marked, (_, what: string) => {
    if (what === mark) return mark
    return what === '0' ? '\\u0000' : `\\u${what}`
  })
  return JSON.parse(json) as Json
}
