import { parseUrl } from './parse-url.ts'
import type { RouteHeaders } from './route.ts'

/**
 * The origin of another site's page that sends a request; `undefined` if the request comes from a page of this server, or from a
 * program. An origin that the browser hides is the text `null`.
 *
 * @param publicUrl the URL under which browsers reach this server, for a proxy that changes `Host`.
 * @see https://www.w3.org/TR/fetch-metadata/#sec-fetch-site-header
 */
export function foreignOrigin(
  { headers }: { readonly headers: Pick<RouteHeaders, 'get'> },
  publicUrl?: string,
): string | undefined {
  const site = headers.get('sec-fetch-site')
  // A page cannot set this header.
  if (site === 'same-origin' || site === 'none') return undefined
  const origin = headers.get('origin')
  if (origin === null) return site === null ? undefined : 'null'
  const host = parseUrl(origin)?.host
  const own = [headers.get('host')?.toLowerCase(), publicUrl && parseUrl(publicUrl)?.host]
  return host !== undefined && host !== '' && own.includes(host) ? undefined : origin
}

/** Whether a method only reads. */
export const isReading = (method: string): boolean =>
  method === 'GET' || method === 'HEAD' || method === 'OPTIONS'
