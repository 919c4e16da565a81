import { type Content, unsafeText } from './content.ts'
import { decodeCss } from './css-text.ts'

const special = /[\0\t\n\f\r"&'()+/:;<>\\{}]/g

/** Escapes a text in a string or a URL of a style sheet. */
export function escapeCss({ text }: Content): string {
  return text.replace(special, (character, at: number) => {
    if (character === '\\') return '\\\\'
    const code = character.charCodeAt(0).toString(16)
    // A blank ends the escape if the next character, now or later, could continue it.
    const isOpen = /^(?:[\da-fA-F \t\n\f\r]|$)/.test(text.charAt(at + 1))
    return `\\${code}${isOpen ? ' ' : ''}`
  })
}

/** Allows only a single value of a style sheet. */
export function filterCssValue({ text, type }: Content): string {
  if (type === 'css') return text
  const value = decodeCss(text)
  const hasSpecial = /[\0"'()/;@[\\\]`{}<>]|--/.test(value)
  const letters = value.replace(/\W+/g, '').toLowerCase()
  // These run scripts in old browsers.
  const isActive = letters.includes('expression') || letters.includes('mozbinding')
  return hasSpecial || isActive ? unsafeText : value
}
