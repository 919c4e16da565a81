import type { Json } from '@gatehouse/core/store'

/**
 * PostgreSQL's `jsonb`, which the indexes are made of, does not support NUL and lone surrogates, although JSON does. They are
 * written after this character, which Unicode reserves for internal use.
 */
const mark = '\ufdd0'

/**
 * An escaped backslash, so that what follows it is not taken for an escape; the escapes of NUL and surrogates; the mark itself.
 */
const unfit = /\\\\|\\u0000|\\u(d[89a-f][0-9a-f]{2})|\ufdd0/g
const marked = /\ufdd0(\ufdd0|0|d[89a-f][0-9a-f]{2})/g
const isUnfit = /\\u0000|\\ud|\ufdd0/

/** Serializes a value as JSON that PostgreSQL accepts. */
export function toJsonText(value: Json): string {
  const text = JSON.stringify(value)
  if (!isUnfit.test(text)) return text
  return text.replace(unfit, (found, surrogate: string | undefined) => {
    if (found === '\\\\') return found
    if (found === mark) return mark + mark
    return mark + (surrogate ?? '0')
  })
}

/** Parses the output of {@link toJsonText}. */
export function fromJsonText(text: string): Json {
  if (!text.includes(mark)) return JSON.parse(text) as Json
  const json = text.replace(marked, (_, what: string) => {
    if (what === mark) return mark
    return what === '0' ? '\\u0000' : `\\u${what}`
  })
  return JSON.parse(json) as Json
}
