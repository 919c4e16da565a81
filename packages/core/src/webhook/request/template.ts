import type { Placeholder, Surroundings, Template } from '../webhook.ts'

/** The longest value in a place, in bytes. */
export const maxPlaced = 65_536

const marks: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const percentEncoded = (text: string): string => encodeURIComponent(text.toWellFormed())

/** Writes a value so that it cannot end the place that it stands in. */
const written: Readonly<Record<Surroundings, (value: string) => string>> = {
  text: (value) => value,
  'json-string': (value) => JSON.stringify(value).slice(1, -1),
  'json-value': (value) => JSON.stringify(value),
  markup: (value) => value.replace(/[&<>"']/g, (mark) => marks[mark] ?? ''),
  // A header is one line of ASCII.
  header: (value) => value.toWellFormed().replace(/[^\x20-\x7e]/gu, percentEncoded),
  url: percentEncoded,
}

/** Fills in the values of a request. A missing one is empty; as a value of JSON it is `null`. */
export function fillTemplate(
  template: Template,
  read: (place: Placeholder) => string | undefined,
): string {
  return template
    .map((piece) => {
      if (typeof piece === 'string') return piece
      const value = read(piece)
      if (value === undefined) return piece.within === 'json-value' ? 'null' : ''
      return written[piece.within](value)
    })
    .join('')
}
