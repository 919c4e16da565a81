import type { Element } from './context.ts'

/** Elements whose content ends at their own end tag alone. */
const endTags: Readonly<Partial<Record<Element, RegExp>>> = {
  elementScript: /<\/script[> \t\n\f/]/gi,
  elementStyle: /<\/style[> \t\n\f/]/gi,
  elementTextarea: /<\/textarea[> \t\n\f/]/gi,
  elementTitle: /<\/title[> \t\n\f/]/gi,
}

/** Where the end tag of an element begins in a text; the end of the text where there is none. */
export function contentEnd(element: Element, text: string, from: number): number {
  const endTag = endTags[element]
  if (endTag === undefined) return text.length
  endTag.lastIndex = from
  return endTag.exec(text)?.index ?? text.length
}
