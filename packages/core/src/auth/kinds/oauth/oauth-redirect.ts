import type { ValidationCause } from '../../errors.ts'

/** Schemes of web pages. */
const ofWeb: ReadonlySet<string> = new Set(['http:', 'https:'])

/**
 * The problem of a redirect URI; `undefined` if there is none. Web pages are allowed, and apps whose scheme is a reversed domain
 * (`com.example.app:/done`), because browsers execute `javascript:`, `data:` and other schemes. If there is a list, the URI must
 * be in it exactly, and may have any scheme. The text must always be the URL as it is serialized: programs that read another text
 * disagree about its host.
 *
 * @see RFC 8252, section 7.1; RFC 9700, section 2.1
 */
export function redirectProblem(
  uri: string,
  allowed: readonly string[] | undefined,
): ValidationCause | undefined {
  const location = '/redirect_uri'
  const error = (allowed === undefined ? schemeProblem(uri) : undefined) ?? spellingProblem(uri)
  if (error !== undefined) return { location, kind: 'format', details: { error, format: 'uri' } }
  if (allowed === undefined || allowed.includes(uri)) return undefined
  return { location, kind: 'blocked', details: { reason: 'RedirectURIAllowlist' } }
}

function spellingProblem(uri: string): string | undefined {
  // The URL parser drops line breaks and tabs anywhere.
  if (/[\s\p{Cc}]/u.test(uri)) return 'spaces are not allowed'
  if (uri.includes('\\')) return 'a backslash is not allowed'
  const { href, origin } = new URL(uri)
  // The path may be empty, as in the origin of a page.
  const isSpelled = uri === href || uri === origin + href.slice(origin.length + 1)
  return isSpelled ? undefined : 'the text is not the URL as it is serialized'
}

function schemeProblem(uri: string): string | undefined {
  const { protocol, username, password } = new URL(uri)
  if (!ofWeb.has(protocol)) {
    if (!protocol.includes('.')) return `the scheme ${protocol} is not allowed`
    if (!/^[^:]*:\//.test(uri)) return `the scheme ${protocol} must be followed by a slash`
  }
  if (username !== '' || password !== '') return 'a user name is not allowed'
  return undefined
}
