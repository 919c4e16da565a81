import { GoError } from '../go-error.ts'
import { goQuote } from './quote.ts'

/** A URL as Go's `net/url` parses it. Created by {@link parseGoUrl}, formatted by {@link formatGoUrl}. */
export interface GoUrl {
  /** In lower case, without the colon; empty if there is none. */
  readonly scheme: string
  /** The text after the scheme if it is not a path, as in `mailto:x`. */
  readonly opaque: string
  readonly username?: string
  readonly password?: string
  /** With its port, without percent-escapes. */
  readonly host: string
  readonly path: string
  readonly query?: string
  readonly fragment: string
}

type Part = 'path' | 'host' | 'zone' | 'user' | 'fragment'

/**
 * Parses a URL.
 *
 * @throws {GoError} `InvalidUrl`, with the text `parse "…": …`.
 * @see https://pkg.go.dev/net/url#Parse
 */
export function parseGoUrl(text: string): GoUrl {
  const hash = text.indexOf('#')
  const main = hash < 0 ? text : text.slice(0, hash)
  const fragment = hash < 0 ? '' : text.slice(hash + 1)
  const url = explain(main, () => parseMain(main))
  return { ...url, fragment: explain(text, () => normalize(fragment, 'fragment')) }
}

function explain<T>(text: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    const message = `parse ${goQuote(withoutPassword(text))}: ${error.message}`
    throw new GoError('BadRequest', 'InvalidUrl', message)
  }
}

/** Hides a possible password in a text that need not be a valid URL, because messages are logged and shown. */
export function withoutPassword(text: string): string {
  const slashes = text.indexOf('//')
  if (slashes < 0) return text
  const start = slashes + 2
  const length = text.slice(start).search(/[/?#]/)
  const authority = length < 0 ? text.slice(start) : text.slice(start, start + length)
  const at = authority.lastIndexOf('@')
  const colon = authority.indexOf(':')
  if (at < 0 || colon < 0 || colon > at) return text
  return `${text.slice(0, start + colon + 1)}xxxxx${text.slice(start + at)}`
}

function parseMain(text: string): Omit<GoUrl, 'fragment'> {
  if (hasControlCharacter(text)) throw new SyntaxError('net/url: invalid control character in URL')
  const [scheme, afterScheme] = splitScheme(text)
  const mark = afterScheme.indexOf('?')
  let rest = mark < 0 ? afterScheme : afterScheme.slice(0, mark)
  const query = mark < 0 ? {} : { query: afterScheme.slice(mark + 1) }
  if (!rest.startsWith('/')) {
    if (scheme !== '') return { scheme, opaque: rest, host: '', path: '', ...query }
    if (rest.split('/', 1)[0]?.includes(':')) {
      throw new SyntaxError('first path segment in URL cannot contain colon')
    }
  }
  let authority: Pick<GoUrl, 'username' | 'password' | 'host'> = { host: '' }
  if (rest.startsWith('//') && (scheme !== '' || !rest.startsWith('///'))) {
    const slash = rest.indexOf('/', 2)
    const end = slash < 0 ? rest.length : slash
    authority = parseAuthority(rest.slice(2, end))
    rest = rest.slice(end)
  }
  return { scheme, opaque: '', ...authority, path: normalize(rest, 'path'), ...query }
}

function hasControlCharacter(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code < 0x20 || code === 0x7f) return true
  }
  return false
}

function splitScheme(text: string): readonly [string, string] {
  if (text.startsWith(':')) throw new SyntaxError('missing protocol scheme')
  const scheme = /^[a-zA-Z][a-zA-Z0-9+.-]*(?=:)/.exec(text)?.[0]
  if (scheme === undefined) return ['', text]
  return [scheme.toLowerCase(), text.slice(scheme.length + 1)]
}

