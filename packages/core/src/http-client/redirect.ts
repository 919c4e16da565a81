import { parseUrl } from '../http/parse-url.ts'
import { clientError } from './errors.ts'

/** One request of a chain of redirects. */
export interface Hop {
  readonly method: string
  readonly url: URL
  readonly body: string | undefined
  /** Whether secrets may be sent there. Once lost, trust does not come back. */
  readonly isTrusted: boolean
}

/** The statuses that redirect a client. 307 and 308 keep the method and the body. */
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
const keepsBody: ReadonlySet<number> = new Set([307, 308])

/**
 * The next request after a redirect; `undefined` if the response is final. Secrets are sent only to the first host and its
 * subdomains, and never without TLS after a request with it.
 *
 * @throws {GatehouseError} `NotAnswered` if the location is not an HTTP URL.
 * @see https://pkg.go.dev/net/http#Client
 */
export function nextHop(
  hop: Hop,
  first: URL,
  { status, location }: { status: number; location: string | null },
): Hop | undefined {
  if (!redirects.has(status) || location === null || location === '') return undefined
  const url = parseUrl(location, hop.url)
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw clientError('NotAnswered', 'redirected to a URL that is not http or https')
  }
  const isTrusted = hop.isTrusted && isSameHome(first, url)
  if (keepsBody.has(status)) return { ...hop, url, isTrusted }
  const method = hop.method === 'HEAD' ? 'HEAD' : 'GET'
  // A redirected GET never had a body.
  return { method, url, body: undefined, isTrusted }
}

function isSameHome(first: URL, { protocol, hostname }: URL): boolean {
  if (first.protocol === 'https:' && protocol !== 'https:') return false
  if (hostname === first.hostname) return true
  // IP addresses have no subdomains.
  return !first.hostname.includes(':') && hostname.endsWith(`.${first.hostname}`)
}
