import type { ValidationCause } from '../../errors.ts'

/** Schemes of web pages. */
const ofWeb: ReadonlySet<string> = new Set(['http:', 'https:'])

/**
 * The problem of a redirect URI; `undefined` if there is none. Web pages are allowed, and apps whose scheme is a reversed domain
 * (`com.example.app:/done`), because browsers execute `javascript:`, `data:` and other schemes. If there is a list, the URI must
 * be in it exactly, and may have any scheme.
 *
 * @see RFC 8252, section 7.1; RFC 9700, section 2.1
 */
export function redirectProblem(
  uri: string,
  allowed: readonly string[] | undefined,
): ValidationCause | undefined {
  const location = '/redirect_uri'
  if (allowed !== undefined) {
    if (allowed.includes(uri)) return undefined
    return { location, kind: 'blocked', details: { reason: 'RedirectURIAllowlist' } }
  }
  const error = formatProblem(uri)
  if (error === undefined) return undefined
  return { location, kind: 'format', details: { error, format: 'uri' } }
}

function formatProblem(uri: string): string | undefined {
  // The URL parser drops line breaks and tabs anywhere.
  if (/[\s\p{Cc}]/u.test(uri)) return 'spaces are not allowed'
  const { protocol, username, password } = new URL(uri)
  if (!ofWeb.has(protocol) && !protocol.includes('.'))
    return `the scheme ${protocol} is not allowed`
  if (username !== '' || password !== '') return 'a user name is not allowed'
  return undefined
}
