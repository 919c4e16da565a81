import type { Element } from './context.ts'

/** Elements whose content ends only at their own end tag. */
const endTags: Readonly<Partial<Record<Element, RegExp>>> = {
  elementScript: /<\/script[> \t\n\f/]/gi,
  elementStyle: /<\/style[> \t\n\f/]/gi,
  elementTextarea: /<\/textarea[> \t\n\f/]/gi,
  elementTitle: /<\/title[> \t\n\f/]/gi,
}

/** The index of the end tag of an element, or the end of the text. */
export function contentEnd(element: Element, text: string, from: number): number {
  const endTag = endTags[element]
  if (endTag === undefined) return text.length
  endTag.lastIndex = from
  return endTag.exec(text)?.index ?? text.length
}
