import { parseUrl } from '@gatehouse/core/adapter'
import type { OidcClientType } from './options.ts'

const maxUriLength = 2_000

const loopback = /^(?:localhost|127\.0\.0\.1|\[::1\])$/

/** Whether an address is on the machine of the person who opens it, so that no network can read along. */
const isLoopback = ({ hostname }: Pick<URL, 'hostname'>): boolean => loopback.test(hostname)

const onlyLocalHttp = 'a URL that begins with https://, or with http:// on localhost'

/** The expected form of an issuer; `undefined` if this one may be used. */
export function issuerProblem(issuer: string, publicOrigin: string): string | undefined {
  const url = parseUrl(issuer)
  if (url === undefined || !isSafe(url)) return onlyLocalHttp
  if (url.origin !== publicOrigin) return `http.public_origin, ${publicOrigin}, or a URL below it`
  const isPlain = issuer === `${url.origin}${url.pathname === '/' ? '' : url.pathname}`
  return isPlain && !issuer.endsWith('/')
    ? undefined
    : 'a URL without a user, a query, a fragment and a slash at its end'
}

const isSafe = (url: URL): boolean =>
  url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url))

/**
 * The expected form of a redirect URI; `undefined` if this one may be used.
 *
 * @see RFC 9700, section 2.1; RFC 8252, section 7
 */
export function redirectProblem(uri: string, type: OidcClientType): string | undefined {
  const url = parseUrl(uri)
  if (url === undefined || uri.length > maxUriLength || /[\s\\]/.test(uri)) {
    return `an absolute URI of at most ${maxUriLength} characters`
  }
  if (/[#*]/.test(uri) || hasUser(url)) {
    return 'one exact address, without "*", a fragment and a user'
  }
  if (type !== 'native') {
    return /^https?:$/.test(url.protocol) ? undefined : 'a URL that begins with https:// or http://'
  }
  if (/^https?:$/.test(url.protocol)) return isSafe(url) ? undefined : onlyLocalHttp
  return /^[a-z][a-z0-9+-]*\.[a-z0-9+.-]*:$/.test(url.protocol)
    ? undefined
    : 'a scheme like the name of a domain reversed, as in com.example.app:/callback'
}

const hasUser = ({ username, password }: URL): boolean => username !== '' || password !== ''

/** The expected form of other addresses of a client; `undefined` if this one may be used. */
export function addressProblem(uri: string): string | undefined {
  const url = parseUrl(uri)
  if (url === undefined || uri.length > maxUriLength || !isSafe(url)) return onlyLocalHttp
  return uri.includes('#') || hasUser(url) ? 'a URL without a fragment and a user' : undefined
}

/** Whether others in the network can read requests to an address. */
export function isUnencrypted(uri: string): boolean {
  const url = parseUrl(uri)
  return url?.protocol === 'http:' && !isLoopback(url)
}
