import { parseUrl } from '../../http/parse-url.ts'
import type { HttpConfig } from '../../http-client/http-config.ts'
import { headersOf, readAuthorization, readHeaders } from '../../http-client/request-headers.ts'
import type { OutgoingRequest } from '../../http-client/send-request.ts'
import type { NotifierPorts } from '../receivers/notifier.ts'
import { standIn, withMasks } from './disguise.ts'

/** Names with their values, in their order. */
export type Pairs = readonly (readonly [name: string, value: string])[]

/** A request that would be sent. Secrets are masked. */
export interface RenderedRequest {
  readonly method: OutgoingRequest['method']
  readonly url: string
  /** In the order in which they are sent. */
  readonly headers: Pairs
  /** Empty if there is none. */
  readonly body: string
}

/** Options of {@link shownRequest}. */
export interface ShowOptions extends Pick<NotifierPorts, 'readFile'> {
  /** The `User-Agent` of the HTTP client. */
  userAgent: string
}

/**
 * A request as the HTTP client would send it.
 *
 * @param http with stand-ins for its secrets.
 * @throws {Error} if the URL is invalid, or a file with a secret cannot be read.
 */
export async function shownRequest(
  request: OutgoingRequest,
  http: HttpConfig,
  { readFile, userAgent }: ShowOptions,
): Promise<RenderedRequest> {
  const { method, url, body } = request
  const parsed = parseUrl(url)
  if (parsed === undefined) throw new Error('the URL must be http or https')
  const identity = {
    userAgent,
    configured: await readAuthorization(http, readFile),
    token: http.oauth2 === undefined ? undefined : `Bearer ${standIn}`,
  }
  const hop = { method, url: parsed, body, isTrusted: true }
  const headers = headersOf(hop, await readHeaders(request, http, readFile), identity)
  return {
    method,
    // Credentials in a URL are sent as a header, and shown as one.
    url: withMasks(url.replace(`//${standIn}@`, '//')),
    headers: headers.map(([name, value]) => [name, shownHeader(name, value)]),
    body: withMasks(body ?? ''),
  }
}

/** Shows only the scheme of credentials: they may be encoded, or derived from a secret. */
function shownHeader(name: string, value: string): string {
  if (name === 'cookie') return withMasks(standIn)
  return withMasks(name === 'authorization' ? value.replace(/ .*$/s, ` ${standIn}`) : value)
}
