import type { LoadedAuthConfig } from '../config/config.ts'

/** A cookie that an answer sets. Always `Path=/; HttpOnly`. */
export interface SetCookie {
  readonly name: string
  readonly value: string
  readonly sameSite: 'Lax' | 'Strict'
  readonly secure: boolean
  /** `undefined` for the host only. */
  readonly domain: string | undefined
  /** In seconds. 0 clears the cookie; `undefined` lets it end with the browser. */
  readonly maxAge: number | undefined
}

/** The value of a `Set-Cookie` header. @see RFC 6265, section 4.1 */
export function formatSetCookie(cookie: SetCookie): string {
  const { name, value, sameSite, secure, domain, maxAge } = cookie
  const parts = [`${name}=${value}`, 'Path=/']
  if (domain !== undefined) parts.push(`Domain=${domain}`)
  if (maxAge !== undefined) parts.push(`Max-Age=${maxAge}`)
  parts.push('HttpOnly')
  if (secure) parts.push('Secure')
  parts.push(`SameSite=${sameSite}`)
  return parts.join('; ')
}

/** Longer than any browser sends. */
const maxHeaderLength = 64 * 1024

/** Parses a `Cookie` header. If a name repeats, the first counts: it has the longest path. */
export function parseCookies(header: string): ReadonlyMap<string, string> {
  const cookies = new Map<string, string>()
  for (const part of header.slice(0, maxHeaderLength).split(';')) {
    const equals = part.indexOf('=')
    const name = part.slice(0, equals).trim()
    if (equals < 0 || name === '' || cookies.has(name)) continue
    cookies.set(name, part.slice(equals + 1).trim())
  }
  return cookies
}

function cookieOf(
  { http }: LoadedAuthConfig,
  name: string,
  given: Pick<SetCookie, 'value' | 'sameSite' | 'maxAge'>,
): SetCookie {
  return {
    name: `${http.cookie_prefix}${name}`,
    secure: http.public_origin.startsWith('https:'),
    domain: http.cookie_domain,
    ...given,
  }
}

/** The cookies of a new session. `lifetime` is in seconds. */
export function sessionCookies(
  config: LoadedAuthConfig,
  token: string,
  lifetime: number = config.session.lifetime_seconds,
): readonly SetCookie[] {
  const { use_session_cookie: endsWithBrowser } = config.session
  const maxAge = endsWithBrowser ? undefined : lifetime
  return [
    cookieOf(config, 'session', { value: token, sameSite: 'Lax', maxAge }),
    cookieOf(config, 'same_site_strict', { value: 'true', sameSite: 'Strict', maxAge }),
  ]
}

/** Cookies that clear those of a session. */
export function clearSessionCookies(config: LoadedAuthConfig): readonly SetCookie[] {
  return [
    cookieOf(config, 'session', { value: '', sameSite: 'Lax', maxAge: 0 }),
    cookieOf(config, 'same_site_strict', { value: '', sameSite: 'Strict', maxAge: 0 }),
  ]
}

/** A browser can be trusted by at most this many users. */
const maxDeviceTokens = 5

/** The cookie of a trusted device; the newest token comes first. */
export function deviceTokenCookie(config: LoadedAuthConfig, tokens: readonly string[]): SetCookie {
  const maxAge = config.authentication.device_token.expire_in_days * 86_400
  const value = tokens.slice(0, maxDeviceTokens).join('.')
  return cookieOf(config, 'mfa_device_token', { value, sameSite: 'Strict', maxAge })
}

/** A cookie that clears that of a trusted device. */
export function clearDeviceTokenCookie(config: LoadedAuthConfig): SetCookie {
  return cookieOf(config, 'mfa_device_token', { value: '', sameSite: 'Strict', maxAge: 0 })
}
