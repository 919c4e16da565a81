import { type Content, unsafeText } from './content.ts'

const encoder = new TextEncoder()

/** Allows only URLs that cannot run a script. */
export function filterUrl({ text, type }: Content): string {
  return type === 'url' || isSafeUrl(text) ? text : `#${unsafeText}`
}

/** Whether a URL is relative or has a scheme that only navigates. */
function isSafeUrl(url: string): boolean {
  const colon = url.indexOf(':')
  const scheme = url.slice(0, Math.max(colon, 0))
  return colon < 0 || scheme.includes('/') || /^(?:https?|mailto)$/i.test(scheme)
}

// Characters with a meaning in URLs stay, and so do encoded ones.
const notOfUrl = /%(?![\da-fA-F]{2})|[^-\w.~!#$&*+,/:;=?@[\]%]+/g
const notOfUrlPart = /[^-\w.~]+/g

/** Encodes the characters that are not allowed in a URL. */
export function normalizeUrl({ text }: Content): string {
  return text.replace(notOfUrl, encodeBytes)
}

/** Encodes a part of a URL, such as a query value. A URL is only normalized. */
export function escapeUrl(content: Content): string {
  return content.type === 'url'
    ? normalizeUrl(content)
    : content.text.replace(notOfUrlPart, encodeBytes)
}

function encodeBytes(text: string): string {
  let encoded = ''
  for (const byte of encoder.encode(text)) encoded += `%${byte.toString(16).padStart(2, '0')}`
  return encoded
}

/** Allows only safe URLs in a list of URLs with optional sizes. */
export function filterSrcset(content: Content): string {
  const { text, type } = content
  if (type === 'srcset') return text
  if (type === 'url') return normalizeUrl(content).replaceAll(',', '%2c')
  return text.split(',').map(filterSrcsetElement).join(',')
}

/** A URL between blanks, and its size. */
function filterSrcsetElement(element: string): string {
  const rest = element.replace(/^[ \t\n\f\r]+/, '')
  const blank = rest.search(/[ \t\n\f\r]/)
  const end = blank < 0 ? rest.length : blank
  const url = rest.slice(0, end)
  const size = rest.slice(end)
  if (!isSafeUrl(url) || /[^ \t\n\f\r\da-zA-Z]/.test(size)) return `#${unsafeText}`
  const before = element.slice(0, element.length - rest.length)
  return before + normalizeUrl({ text: url, type: 'plain' }) + size
}
