import { attributeKind } from './attribute-kind.ts'
import { type Content, unsafeText } from './escapers/content.ts'
import { stripTags } from './strip-tags.ts'

const characters: ReadonlyMap<string, string> = new Map([
  ['\0', '\ufffd'],
  ['"', '&#34;'],
  ['&', '&amp;'],
  ["'", '&#39;'],
  ['+', '&#43;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
])
const special = /[\0"&'+<>]/g
/** Without the ampersand, which begins a character reference. */
const specialOfHtml = /[\0"'+<>]/g

// Some programs treat the last code points of a plane as the end of an unquoted value.
const specialOfUnquoted = /[\0\t\n\v\f\r "&'+<=>`\ufdd0-\ufdef\ufff0-\uffff]|\p{Surrogate}/gu
const specialOfUnquotedHtml = /[\0\t\n\v\f\r "'+<=>`\ufdd0-\ufdef\ufff0-\uffff]|\p{Surrogate}/gu

/** Escapes a text between elements. */
export function escapeHtml({ text, type }: Content): string {
  return type === 'html' ? text : replaceAll(text, special)
}

/** Escapes the text of a title or a text area, which contain no elements. */
export function escapeRcdata({ text, type }: Content): string {
  return replaceAll(text, type === 'html' ? specialOfHtml : special)
}

/** Escapes an attribute value in quotes. */
export function escapeAttribute({ text, type }: Content): string {
  return type === 'html' ? replaceAll(stripTags(text), specialOfHtml) : replaceAll(text, special)
}

/** Escapes an unquoted attribute value, which must not be empty. */
export function escapeUnquoted({ text, type }: Content): string {
  if (text === '') return unsafeText
  return type === 'html'
    ? escapeBlanks(stripTags(text), specialOfUnquotedHtml)
    : escapeBlanks(text, specialOfUnquoted)
}

/** Allows only attribute names whose values are plain text. */
export function filterAttributeName({ text, type }: Content): string {
  if (type === 'htmlAttribute') return text
  const name = text.toLowerCase()
  const isPlain = /^[a-z0-9]+$/.test(name) && attributeKind(name) === 'plain'
  return isPlain ? name : unsafeText
}

function replaceAll(text: string, pattern: RegExp): string {
  return text.replace(pattern, (character) => characters.get(character) ?? character)
}

function escapeBlanks(text: string, pattern: RegExp): string {
  return text.replace(pattern, (character) => {
    if (character === '\0') return '&#xfffd;'
    const known = characters.get(character)
    if (known !== undefined) return known
    const code = character.charCodeAt(0)
    if (code < 0x80) return `&#${code};`
    return code < 0xe000 ? '&#xfffd;' : `&#x${code.toString(16)};`
  })
}
