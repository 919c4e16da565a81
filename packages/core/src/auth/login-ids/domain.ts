import { domainToUnicode } from 'node:url'
import { parseUrl } from '../../http/parse-url.ts'
import { foldCase } from './case-folding.ts'

/** A domain name. */
export interface Domain {
  /** In lower case, as people read it. */
  readonly name: string
  /** In ASCII, with Punycode for labels of other scripts. Different spellings of one domain have the same. */
  readonly ascii: string
}

/** Labels of letters, digits, hyphens and `_`: no character that ends the host of a URL. */
const labels = /^[\p{L}\p{M}\p{N}_-]+(?:\.[\p{L}\p{M}\p{N}_-]+)*$/u
const asciiLabel = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/
const maxAsciiLength = 253

/**
 * Parses a domain name; `undefined` if it is invalid. IP addresses are invalid. Letters are case-folded, except ß and ς: they are
 * allowed in names, and `straße.example` is not the domain `strasse.example`.
 *
 * @see UTS #46 (by the URL standard); RFC 5891
 */
export function readDomain(text: string): Domain | undefined {
  const composed = text.normalize('NFKC').replaceAll('ẞ', 'ß')
  if (!labels.test(composed)) return undefined
  const name = composed.replace(/[^ßς]+/g, foldCase).normalize('NFKC')
  const ascii = toAscii(name)
  return ascii === undefined ? undefined : { name, ascii }
}

function toAscii(name: string): string | undefined {
  const ascii = parseUrl(`http://${name}`)?.hostname
  if (ascii === undefined) return undefined
  const parts = ascii.split('.')
  const isNumber = /^\d+$/.test(parts.at(-1) ?? '')
  const isName = ascii.length <= maxAsciiLength && parts.every((part) => asciiLabel.test(part))
  return isName && !isNumber && isPunycode(ascii) ? ascii : undefined
}

/** Whether every `xn--` label can be decoded. Node.js 24 parses URLs in which one cannot. */
const isPunycode = (ascii: string): boolean =>
  !ascii.includes('xn--') || !/(^|\.)xn--/.test(domainToUnicode(ascii))
