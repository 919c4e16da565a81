import { parseUrl } from '../../http/parse-url.ts'
import { clientError } from './errors.ts'

/** A request on its way from redirect to redirect. */
export interface Hop {
  readonly method: string
  readonly url: URL
  readonly body: string | undefined
  /** Whether what is secret may be sent there. Once lost, it does not come back. */
  readonly isTrusted: boolean
}

/** The statuses that send a client elsewhere. 307 and 308 keep the method and the body. */
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
const keepsBody: ReadonlySet<number> = new Set([307, 308])

/**
 * Where an answer sends the client; `undefined` if it is an answer for good. What is secret is sent only to the host
 * that was asked at first and to those below its name, and not without TLS where that was spoken.
 *
 * @throws {GatehouseError} `NotAnswered` if the location is no URL of HTTP.
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
    throw clientError('NotAnswered', 'redirected to what is no URL of http or https')
  }
  const isTrusted = hop.isTrusted && isSameHome(first, url)
  if (keepsBody.has(status)) return { ...hop, url, isTrusted }
  const method = hop.method === 'HEAD' ? 'HEAD' : 'GET'
  // A GET that is sent on has never had a body.
  return { method, url, body: undefined, isTrusted }
}

function isSameHome(first: URL, { protocol, hostname }: URL): boolean {
  if (first.protocol === 'https:' && protocol !== 'https:') return false
  if (hostname === first.hostname) return true
  // Addresses have nothing below them.
  return !first.hostname.includes(':') && hostname.endsWith(`.${first.hostname}`)
}
