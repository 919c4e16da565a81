/**
 * Converts a text to upper case, character by character. A character whose upper case has several characters stays unchanged.
 *
 * @see https://pkg.go.dev/strings#ToUpper
 */
export function toUpper(text: string): string {
  const upper = text.toUpperCase()
  if (upper.length === text.length) return upper
  return mapCharacters(text, (character) => {
    const capital = character.toUpperCase()
    return isOneCharacter(capital) ? capital : character
  })
}

/** Characters whose lower case depends on their neighbours, or has two characters. */
const specialCapital = /[\u03a3\u0130]/

/**
 * Converts a text to lower case, character by character.
 *
 * @see https://pkg.go.dev/strings#ToLower
 */
export function toLower(text: string): string {
  if (!specialCapital.test(text)) return text.toLowerCase()
  // The lower case of U+0130 has two characters; the second is a dot above.
  return mapCharacters(text, (character) => {
    return String.fromCodePoint(character.toLowerCase().codePointAt(0) ?? 0)
  })
}

function mapCharacters(text: string, change: (character: string) => string): string {
  let mapped = ''
  for (const character of text) mapped += change(character)
  return mapped
}

const isOneCharacter = (text: string): boolean =>
  text.length === String.fromCodePoint(text.codePointAt(0) ?? 0).length

/** Ligature capitals that stand for two letters, and their title case. */
const titleForms: ReadonlyMap<string, string> = new Map([
  ['\u01c4', '\u01c5'],
  ['\u01c7', '\u01c8'],
  ['\u01ca', '\u01cb'],
  ['\u01f1', '\u01f2'],
])

/** A word: letters, digits and marks, with single dots and quotes between them. */
const word = /[\p{L}\p{M}\p{N}_]+(?:[.:'\u2018\u2019\u00b7\u2024\u2027][\p{L}\p{M}\p{N}_]+)*/gu
/** The first letter of a word that has an upper and a lower case. */
const firstCased = /[\p{Lu}\p{Ll}\p{Lt}]/u

/**
 * Converts the first letter of each word to title case and all others to lower case.
 *
 * @see https://pkg.go.dev/golang.org/x/text/cases#Title
 */
export function titleCase(text: string): string {
  return text.replace(word, (found) => {
    const start = found.search(firstCased)
    if (start < 0) return found
    const first = String.fromCodePoint(found.codePointAt(start) ?? 0)
    const rest = found.slice(start).toLowerCase().slice(first.toLowerCase().length)
    return found.slice(0, start) + titleForm(first) + rest
  })
}

function titleForm(character: string): string {
  const upper = character.toUpperCase()
  return titleForms.get(upper) ?? upper.charAt(0) + upper.slice(1).toLowerCase()
}
