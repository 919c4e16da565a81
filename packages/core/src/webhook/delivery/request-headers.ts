import { foreignOrigin } from '../../http/cross-origin.ts'
import type { RouteRequest } from '../../http/route.ts'
import type { TokenPlace } from '../webhook.ts'

const outsideAscii = /[\u0080-\u00ff]/
const bearerPattern = /^bearer[ \t]+(.+)$/i

/**
 * Reads a header of a request. Servers pass its bytes as characters; UTF-8 is decoded, so that a value means the same in a header
 * as in a body.
 */
export function headerText(headers: RouteRequest['headers'], name: string): string | undefined {
  const value = headers.get(name)
  if (value === null) return undefined
  if (!outsideAscii.test(value)) return value
  const decoded = Buffer.from(value, 'latin1').toString('utf8')
  return decoded.includes('\ufffd') ? value : decoded
}

/** The token of a request, from `Authorization: Bearer` or `X-Webhook-Token`. @see RFC 6750, section 2.1 */
export function requestToken(headers: RouteRequest['headers']): string | undefined {
  const authorization = headerText(headers, 'authorization')?.trim() ?? ''
  return bearerPattern.exec(authorization)?.[1] ?? headerText(headers, 'x-webhook-token')
}

/** A token of a request, and its query without it. */
export interface SentToken {
  readonly token: string | undefined
  /** Not decoded. */
  readonly query: string
}

/** The token of a request by path: from the place that its webhook has for it, if it is there, else as {@link requestToken}. */
export function sentToken(
  request: Pick<RouteRequest, 'headers'>,
  query: string,
  place: TokenPlace | undefined,
): SentToken {
  const { headers } = request
  const taken = place?.kind === 'query' ? takeParameter(query, place.name) : { value: '', query }
  const own = place?.kind === 'query' ? taken.value : tokenAt(request, place)
  // An empty text is no token.
  return { token: own || requestToken(headers), query: taken.query }
}

function tokenAt(
  request: Pick<RouteRequest, 'headers'>,
  place: Exclude<TokenPlace, { kind: 'query' }> | undefined,
): string | undefined {
  if (place?.kind === 'header') return headerText(request.headers, place.name)
  // A browser sends a password with the requests of any page, so there it is no proof that the page knows it.
  if (place?.kind !== 'basic' || foreignOrigin(request) !== undefined) return undefined
  return basicPassword(headerText(request.headers, 'authorization') ?? '')
}

/** The password of `Authorization: Basic`. @see RFC 7617, section 2 */
function basicPassword(authorization: string): string | undefined {
  const [, encoded] = /^basic[ \t]+([A-Za-z0-9+/_=-]+)$/i.exec(authorization.trim()) ?? []
  if (encoded === undefined) return undefined
  const pair = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = pair.indexOf(':')
  return colon < 0 ? undefined : pair.slice(colon + 1)
}

/** Takes every value of a parameter out of a query. The first one counts. */
function takeParameter(
  query: string,
  name: string,
): { readonly value: string | undefined; readonly query: string } {
  const pairs = query.split('&')
  const isTaken = (pair: string): boolean => new URLSearchParams(pair).has(name)
  const [first = ''] = pairs.filter(isTaken)
  return {
    value: new URLSearchParams(first).get(name) ?? undefined,
    query: pairs.filter((pair) => !isTaken(pair)).join('&'),
  }
}

/** All headers with lower-case names, without that of a token. */
export function* allHeaders(
  headers: RouteRequest['headers'],
  place: TokenPlace | undefined,
): Generator<readonly [name: string, value: string]> {
  for (const [name] of headers) {
    const lower = name.toLowerCase()
    const value = headerText(headers, lower)
    const isToken = place?.kind === 'header' && place.name === lower
    if (value !== undefined && !isToken) yield [lower, value]
  }
}
