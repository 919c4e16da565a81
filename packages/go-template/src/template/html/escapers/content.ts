import { sprintOne } from '../../format/sprint.ts'
import { textOf, typeNameOf } from '../../read-value.ts'
import type { Run, Value } from '../../value.ts'

/** The language in which a text is safe. */
export type ContentType =
  | 'plain'
  | 'css'
  | 'html'
  | 'htmlAttribute'
  | 'js'
  | 'jsString'
  | 'srcset'
  | 'url'

/** The text of a value, and where it needs no escaping. */
export interface Content {
  readonly text: string
  readonly type: ContentType
}

const contentTypes: ReadonlyMap<string, ContentType> = new Map<string, ContentType>([
  ['template.CSS', 'css'],
  ['template.HTML', 'html'],
  ['template.HTMLAttr', 'htmlAttribute'],
  ['template.JS', 'js'],
  ['template.JSStr', 'jsString'],
  ['template.Srcset', 'srcset'],
  ['template.URL', 'url'],
])

/** The content of a value. Nil is empty. */
export function contentOf(value: Value, run: Run): Content {
  if (value === null) return { text: '', type: 'plain' }
  return typedContentOf(value) ?? { text: sprintOne(run, value), type: 'plain' }
}

/** The content of a value that declares itself where it is safe. */
export function typedContentOf(value: Value): Content | undefined {
  if (typeof value === 'string') return undefined
  const type = contentTypes.get(typeNameOf(value))
  const text = textOf(value)
  return type === undefined || text === undefined ? undefined : { text, type }
}

/** Replaces an unsafe value. No legitimate value looks like it. */
export const unsafeText = 'ZgotmplZ'
