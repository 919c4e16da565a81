import { type Content, unsafeText } from './content.ts'

const encoder = new TextEncoder()

/** Lets pass only URLs that cannot run a script. */
export function filterUrl({ text, type }: Content): string {
  return type === 'url' || isSafeUrl(text) ? text : `#${unsafeText}`
}

/** Relative, or one of the schemes that only lead somewhere. */
function isSafeUrl(url: string): boolean {
  const colon = url.indexOf(':')
  const scheme = url.slice(0, Math.max(colon, 0))
  return colon < 0 || scheme.includes('/') || /^(?:https?|mailto)$/i.test(scheme)
}

// What has a meaning in URLs stays, and so does what is encoded already.
const notOfUrl = /%(?![\da-fA-F]{2})|[^-\w.~!#$&*+,/:;=?@[\]%]+/g
const notOfUrlPart = /[^-\w.~]+/g

/** Encodes what may not stand in a URL. */
export function normalizeUrl({ text }: Content): string {
  return text.replace(notOfUrl, encodeBytes)
}

/** Encodes a part of a URL, such as a value of its query; a URL is taken as it is. */
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

/** Lets pass only safe URLs of a list of them, each maybe with a size. */
export function filterSrcset(content: Content): string {
  const { text, type } = content
  if (type === 'srcset') return text
  if (type === 'url') return normalizeUrl(content).replaceAll(',', '%2c')
  return text.split(',').map(filterSrcsetElement).join(',')
}

/** A URL between blanks, and what is said of its size. */
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