function parseAuthority(text: string): Pick<GoUrl, 'username' | 'password' | 'host'> {
  const at = text.lastIndexOf('@')
  const host = parseHost(text.slice(at + 1))
  if (at < 0) return { host }
  const userinfo = text.slice(0, at)
  if (!/^[a-zA-Z0-9\-._:~!$&'()*+,;=%@]*$/.test(userinfo)) {
    throw new SyntaxError('net/url: invalid userinfo')
  }
  const colon = userinfo.indexOf(':')
  if (colon < 0) return { username: percentDecode(userinfo, 'user'), host }
  return {
    username: percentDecode(userinfo.slice(0, colon), 'user'),
    password: percentDecode(userinfo.slice(colon + 1), 'user'),
    host,
  }
}

function parseHost(text: string): string {
  if (!text.startsWith('[')) {
    const colon = text.lastIndexOf(':')
    if (colon >= 0) checkPort(text.slice(colon))
    return percentDecode(text, 'host')
  }
  const close = text.lastIndexOf(']')
  if (close < 0) throw new SyntaxError("missing ']' in host")
  checkPort(text.slice(close + 1))
  const zone = text.slice(0, close).indexOf('%25')
  if (zone < 0) return percentDecode(text, 'host')
  return (
    percentDecode(text.slice(0, zone), 'host') +
    percentDecode(text.slice(zone, close), 'zone') +
    percentDecode(text.slice(close), 'host')
  )
}

function checkPort(text: string): void {
  if (/^(?::[0-9]*)?$/.test(text)) return
  throw new SyntaxError(`invalid port ${goQuote(text)} after host`)
}

/** Keeps the escapes of a text if all of it is correctly escaped, else escapes it again. */
function normalize(text: string, part: 'path' | 'fragment'): string {
  const plain = percentDecode(text, part)
  if (part === 'path' && /^[a-zA-Z0-9\-_.~!$&'()*+,;=:@[\]%/]*$/.test(text)) return text
  return percentEncode(plain, part)
}

function percentDecode(text: string, part: Part): string {
  const bytes: number[] = []
  const input = new TextEncoder().encode(text)
  for (let i = 0; i < input.length; i++) {
    const byte = input[i] ?? 0
    if (byte === 0x25) {
      const code = String.fromCharCode(...input.subarray(i, i + 3))
      bytes.push(escapedByte(code, part))
      i += 2
    } else if ((part === 'host' || part === 'zone') && byte < 0x80 && mustEscape(byte, part)) {
      throw new SyntaxError(`invalid character ${goQuote(String.fromCharCode(byte))} in host name`)
    } else bytes.push(byte)
  }
  return new TextDecoder().decode(Uint8Array.from(bytes))
}

function escapedByte(code: string, part: Part): number {
  const invalid = (): SyntaxError => new SyntaxError(`invalid URL escape ${goQuote(code)}`)
  if (!/^%[0-9a-fA-F]{2}$/.test(code)) throw invalid()
  const byte = Number.parseInt(code.slice(1), 16)
  if (part === 'host' && byte < 0x80 && code !== '%25') throw invalid()
  if (part === 'zone' && code !== '%25' && byte !== 0x20 && mustEscape(byte, 'host'))
    throw invalid()
  return byte
}

const alwaysPlain = /[a-zA-Z0-9\-_.~]/
const plainIn: Readonly<Record<Part, string>> = {
  path: '$&+,/:;=@',
  host: '!$&\'()*+,;=:[]<>"',
  zone: '!$&\'()*+,;=:[]<>"',
  user: '$&+,;=',
  fragment: '$&+,/:;=?@!()*',
}

function mustEscape(byte: number, part: Part): boolean {
  const character = String.fromCharCode(byte)
  return byte >= 0x80 || !(alwaysPlain.test(character) || plainIn[part].includes(character))
}

function percentEncode(text: string, part: Part): string {
  let escaped = ''
  for (const byte of new TextEncoder().encode(text)) {
    escaped += mustEscape(byte, part)
      ? `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
      : String.fromCharCode(byte)
  }
  return escaped
}

/** Formats a URL as Go does. With `hidePassword` its password is `xxxxx`. */
export function formatGoUrl(url: GoUrl, options: { hidePassword?: boolean } = {}): string {
  const query = url.query === undefined ? '' : `?${url.query}`
  const fragment = url.fragment === '' ? '' : `#${url.fragment}`
  const scheme = url.scheme === '' ? '' : `${url.scheme}:`
  if (url.opaque !== '') return scheme + url.opaque + query + fragment
  const hasAuthority = url.scheme !== '' || url.host !== '' || url.username !== undefined
  const authority = hasAuthority
    ? `//${userinfo(url, options)}${percentEncode(url.host, 'host')}`
    : ''
  return scheme + authority + url.path + query + fragment
}

function userinfo(url: GoUrl, options: { hidePassword?: boolean }): string {
  if (url.username === undefined) return ''
  const username = percentEncode(url.username, 'user')
  if (url.password === undefined) return `${username}@`
  return `${username}:${options.hidePassword ? 'xxxxx' : percentEncode(url.password, 'user')}@`
}
