import type { ValidationCause } from '../../errors.ts'

/** Web pages. */
const ofWeb: ReadonlySet<string> = new Set(['http:', 'https:'])

/**
 * What is wrong with a page that a provider shall send the browser back to; `undefined` if nothing is. Pages of the web are good, and
 * apps whose scheme is a domain turned round (`com.example.app:/done`): browsers run `javascript:`, `data:` and others of their own. Where
 * there is a list, a page must stand on it, letter for letter, and then may have any scheme.
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
  // URLs are parsed without line breaks and tabs, wherever they stand.
  if (/[\s\p{Cc}]/u.test(uri)) return 'no spaces are allowed'
  const { protocol, username, password } = new URL(uri)
  if (!ofWeb.has(protocol) && !protocol.includes('.'))
    return `the scheme ${protocol} is not allowed`
  if (username !== '' || password !== '') return 'no user is allowed'
  return undefined
}
